// proviso solve: bounds of a variable, projections of a condition, inverses of index maps, images
// of index expressions. What is found is printed with its obligations and verdicts.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "analysis/solve/condition.h"
#include "analysis/solve/image.h"
#include "analysis/solve/invert.h"
#include "ir/text.h"
#include "tools/batch.h"
#include "tools/commands.h"
#include "tools/library/answers.h"
#include "tools/solve_request.h"
#include "tools/support/support.h"

namespace proviso::tools {

using namespace analysis::solve;
using analysis::Prover;
using analysis::Verdict;
using nlohmann::json;

namespace {

// --- answering

json check_json(const Checked& c) {
    json out = {{"purpose", c.obligation.purpose.words},
                {"verdict", analysis::verdict_name(c.answer.verdict)},
                {"by", c.answer.by}};
    if (!c.answer.why.empty()) out["why"] = c.answer.why;
    return out;
}

json checks_json(const std::vector<Checked>& checks) {
    json out = json::array();
    for (const Checked& c : checks) out.push_back(check_json(c));
    return out;
}

int answer_condition(Prover& prover, const SolveRequest& r, const SolveQuestion& q, json& out,
                     Result<Solutions>& solved) {
    solved = r.form == "bounds" ? bounds(prover, q.names.given, q.variable, q.condition)
                                : project(prover, q.names.given, q.variable, q.condition);
    if (!solved) return kBadInput;
    json answers = json::array();
    for (const Solved& s : solved->answers) {
        answers.push_back({{"direction", direction_name(s.direction)},
                           {"formula", ir::print(s.formula)},
                           {"checks", checks_json(s.checks)}});
    }
    out["answers"] = answers;
    out["failed"] = checks_json(solved->failed);
    return solved->exact() ? kFine : kUnknown;
}

json decided_json(const Decided& d) {
    json out = {{"verdict", analysis::verdict_name(d.verdict)}};
    if (!d.by.empty()) out["by"] = d.by;
    if (!d.why.empty()) out["why"] = d.why;
    if (d.everywhere) out["for_every_size"] = true;
    if (!d.example.empty()) out["example"] = json::object();
    for (const auto& [name, value] : d.example) out["example"][name] = value;
    return out;
}

json texts(const std::vector<ir::Expr>& exprs) {
    json out = json::array();
    for (ir::Expr e : exprs) out.push_back(ir::print(e));
    return out;
}

int answer_map(Prover& prover, const SolveQuestion& q, json& out, Result<Inversion>& inverted) {
    inverted = invert(prover, q.map, q.shape, q.result_names);
    if (!inverted) return kBadInput;
    const Inversion& i = *inverted;
    out["physical"] = texts(i.physical);
    out["shape"] = texts(i.shape);
    out["injective"] = decided_json(i.injective);
    out["surjective"] = decided_json(i.surjective);
    out["checks"] = checks_json(i.checks);
    if (i.found()) {
        out["method"] = i.method;
        out["inverse"] = texts(i.inverse);
    }
    if (i.padding != nullptr) out["padding"] = ir::print(i.padding);
    if (i.injective.verdict == Verdict::Refuted) return kRefuted;
    return i.found() && all_proved(i.checks) ? kFine : kUnknown;
}

json range_json(const StridedRange& r) {
    json out = json::object();
    if (r.lo != nullptr) out["lo"] = ir::print(r.lo);
    if (r.hi != nullptr) out["hi"] = ir::print(r.hi);
    if (r.stride != nullptr) out["step"] = ir::print(r.stride);
    if (r.anchor != nullptr) out["from"] = ir::print(r.anchor);
    return out;
}

int answer_set(Prover& prover, const SolveQuestion& q, json& out, Result<Images>& found) {
    found = images(prover, q.map, q.result_names, true);
    if (!found) return kBadInput;
    json sets = json::array();
    for (std::size_t k = 0; k < found->each.size(); ++k) {
        const Image& one = found->each[k];
        json ranges = json::array();
        for (const StridedRange& r : one.ranges) ranges.push_back(range_json(r));
        sets.push_back({{"expression", ir::print(q.map.results[k])},
                        {"direction", direction_name(one.direction)},
                        {"hull", one.hull},
                        {"if_not_empty", one.if_not_empty},
                        {"set", one.str()},
                        {"ranges", ranges},
                        {"value", *found->values[k]->name},
                        {"member", ir::print(one.member)},
                        {"checks", checks_json(one.checks)},
                        {"failed", checks_json(one.failed)}});
    }
    out["sets"] = sets;
    if (found->each.size() > 1) {
        out["together"] = {{"direction", direction_name(found->together)},
                           {"if_not_empty", found->if_not_empty},
                           {"checks", checks_json(found->checks)}};
        if (const auto& joint = found->joint) {
            out["together"]["direction"] = direction_name(joint->direction);
            out["together"]["if_not_empty"] = joint->if_not_empty;
            out["together"]["hull"] = joint->hull;
            out["together"]["member"] = ir::print(joint->member);
            out["together"]["parts"] = texts(joint->parts);
            out["together"]["checks"] = checks_json(joint->checks);
            out["together"]["failed"] = checks_json(joint->failed);
        }
    }
    return found->exact() ? kFine : kUnknown;
}

// A contradictory context proves anything.
bool contradictory(Prover& prover, const std::vector<ir::Expr>& facts) {
    return !facts.empty() &&
           prover.prove(facts, prover.context().false_()).verdict == Verdict::Proved;
}

// What was found by the form that was asked for.
struct Outcome {
    SolveQuestion question;
    Result<Solutions> solved = error("not solved");
    Result<Inversion> inverted = error("not solved");
    Result<Images> images = error("not solved");
    std::string empty;  // why the answer says nothing: no facts, or no index
};

Result<int> answer(ir::Context& ctx, const SolveRequest& r, const SolveOptions& o, json& out,
                   Outcome& seen) {
    if (const Status ok = check_solve_request(r); !ok) return ok.error();
    Result<SolveQuestion> question = read_solve_question(ctx, r);
    if (!question) return question.error();
    seen.question = *question;
    const SolveQuestion& q = seen.question;
    analysis::ProverOptions options;
    options.cache_dir = cache_folder(o.cache);
    options.wall_limit_s = o.solver_seconds;
    options.memory_mib = o.solver_memory;
    options.effort = o.solver_effort;
    Prover prover(ctx, options);
    int code = kFine;
    if (r.form == "set") {
        code = answer_set(prover, q, out, seen.images);
        if (!seen.images) return seen.images.error();
    } else if (r.form == "invert") {
        code = answer_map(prover, q, out, seen.inverted);
        if (!seen.inverted) return seen.inverted.error();
    } else {
        code = answer_condition(prover, r, q, out, seen.solved);
        if (!seen.solved) return seen.solved.error();
    }
    if (contradictory(prover, q.names.given)) {
        seen.empty = "the facts contradict each other";
        out["vacuous"] = true;
        return static_cast<int>(kUnknown);
    }
    if (r.has_domain() && contradictory(prover, q.map.domain(ctx))) {
        seen.empty = "the domain is empty: there is no index";
        out["empty_domain"] = true;
        return r.form == "set" ? code : static_cast<int>(kUnknown);
    }
    return code;
}

// --- printing

void print_checks(const std::vector<Checked>& checks, const char* indent) {
    for (const Checked& c : checks) {
        std::printf("%s%s%s%s: %s\n", indent, analysis::verdict_name(c.answer.verdict),
                    c.answer.by.empty() ? "" : " by ", c.answer.by.c_str(),
                    c.obligation.purpose.words.c_str());
    }
}

void print_decided(const char* what, const Decided& d) {
    std::printf("%s: %s", what, analysis::verdict_name(d.verdict));
    if (!d.by.empty()) std::printf(" by %s", d.by.c_str());
    if (!d.why.empty()) std::printf(" (%s)", why_unknown(d.why).c_str());
    if (d.everywhere) std::printf(", whatever the sizes");
    for (std::size_t i = 0; i < d.example.size(); ++i) {
        std::printf("%s%s = %s", i == 0 ? ": " : ", ", d.example[i].first.c_str(),
                    d.example[i].second.c_str());
    }
    std::printf("\n");
}

void print_inversion(const IndexMap& map, const Inversion& i) {
    if (!i.found()) std::printf("no inverse was found\n");
    for (std::size_t d = 0; d < i.inverse.size(); ++d) {
        std::printf("%s = %s\n", map.vars[d]->name->c_str(), ir::print(i.inverse[d]).c_str());
    }
    std::printf("box:");
    for (std::size_t k = 0; k < i.shape.size(); ++k) {
        std::printf("%s %s < %s", k == 0 ? "" : ",", i.physical[k]->name->c_str(),
                    ir::print(i.shape[k]).c_str());
    }
    std::printf("\n");
    if (i.padding != nullptr) {
        const bool none = ir::is_false(i.padding);
        std::printf("padding: %s\n", none ? "none" : ir::print(i.padding).c_str());
    }
    print_decided("injective", i.injective);
    print_decided("surjective", i.surjective);
    print_checks(i.checks, "  ");
}

void print_solutions(const Solutions& s) {
    if (s.answers.empty()) std::printf("nothing was found\n");
    for (const Solved& a : s.answers) {
        std::printf("%s: %s\n", direction_name(a.direction), ir::print(a.formula).c_str());
        print_checks(a.checks, "  ");
    }
}

void print_image(const Image& image, const char* indent) {
    std::printf("%s: %s\n", image.kind().c_str(), image.str().c_str());
    print_checks(image.checks, indent);
    print_checks(image.failed, indent);
}

void print_images(const SolveQuestion& q, const Images& found) {
    if (found.each.size() == 1) return print_image(found.each[0], "  ");
    for (std::size_t k = 0; k < found.each.size(); ++k) {
        std::printf("%s in ", ir::print(q.map.results[k]).c_str());
        print_image(found.each[k], "  ");
    }
    if (const auto& joint = found.joint) {
        std::string names;
        for (ir::Expr v : found.values) names += (names.empty() ? "" : ", ") + *v->name;
        std::printf("together, as %s, in %s: %s\n", names.c_str(), joint->kind().c_str(),
                    joint->str().c_str());
        print_checks(joint->checks, "  ");
        print_checks(joint->failed, "  ");
        return;
    }
    const char* together = "over (not every combination is known to occur)";
    if (found.together == Direction::Exact) {
        together = found.if_not_empty ? "exact where the domain is not empty" : "exact";
    }
    std::printf("together: %s\n", together);
    print_checks(found.checks, "  ");
}

}  // namespace

Result<json> solve_answer(const json& line, const SolveOptions& o) {
    const Result<SolveRequest> r = read_solve_request(line);
    if (!r) return r.error();
    ir::Context ctx;
    json out = json::object();
    Outcome seen;
    const Result<int> code = answer(ctx, *r, o, out, seen);
    if (!code) return code.error();
    out["exit_code"] = *code;
    return out;
}

int run_solve(const SolveOptions& o) {
    if (!o.batch.empty()) {
        return run_lines(o.batch, [&](ir::Context& ctx, const json& line, json& out) {
            const Result<SolveRequest> r = read_solve_request(line);
            if (!r) return Result<int>(r.error());
            Outcome seen;
            return answer(ctx, *r, o, out, seen);
        });
    }
    const Result<SolveRequest> r = read_solve_request(o);
    if (!r) return bad_input(r.error(), o.json);
    ir::Context ctx;
    json out = json::object();
    Outcome seen;
    const Result<int> code = answer(ctx, *r, o, out, seen);
    if (!code) return bad_input(code.error(), o.json);
    if (o.json) {
        print_json(out);
        return *code;
    }
    if (seen.images) {
        print_images(seen.question, *seen.images);
    } else if (seen.inverted) {
        print_inversion(seen.question.map, *seen.inverted);
    } else {
        print_solutions(*seen.solved);
    }
    if (!seen.empty.empty()) std::printf("(%s)\n", seen.empty.c_str());
    return *code;
}

}  // namespace proviso::tools
