#include "tools/solve_request.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/children.h"
#include "ir/text.h"
#include "tools/program.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

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

}  // namespace

Result<SolveRequest> read_solve_request(const json& line) {
    const Status known = only_keys(
        line, {"solve", "for", "vars", "given", "extents", "shape", "map", "condition", "expr"});
    if (!known) return known.error();
    SolveRequest out;
    const auto form = text_of(line, "solve");
    if (!form) return form.error();
    out.form = *form;
    const std::string key = out.form == "invert" ? "map" : out.form == "set" ? "expr" : "condition";
    for (const char* other : {"map", "condition", "expr"}) {
        if (key == other || !line.contains(other)) continue;
        return error(std::string("\"") + other + "\" is not read where \"solve\" is \"" + out.form +
                     "\"");
    }
    const auto text = text_of(line, key.c_str());
    const auto variable = text_of(line, "for");
    const auto given = texts_of(line, "given");
    const auto shape = texts_of(line, "shape");
    const auto vars = pairs_of(line, "vars");
    const auto extents = pairs_of(line, "extents");
    if (!text) return text.error();
    if (!variable) return variable.error();
    if (!given) return given.error();
    if (!shape) return shape.error();
    if (!vars) return vars.error();
    if (!extents) return extents.error();
    out.text = *text;
    out.variable = *variable;
    out.given = *given;
    out.shape = *shape;
    out.vars = *vars;
    out.extents = *extents;
    return out;
}

Result<SolveRequest> read_solve_request(const SolveOptions& o) {
    SolveRequest out{o.form, o.text, o.variable, {}, o.given, {}, o.shape};
    out.vars = declarations(o.vars);
    for (const std::string& extent : o.extents) {
        const auto pair = key_value(extent);
        if (!pair) return pair.error();
        out.extents.push_back(*pair);
    }
    return out;
}

namespace {

std::string list_of(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

// Nothing is divided by a constant 0: what that would be is not said.
Status no_zero_divisor(ir::Expr e) {
    const bool divides = e->op == ir::Op::FloorDiv || e->op == ir::Op::FloorMod ||
                         e->op == ir::Op::TruncDiv || e->op == ir::Op::TruncMod;
    if (divides && ir::is_int_const(e->arg(1), 0)) {
        return error("division by 0: " + ir::print(e));
    }
    for (ir::Expr part : e->args) {
        if (const Status ok = no_zero_divisor(part); !ok) return ok;
    }
    return Unit{};
}

// "i * 4 + j", "i, j", or an access "A[i, j]": the expressions.
std::vector<std::string> read_expressions(const std::string& given) {
    std::string text = trimmed(given);
    const std::size_t open = text.find('[');
    const bool name = open != 0 && open != std::string::npos && text.back() == ']' &&
                      std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(open),
                                  [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (name) text = text.substr(open + 1, text.size() - open - 2);
    return split_list(text);
}

class QuestionReader {
  public:
    QuestionReader(ir::Context& ctx, const SolveRequest& request) : ctx_(ctx), r_(request) {}

    Result<SolveQuestion> run() {
        out_.names.function.name = "question";
        out_.names.function.body = ctx_.pass();
        if (const Status ok = declare_all(ctx_, r_.vars, out_.names); !ok) return ok.error();
        for (std::size_t i = 0; i < r_.given.size(); ++i) {
            const Result<ir::Expr> e =
                read(r_.given[i], name_of_fact(i, r_.given.size()), ir::kBool);
            if (!e) return e.error();
            out_.names.given.push_back(*e);
        }
        const Status ok = r_.has_domain() ? read_map() : read_condition();
        if (!ok) return ok.error();
        return std::move(out_);
    }

  private:
    Result<ir::Expr> read(const std::string& text, const std::string& where,
                          std::optional<ir::ScalarType> type = std::nullopt) {
        if (const Status ok = declare_missing(ctx_, text, out_.names); !ok) return ok.error();
        Result<ir::Expr> e = read_text(ctx_, text, out_.names.scope, type, where);
        if (!e) return e;
        if (const Status ok = no_zero_divisor(*e); !ok) return ok.error();
        return e;
    }
    Result<ir::Expr> variable(const std::string& name) {
        Result<ir::Expr> e = read(name, "<variable>");
        if (e && (*e)->op != ir::Op::Var) return error("not a variable: " + name);
        return e;
    }

    Status read_condition() {
        const Result<ir::Expr> x = variable(r_.variable);
        if (!x) return x.error();
        const Result<ir::Expr> condition = read(r_.text, "<condition>", ir::kBool);
        if (!condition) return condition.error();
        out_.variable = *x;
        out_.condition = *condition;
        std::vector<ir::Expr> all = out_.names.given;
        all.push_back(*condition);
        std::vector<std::string> names;
        for (ir::Expr e : all) {
            if (ir::occurs_free(*x, e)) return Unit{};
            for (ir::Expr v : ir::free_vars(e)) {
                if (std::find(names.begin(), names.end(), *v->name) == names.end()) {
                    names.push_back(*v->name);
                }
            }
        }
        return error(r_.variable + " does not occur in the condition",
                     names.empty() ? "it has no variables" : "it has " + list_of(names));
    }

    Status read_map() {
        Result<MapText> text = MapText{};
        if (r_.form == "set") {
            for (const auto& [name, extent] : r_.extents) text->vars.push_back(name);
            text->results = read_expressions(r_.text);
        } else {
            text = tools::read_map(r_.text);
        }
        if (!text) return text.error();
        analysis::solve::IndexMap& map = out_.map;
        map.facts = out_.names.given;
        for (const std::string& name : text->vars) {
            if (const Status ok = add_variable(name); !ok) return ok;
        }
        for (const auto& [name, extent] : r_.extents) {
            if (std::find(text->vars.begin(), text->vars.end(), name) != text->vars.end()) continue;
            return error("the map has no variable " + name, "it has " + list_of(text->vars));
        }
        for (const std::string& result : text->results) {
            const Result<ir::Expr> e =
                read(result, r_.form == "set" ? "<expression>" : "<map>", map.type());
            if (!e) return e.error();
            map.results.push_back(*e);
        }
        for (const std::string& extent : r_.shape) {
            const Result<ir::Expr> e = read(extent, "<shape>", map.type());
            if (!e) return e.error();
            out_.shape.push_back(*e);
        }
        name_results();
        return Unit{};
    }

    Status add_variable(const std::string& name) {
        const Result<ir::Expr> v = variable(name);
        if (!v) return v.error();
        analysis::solve::IndexMap& map = out_.map;
        if (std::find(map.vars.begin(), map.vars.end(), *v) != map.vars.end()) {
            return error("the variable " + name + " stands twice in the map");
        }
        if (!(*v)->type.is_exact_int()) {
            return error(name + " is " + (*v)->type.str(), "indices are int32 or int64");
        }
        const auto at = std::find_if(r_.extents.begin(), r_.extents.end(),
                                     [&](const auto& e) { return e.first == name; });
        if (at == r_.extents.end()) {
            return error("no extent of " + name, "--extent " + name + "=14, or a size such as n");
        }
        const Result<ir::Expr> extent = read(at->second, "<extent of " + name + ">", (*v)->type);
        if (!extent) return extent.error();
        if (ir::is_int_const(*extent) && (*extent)->int_value() < 0) {
            return error("the extent of " + name + " is negative: " + at->second,
                         "indices go from 0 to the extent, which is not one of them");
        }
        map.vars.push_back(*v);
        map.extents.push_back(*extent);
        return Unit{};
    }

    void name_results() {
        const bool one = r_.form == "set" && out_.map.results.size() == 1;
        for (std::size_t k = 0; k < out_.map.results.size(); ++k) {
            std::string name = r_.form == "set" ? "v" : "p";
            if (!one) name += std::to_string(k);
            while (out_.names.scope.vars.count(name) != 0) name += "_";
            out_.result_names.push_back(name);
        }
    }

    ir::Context& ctx_;
    const SolveRequest& r_;
    SolveQuestion out_;
};

}  // namespace

Status check_solve_request(const SolveRequest& r) {
    const std::vector<std::string> forms = {"bounds", "project", "invert", "set"};
    if (std::find(forms.begin(), forms.end(), r.form) == forms.end()) {
        return error("what to solve is not said", "bounds, project, invert or set");
    }
    if (r.text.empty()) {
        return error("nothing to solve",
                     r.form == "invert" ? "proviso solve invert 'i -> i // 4, i % 4' --extent i=14"
                     : r.form == "set"  ? "proviso solve set 'i * 4 + j' --extent i=n --extent j=2"
                                        : "proviso solve " + r.form + " '2 * x < n' --for x");
    }
    if (!r.has_domain() && r.variable.empty()) return error("the variable is not said", "--for x");
    if (!r.has_domain() && !r.extents.empty()) {
        return error("extents are for invert and set", "--given '0 <= i and i < 4' bounds i");
    }
    if (r.has_domain() && !r.variable.empty()) {
        return error("--for is for bounds and project",
                     "the variables of " + r.form + " are those with an extent");
    }
    if (r.form != "invert" && !r.shape.empty()) return error("a shape is for invert");
    if (r.form == "set" && r.extents.empty()) {
        return error("nothing ranges over anything",
                     "--extent i=14, or a size such as n, for each variable that does");
    }
    for (std::size_t i = 0; i < r.extents.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (r.extents[i].first != r.extents[j].first) continue;
            return error("two extents of " + r.extents[i].first + ": " + r.extents[j].second +
                         " and " + r.extents[i].second);
        }
    }
    return Unit{};
}

Result<SolveQuestion> read_solve_question(ir::Context& ctx, const SolveRequest& request) {
    return QuestionReader(ctx, request).run();
}

}  // namespace proviso::tools
