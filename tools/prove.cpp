// proviso prove: is the goal true wherever the facts are?
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "analysis/facts/formula.h"
#include "analysis/prover/explain.h"
#include "analysis/prover/prover.h"
#include "analysis/prover/replay.h"
#include "rewrite/schedule/advice.h"
#include "tools/batch.h"
#include "tools/commands.h"
#include "tools/library/answers.h"
#include "tools/support/support.h"
#include "tools/support/write_file.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

int exit_code(analysis::Verdict v) {
    switch (v) {
        case analysis::Verdict::Proved: return kFine;
        case analysis::Verdict::Refuted: return kRefuted;
        case analysis::Verdict::Unknown: return kUnknown;
    }
    return kInternal;
}

analysis::ProverOptions prover_options(const ProveOptions& o) {
    analysis::ProverOptions out;
    out.cross_check = o.cross_check;
    out.cache_dir = cache_folder(o.cache);
    out.wall_limit_s = o.solver_seconds;
    out.memory_mib = o.solver_memory;
    out.effort = o.solver_effort;
    return out;
}

// Who answered, in words.
std::string method_of(const analysis::Answer& a) {
    const bool solver = a.by.find("z3") != std::string::npos || a.by == "cvc5";
    if (a.verdict == analysis::Verdict::Refuted) {
        const std::string from = a.by == "sample" ? "that were tried" : "from " + a.by;
        return "values " + from + ", made smaller, and evaluated: facts hold, the goal fails";
    }
    if (solver) return "solver " + a.by + "; no certificate was found";
    if (a.by == "certificate") return "a certificate, accepted by the checker; no solver";
    return "quick decider '" + a.by + "'; no solver";
}

// What is wrong with a load outside of its buffer, and the facts that would exclude it.
std::string outside_of(ir::Expr load) {
    std::string shape;
    std::string facts;
    for (std::size_t d = 0; d < load->args.size(); ++d) {
        const std::string extent = ir::print(load->buffer->shape[d]);
        shape += (d > 0 ? ", " : "") + extent;
        if (ir::is_const(load->arg(d))) continue;
        const std::string index = ir::print(load->arg(d));
        facts += (facts.empty() ? "--given '0 <= " : " --given '0 <= ") + index + "'";
        facts += " --given '" + index + " < " + extent + "'";
    }
    const std::string out = ", which is outside of " + load->buffer->name + "[" + shape + "]";
    if (facts.empty()) return out + ": a fault, where a program computes it";
    return out + " (" + facts + ")";
}

// Values that refute the claim without a fault in it. None where they cannot be found, whether or
// not there are any.
std::optional<analysis::Answer> refuted_without_fault(analysis::Prover& prover,
                                                      const analysis::Obligation& obligation) {
    ir::Context& ctx = prover.context();
    analysis::Obligation inside = obligation;
    for (ir::Expr fact : obligation.facts) inside.facts.push_back(analysis::no_fault(ctx, fact));
    inside.facts.push_back(analysis::no_fault(ctx, obligation.goal));
    analysis::Answer a = prover.prove(inside);
    if (a.verdict != analysis::Verdict::Refuted) return std::nullopt;
    const analysis::Replay seen =
        analysis::replay(ctx, obligation, a.model, analysis::Reading::Program);
    if (seen.said != analysis::Replayed::Refutes) return std::nullopt;
    return a;
}

// Why values that refute the claim as an equation over functions are no counterexample.
std::string not_evaluated(const analysis::Answer& a, const analysis::Replay& replayed) {
    ir::Expr open = replayed.open;
    std::string out = "values from " + a.by + " are no counterexample: they tell no value";
    if (open != nullptr) out += " of " + ir::print(open);
    if (replayed.outside) return out + outside_of(open);
    const bool division =
        open != nullptr && (open->op == ir::Op::FloorDiv || open->op == ir::Op::FloorMod ||
                            open->op == ir::Op::TruncDiv || open->op == ir::Op::TruncMod);
    if (!division) return out;
    out += ", whose divisor is 0";
    if (ir::is_const(open->arg(1))) return out + ": a fault, where a program computes it";
    return out + " (--given '" + ir::print(open->arg(1)) + " != 0')";
}

void explain(analysis::Prover& prover, const analysis::Obligation& obligation,
             const analysis::Answer& first, json& out) {
    if (first.verdict == analysis::Verdict::Unknown) return;
    json how{{"how", method_of(first)}};
    if (first.verdict == analysis::Verdict::Proved) {
        const analysis::Explanation why = analysis::explain(prover, obligation);
        how["how"] = method_of(why.answer);
        if (why.answer.by == "certificate") {
            analysis::Obligation shown{{}, {}, obligation.goal, obligation.unbounded};
            if (why.contradictory) shown.goal = prover.context().false_();
            for (const std::size_t i : why.used) shown.facts.push_back(obligation.facts[i]);
            how["smt"] = analysis::to_smt(prover.context(), shown).text;
            how["certificate"] = why.answer.certificate;
        }
        json used = json::array();
        json unused = json::array();
        for (std::size_t i = 0; i < obligation.facts.size(); ++i) {
            const bool is_used = std::find(why.used.begin(), why.used.end(), i) != why.used.end();
            (is_used ? used : unused).push_back(ir::print(obligation.facts[i]));
        }
        how["facts_used"] = used;
        how["facts_not_used"] = unused;
    }
    out["explanation"] = how;
}

int answer(ir::Context& ctx, const Question& q, const ProveOptions& o, json& out) {
    analysis::Prover prover(ctx, prover_options(o));
    const analysis::Obligation obligation{{}, q.given, q.expr, {}};
    const auto start = std::chrono::steady_clock::now();
    analysis::Answer a = prover.prove(obligation);
    const bool refuted = a.verdict == analysis::Verdict::Refuted;
    analysis::Replay replayed;
    if (refuted) replayed = analysis::replay(ctx, obligation, a.model, analysis::Reading::Program);
    if (refuted && replayed.said != analysis::Replayed::Refutes) {
        if (auto better = refuted_without_fault(prover, obligation)) {
            a = *std::move(better);
            replayed.said = analysis::Replayed::Refutes;
        }
    }
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                        std::chrono::steady_clock::now() - start)
                        .count();
    out["verdict"] = analysis::verdict_name(a.verdict);
    out["by"] = a.by;
    json model = json::object();
    for (const analysis::ModelValue& v : a.model) {
        model[v.name] = v.value == nullptr ? "undefined" : ir::print(v.value);
    }
    out["model"] = model;
    if (a.verdict == analysis::Verdict::Unknown) out["why"] = why_unknown(a.why);
    if (refuted && replayed.said != analysis::Replayed::Refutes) {
        out["verdict"] = analysis::verdict_name(analysis::Verdict::Unknown);
        out["why"] = not_evaluated(a, replayed);
    }
    out["ns"] = ns;
    // A contradictory context proves anything, so that says nothing of the goal. Not part of the
    // time to the answer.
    if (a.verdict == analysis::Verdict::Proved && !q.given.empty()) {
        const analysis::Answer none = prover.prove(q.given, ctx.false_());
        if (none.verdict == analysis::Verdict::Proved) {
            out["vacuous"] = true;
            out["verdict"] = "VACUOUS";
            out["by"] = none.by;
        }
    }
    if (o.explain && !(refuted && out.contains("why"))) explain(prover, obligation, a, out);
    const bool open = out.contains("vacuous") || (refuted && out.contains("why"));
    return open ? kUnknown : exit_code(a.verdict);
}

void print_explanation(const json& out) {
    const json& how = out["explanation"];
    std::printf("  how: %s\n", how["how"].get<std::string>().c_str());
    if (!how.contains("facts_used")) return;
    const auto list = [&](const char* key, const char* title) {
        if (how[key].empty()) return;
        std::printf("  %s\n", title);
        for (const json& fact : how[key]) std::printf("    %s\n", fact.get<std::string>().c_str());
    };
    if (how["facts_used"].empty()) std::printf("  no fact is needed\n");
    list("facts_used", "facts used (with any of them left out, it is not proved):");
    list("facts_not_used", "facts not used:");
    if (how.contains("certificate")) {
        std::printf("  certificate: %s\n", how["certificate"].get<std::string>().c_str());
    }
}

void print_answer(const json& out) {
    std::printf("%s", out["verdict"].get<std::string>().c_str());
    const auto by = out["by"].get<std::string>();
    if (!by.empty()) std::printf(" by %s", by.c_str());
    if (out.contains("why")) std::printf(" (%s)", out["why"].get<std::string>().c_str());
    if (out.contains("vacuous")) {
        std::printf(": the facts contradict each other, so they say nothing of the goal");
    }
    std::printf("\n");
    for (const auto& [name, value] : out["model"].items()) {
        std::printf("  %s = %s\n", name.c_str(), value.get<std::string>().c_str());
    }
    if (out.contains("explanation")) print_explanation(out);
}

// Writes NAME.smt2 and NAME.cert, which proviso-certcheck accepts. Nothing where `why` says so.
Result<analysis::CheckedCertificate> write_certificate(ir::Context& ctx, const Question& q,
                                                       const std::string& name) {
    const analysis::SmtText text = analysis::to_smt(ctx, {{}, q.given, q.expr});
    analysis::CheckedCertificate found = analysis::find_certificate(text);
    if (found.certificate.empty()) return found;
    if (found.certificate.back() != '\n') found.certificate += '\n';
    if (const Status ok = write_file(name + ".smt2", text.text); !ok) return ok.error();
    if (const Status ok = write_file(name + ".cert", found.certificate); !ok) return ok.error();
    return found;
}

int certify_one(ir::Context& ctx, const Question& q, const ProveOptions& o) {
    const std::string& name = o.certificate;
    const Result<analysis::CheckedCertificate> found = write_certificate(ctx, q, name);
    if (!found) return bad_input(found.error(), o.json);
    json out{{"certificate", !found->certificate.empty()}};
    if (found->certificate.empty()) {
        out["why"] = found->why;
        if (o.json) print_json(out);
        std::fprintf(stderr, "no certificate: %s\n", found->why.c_str());
        return kUnknown;
    }
    out["steps"] = found->steps;
    if (o.json) {
        print_json(out);
        return kFine;
    }
    std::printf("%s.smt2 and %s.cert: %zu steps, accepted\n", name.c_str(), name.c_str(),
                found->steps);
    return kFine;
}

// FOLDER/LINE.smt2 and FOLDER/LINE.cert of each line that has one; FOLDER/list names the pairs.
int certify_batch(const ProveOptions& o) {
    std::string list;
    const auto one = [&](ir::Context& ctx, const Question& q, json& out) -> Result<int> {
        const std::string line = std::to_string(out["line"].get<std::size_t>());
        const auto found = write_certificate(ctx, q, o.certificate + "/" + line);
        if (!found) return found.error();
        out["certificate"] = !found->certificate.empty();
        if (found->certificate.empty()) {
            out["why"] = found->why;
            return static_cast<int>(kUnknown);
        }
        out["steps"] = found->steps;
        list += line + ".smt2 " + line + ".cert\n";
        return static_cast<int>(kFine);
    };
    const int code = run_batch(o.batch, "goal", one);
    if (const Status ok = write_file(o.certificate + "/list", list); !ok) {
        return bad_input(ok.error(), o.json);
    }
    return code;
}

}  // namespace

Result<json> prove_answer(const json& line, const ProveOptions& o) {
    ir::Context ctx;
    const Result<Question> q = read_question(ctx, line, "goal");
    if (!q) return q.error();
    json out = json::object();
    out["exit_code"] = answer(ctx, *q, o, out);
    return out;
}

int run_prove(const ProveOptions& o) {
    if (o.cross_check && analysis::cvc5_version().empty()) {
        return bad_input(error("cvc5 is not installed, so nothing can be asked of both solvers",
                               "leave --cross-check out, or install cvc5"),
                         o.json);
    }
    if (!o.batch.empty() && !o.certificate.empty()) return certify_batch(o);
    if (!o.batch.empty()) {
        return run_batch(o.batch, "goal", [&](ir::Context& ctx, const Question& q, json& out) {
            return answer(ctx, q, o, out);
        });
    }
    if (o.goal.empty())
        return bad_input(error("nothing to prove", "proviso prove 'x + 1 > x' or --batch FILE"),
                         o.json);
    ir::Context ctx;
    const Result<Question> q = read_question(ctx, o.vars, o.given, o.goal, true);
    if (!q) return bad_input(q.error(), o.json);
    if (o.smt) {
        const analysis::SmtText text = analysis::to_smt(ctx, {{}, q->given, q->expr});
        if (!text.supported) return bad_input(error("no encoding: " + text.why), o.json);
        std::printf("%s", text.text.c_str());
        return kFine;
    }
    if (!o.certificate.empty()) return certify_one(ctx, *q, o);
    json out = json::object();
    const int code = answer(ctx, *q, o, out);
    if (o.json) {
        print_json(out);
    } else {
        print_answer(out);
    }
    return code;
}

}  // namespace proviso::tools
