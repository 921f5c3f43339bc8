// proviso solve: bounds of a variable, projections of a condition, inverses of index maps. What is
// found is printed with its obligations and verdicts.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "analysis/solve/condition.h"
#include "analysis/solve/invert.h"
#include "tools/batch.h"
#include "tools/commands.h"
#include "tools/program.h"
#include "tools/support.h"

namespace proviso::tools {

using namespace analysis::solve;
using analysis::Prover;
using analysis::Verdict;
using nlohmann::json;

namespace {

// One thing to solve, from the command line or from a line of JSON.
struct Request {
    std::string form;
    std::string text;
    std::string variable;
    std::vector<std::pair<std::string, std::string>> vars;  // name, type
    std::vector<std::string> given;
    std::vector<std::pair<std::string, std::string>> extents;
    std::vector<std::string> shape;
};

// --- reading

std::string trimmed(const std::string& text) {
    const std::size_t from = text.find_first_not_of(" \t\n");
    if (from == std::string::npos) return {};
    return text.substr(from, text.find_last_not_of(" \t\n") - from + 1);
}

// The parts between commas that are in no brackets.
std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> out;
    int depth = 0;
    std::string part;
    for (const char c : text) {
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (c == ',' && depth == 0) {
            out.push_back(trimmed(part));
            part.clear();
        } else {
            part += c;
        }
    }
    if (!trimmed(part).empty()) out.push_back(trimmed(part));
    return out;
}

struct MapText {
    std::vector<std::string> vars;
    std::vector<std::string> results;
};

// "i, j -> j, i // 4", or as in schedules "lambda i, j: [j, i // 4]".
Result<MapText> read_map(const std::string& given) {
    std::string text = trimmed(given);
    const bool lambda = text.rfind("lambda ", 0) == 0;
    const std::size_t at = text.find(lambda ? ":" : "->");
    if (at == std::string::npos) {
        return error("not an index map: " + given, "such as 'i, j -> j, i // 4, i % 4'");
    }
    const std::string left = lambda ? text.substr(7, at - 7) : text.substr(0, at);
    std::string right = trimmed(text.substr(at + (lambda ? 1 : 2)));
    const bool list = right.size() > 1 && right.front() == '[' && right.back() == ']';
    if (list) right = right.substr(1, right.size() - 2);
    MapText out{split_list(left), split_list(right)};
    if (out.vars.empty() || out.results.empty()) {
        return error("not an index map: " + given, "it needs variables and results");
    }
    return out;
}

Result<std::vector<std::string>> strings(const json& line, const char* key) {
    std::vector<std::string> out;
    if (!line.contains(key)) return out;
    const Diagnostic bad = error(std::string("\"") + key + "\" must be a list of strings");
    if (!line[key].is_array()) return bad;
    for (const json& e : line[key]) {
        if (!e.is_string()) return bad;
        out.push_back(e.get<std::string>());
    }
    return out;
}

Result<std::vector<std::pair<std::string, std::string>>> pairs(const json& line, const char* key) {
    std::vector<std::pair<std::string, std::string>> out;
    if (!line.contains(key)) return out;
    const Diagnostic bad = error(std::string("\"") + key + "\" must be an object of strings");
    if (!line[key].is_object()) return bad;
    for (const auto& [name, value] : line[key].items()) {
        if (!value.is_string()) return bad;
        out.emplace_back(name, value.get<std::string>());
    }
    return out;
}

Result<Request> read_request(const json& line) {
    if (!line.is_object()) return error("not a JSON object");
    const auto text = [&](const char* key) {
        return line.contains(key) && line[key].is_string() ? line[key].get<std::string>()
                                                           : std::string();
    };
    Request out;
    out.form = text("solve");
    out.text = text(out.form == "invert" ? "map" : "condition");
    out.variable = text("for");
    const auto given = strings(line, "given");
    const auto shape = strings(line, "shape");
    const auto vars = pairs(line, "vars");
    const auto extents = pairs(line, "extents");
    if (!given) return given.error();
    if (!shape) return shape.error();
    if (!vars) return vars.error();
    if (!extents) return extents.error();
    out.given = *given;
    out.shape = *shape;
    out.vars = *vars;
    out.extents = *extents;
    return out;
}

Result<Request> read_request(const SolveOptions& o) {
    Request out{o.form, o.text, o.variable, {}, o.given, {}, o.shape};
    for (const std::string& var : o.vars) {
        const std::size_t colon = std::min(var.find(':'), var.size());
        out.vars.emplace_back(var.substr(0, colon),
                              colon < var.size() ? var.substr(colon + 1) : "int32");
    }
    for (const std::string& extent : o.extents) {
        const auto pair = key_value(extent);
        if (!pair) return pair.error();
        out.extents.push_back(*pair);
    }
    return out;
}

// The names and facts of a request; expressions are read by `read`.
struct Reader {
    ir::Context& ctx;
    Question question;

    Status begin(const Request& r) {
        question.function.name = "question";
        question.function.body = ctx.pass();
        for (const auto& [name, type] : r.vars) {
            const Status ok = declare(ctx, name, type, question.scope, question.function);
            if (!ok) return ok;
        }
        for (const std::string& fact : r.given) {
            const Result<ir::Expr> e = read(fact, "<given>", ir::kBool);
            if (!e) return e.error();
            question.given.push_back(*e);
        }
        return Unit{};
    }
    Result<ir::Expr> read(const std::string& text, const char* where,
                          std::optional<ir::ScalarType> type = std::nullopt) {
        if (const Status ok = declare_missing(ctx, text, question); !ok) return ok.error();
        return parse_expr(ctx, text, question.scope, type, where);
    }
    Result<ir::Expr> variable(const std::string& name) {
        const Result<ir::Expr> e = read(name, "<variable>");
        if (e && (*e)->op != ir::Op::Var) return error("not a variable: " + name);
        return e;
    }
};

// --- answering

json check_json(const Checked& c) {
    json out = {{"purpose", c.obligation.purpose},
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

int answer_condition(Prover& prover, const Request& r, Reader& reader, json& out,
                     Result<Solutions>& solved) {
    const Result<ir::Expr> x = reader.variable(r.variable);
    const Result<ir::Expr> condition = reader.read(r.text, "<condition>", ir::kBool);
    if (!x || !condition) {
        solved = x ? condition.error() : x.error();
        return kBadInput;
    }
    const auto& given = reader.question.given;
    solved = r.form == "bounds" ? bounds(prover, given, *x, *condition)
                                : project(prover, given, *x, *condition);
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
    if (!d.example.empty()) out["example"] = json::object();
    for (const auto& [name, value] : d.example) out["example"][name] = value;
    return out;
}

json texts(const std::vector<ir::Expr>& exprs) {
    json out = json::array();
    for (ir::Expr e : exprs) out.push_back(ir::print(e));
    return out;
}

Result<IndexMap> index_map(const Request& r, Reader& reader, std::vector<ir::Expr>& shape) {
    const Result<MapText> text = read_map(r.text);
    if (!text) return text.error();
    IndexMap map;
    map.facts = reader.question.given;
    for (const std::string& name : text->vars) {
        const Result<ir::Expr> v = reader.variable(name);
        if (!v) return v.error();
        const auto at = std::find_if(r.extents.begin(), r.extents.end(),
                                     [&](const auto& e) { return e.first == name; });
        if (at == r.extents.end()) {
            return error("no extent of " + name, "--extent " + name + "=14, or a size such as n");
        }
        const Result<ir::Expr> extent = reader.read(at->second, "<extent>", (*v)->type);
        if (!extent) return extent.error();
        map.vars.push_back(*v);
        map.extents.push_back(*extent);
    }
    for (const std::string& result : text->results) {
        const Result<ir::Expr> e = reader.read(result, "<map>", map.type());
        if (!e) return e.error();
        map.results.push_back(*e);
    }
    for (const std::string& extent : r.shape) {
        const Result<ir::Expr> e = reader.read(extent, "<shape>", map.type());
        if (!e) return e.error();
        shape.push_back(*e);
    }
    return map;
}

// Names for the physical indices that nothing else has.
std::vector<std::string> physical_names(const IndexMap& map, const Reader& reader) {
    std::vector<std::string> out;
    for (std::size_t k = 0; k < map.results.size(); ++k) {
        std::string name = "p" + std::to_string(k);
        while (reader.question.scope.vars.count(name) != 0) name += "_";
        out.push_back(name);
    }
    return out;
}

int answer_map(Prover& prover, const Request& r, Reader& reader, json& out,
               Result<Inversion>& inverted, IndexMap& map) {
    std::vector<ir::Expr> shape;
    Result<IndexMap> read = index_map(r, reader, shape);
    if (!read) {
        inverted = read.error();
        return kBadInput;
    }
    map = *read;
    inverted = invert(prover, map, shape, physical_names(map, reader));
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
        out["padding"] = ir::print(i.padding);
    }
    if (i.injective.verdict == Verdict::Refuted) return kRefuted;
    return i.found() && all_proved(i.checks) ? kFine : kUnknown;
}

// A contradictory context proves anything.
bool contradictory(Prover& prover, const std::vector<ir::Expr>& facts) {
    return !facts.empty() &&
           prover.prove(facts, prover.context().false_()).verdict == Verdict::Proved;
}

struct Outcome {
    Result<Solutions> solved = error("not solved");
    Result<Inversion> inverted = error("not solved");
    IndexMap map;
};

Result<int> answer(ir::Context& ctx, const Request& r, const std::string& cache, json& out,
                   Outcome& seen) {
    if (r.form != "bounds" && r.form != "project" && r.form != "invert") {
        return error("what to solve is not said", "bounds, project or invert");
    }
    if (r.text.empty()) {
        return error("nothing to solve", r.form == "invert"
                                             ? "proviso solve invert 'i -> i // 4, i % 4'"
                                             : "proviso solve " + r.form + " '2 * x < n' --for x");
    }
    if (r.form != "invert" && r.variable.empty()) {
        return error("the variable is not said", "--for x");
    }
    analysis::ProverOptions options;
    options.cache_dir = cache;
    Prover prover(ctx, options);
    Reader reader{ctx, {}};
    if (const Status ok = reader.begin(r); !ok) return ok.error();
    const bool maps = r.form == "invert";
    const int code = maps ? answer_map(prover, r, reader, out, seen.inverted, seen.map)
                          : answer_condition(prover, r, reader, out, seen.solved);
    if (maps && !seen.inverted) return seen.inverted.error();
    if (!maps && !seen.solved) return seen.solved.error();
    const auto facts = maps ? seen.map.domain(ctx) : reader.question.given;
    if (!contradictory(prover, facts)) return code;
    out["vacuous"] = true;
    return static_cast<int>(kUnknown);
}

// --- printing

void print_checks(const std::vector<Checked>& checks, const char* indent) {
    for (const Checked& c : checks) {
        std::printf("%s%s%s%s: %s\n", indent, analysis::verdict_name(c.answer.verdict),
                    c.answer.by.empty() ? "" : " by ", c.answer.by.c_str(),
                    c.obligation.purpose.c_str());
    }
}

void print_decided(const char* what, const Decided& d) {
    std::printf("%s: %s", what, analysis::verdict_name(d.verdict));
    if (!d.by.empty()) std::printf(" by %s", d.by.c_str());
    if (!d.why.empty()) std::printf(" (%s)", d.why.c_str());
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
    if (i.found()) {
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

}  // namespace

int run_solve(const SolveOptions& o) {
    const std::string cache = cache_folder(o.cache);
    if (!o.batch.empty()) {
        return run_lines(o.batch, [&](ir::Context& ctx, const json& line, json& out) {
            const Result<Request> r = read_request(line);
            if (!r) return Result<int>(r.error());
            Outcome seen;
            return answer(ctx, *r, cache, out, seen);
        });
    }
    const Result<Request> r = read_request(o);
    if (!r) return bad_input(r.error());
    ir::Context ctx;
    json out = json::object();
    Outcome seen;
    const Result<int> code = answer(ctx, *r, cache, out, seen);
    if (!code) return bad_input(code.error());
    if (o.json) {
        print_json(out);
        return *code;
    }
    if (seen.inverted) {
        print_inversion(seen.map, *seen.inverted);
    } else {
        print_solutions(*seen.solved);
    }
    if (out.contains("vacuous")) std::printf("(the facts contradict each other)\n");
    return *code;
}

}  // namespace proviso::tools
