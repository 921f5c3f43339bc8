#include "tools/program.h"

#include <algorithm>
#include <cstdio>

#include "analysis/layout/layout_check.h"
#include "ir/buffer_scope.h"
#include "ir/text/keywords.h"
#include "ir/text/reader/graph/graph_function.h"
#include "ir/text/spelling.h"
#include "ir/text/te/te.h"
#include "tools/support/source_place.h"
#include "tools/support/support.h"

namespace proviso::tools {

using namespace ir;

namespace {

// TVMScript, or tensor expressions, whose schedule goes to `schedule`.
Result<ProgramFile> parse_any(Context& ctx, const std::string& text, const std::string& path,
                              te::Script* schedule) {
    if (!te::is_te(text)) return parse_program(ctx, text, path);
    const Result<te::TePrograms> te = te::read_te(text, path, "main");
    if (!te) return te.error();
    Result<ProgramFile> file = parse_program(ctx, te->function.text, path);
    if (!file) return te->function.placed(file.error(), text, path);
    if (schedule != nullptr) {
        *schedule = te->schedule;
    } else if (!te->schedule.text.empty()) {
        Diagnostic no =
            error("the file schedules its tensor expressions, which `bounds` alone follows",
                  "write the schedule in a file of its own: --schedule FILE");
        no.line = 1;
        return te->schedule.placed(no, text, path);
    }
    return file;
}

}  // namespace

Result<Function> load_function(Context& ctx, const std::string& path, const std::string& name,
                               te::Script* schedule) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    return function_of_text(ctx, *text, path, name, schedule);
}

Result<Function> function_of_text(Context& ctx, const std::string& text, const std::string& path,
                                  const std::string& name, te::Script* schedule) {
    const Result<ProgramFile> file = parse_any(ctx, text, path, schedule);
    if (!file) return file.error();
    const std::vector<Function>& functions = file->module.functions;
    std::string names;
    for (const Function& f : functions) names += (names.empty() ? "" : ", ") + f.name;
    for (const OpaqueFunction& f : file->opaque) {
        const bool alone = functions.empty() && file->opaque.size() == 1;
        if (name == f.name || (name.empty() && alone)) return refusal(f);
        names += (names.empty() ? "" : ", ") + f.name;
    }
    if (names.empty()) return error(path + " holds no function");
    std::string wanted = name;
    if (name.empty() && functions.size() + file->opaque.size() > 1) {
        // The graph of the file, where it has one.
        const std::vector<std::string> graphs = graph_functions(text);
        if (graphs.size() != 1) {
            return error(path + " holds several functions", "name one with --function: " + names);
        }
        wanted = graphs[0];
        for (const OpaqueFunction& f : file->opaque) {
            if (f.name == wanted) return refusal(f);
        }
    }
    const Function* found = wanted.empty() ? &functions.front() : file->module.find(wanted);
    if (found == nullptr)
        return error(path + " has no function '" + name + "'", "there are: " + names);
    if (const Status layouts = analysis::check_layouts(ctx, *found); !layouts)
        return placed_in_layout(layouts.error(), text, path, *found);
    return *found;
}

std::vector<std::string> scope_notes(const Function& f) {
    std::vector<std::pair<std::string, std::vector<std::string>>>
        found;  // scopes and their buffers
    const auto look_at = [&](Buffer b) {
        const bool known = b->scope == "global" || b->scope == "local" || is_shared_scope(b->scope);
        if (known) return;
        auto row = std::find_if(found.begin(), found.end(),
                                [&](const auto& other) { return other.first == b->scope; });
        if (row == found.end()) row = found.insert(row, {b->scope, {}});
        row->second.push_back(b->name);
    };
    for (Buffer b : f.buffer_params()) look_at(b);
    for_each_stmt(f.body, [&](Stmt s) {
        if (const auto* allocation = s->as<Allocate>()) look_at(allocation->buffer);
    });
    std::vector<std::string> out;
    for (const auto& [scope, buffers] : found) {
        const std::size_t more = buffers.size() - 1;
        out.push_back("scope \"" + scope + "\" has no meaning of its own here: `" + buffers[0] +
                      "`" + (more == 0 ? "" : " and " + std::to_string(more) + " more") + " of `" +
                      f.name + "` " + (more == 0 ? "is" : "are") + " memory like any other");
    }
    return out;
}

void print_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) std::fprintf(stderr, "note: %s\n", note.c_str());
}

Result<std::pair<std::string, std::string>> key_value(const std::string& argument) {
    const std::size_t eq = argument.find('=');
    if (eq == std::string::npos || eq == 0) {
        return error("'" + argument + "' is not NAME=VALUE",
                     "the name of a parameter, `=`, and what it gets");
    }
    return std::pair{argument.substr(0, eq), argument.substr(eq + 1)};
}

std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    return out.empty() ? "there is none" : "there are: " + out;
}

Diagnostic given_twice(const std::string& option, const std::string& name) {
    return error("'" + name + "' is given twice", "one " + option + " " + name + "=… alone");
}

Result<Substitution> scalar_arguments(Context& ctx, const Function& f,
                                      const std::vector<std::string>& arguments) {
    std::map<std::string, Expr> known;
    for (Expr v : f.scalar_params()) known[*v->name] = v;
    for (Buffer b : f.buffer_params()) {
        for (Expr extent : b->shape) {
            for (Expr v : free_vars(extent)) known[*v->name] = v;
        }
    }
    Substitution out;
    for (const std::string& argument : arguments) {
        const auto pair = key_value(argument);
        if (!pair) return pair.error();
        const auto found = known.find(pair->first);
        if (found == known.end()) {
            std::vector<std::string> names;
            for (const auto& [name, v] : known) names.push_back(name);
            return error("no scalar parameter '" + pair->first + "'",
                         suggest(pair->first, names, listed(names)));
        }
        if (out.count(found->second) != 0) return given_twice("--set", pair->first);
        const Result<Expr> value = parse_expr(ctx, pair->second, {}, found->second->type, "--set");
        if (!value) return value.error();
        if (!is_const(*value)) return error("'" + pair->second + "' is not a constant");
        out[found->second] = *value;
    }
    return out;
}

Status declare(Context& ctx, const std::string& name, const std::string& type, Scope& scope,
               Function& f) {
    const std::size_t bracket = type.find('[');
    const std::string scalar = type.substr(0, bracket);
    const auto parsed = ScalarType::parse(scalar.empty() ? "int32" : scalar);
    if (!parsed) {
        std::vector<std::string> names;
        for (const ScalarType& t : all_scalar_types()) names.push_back(t.str());
        return error("the type of '" + name + "': there is no '" + scalar + "'",
                     suggest(scalar, names, "int32, int64, uint8, bool, float32, …"));
    }
    if (python::is_keyword(name)) return error("'" + name + "' is a keyword, not a name");
    if (scope.vars.count(name) + scope.buffers.count(name) != 0) {
        return error("'" + name + "' is declared twice");
    }
    // A name must read back as a name.
    const Result<Expr> back = parse_expr(ctx, name, Scope{{{name, ctx.var(name, *parsed)}}, {}});
    if (!back || (*back)->op != Op::Var) {
        return error("'" + name + "' is not a name", "letters, digits and _, such as NAME:int32");
    }
    if (bracket == std::string::npos) {
        Expr v = ctx.var(name, *parsed);
        scope.vars[name] = v;
        f.params.emplace_back(v);
        return Unit{};
    }
    if (type.back() != ']')
        return error("'" + type + "' is not a type", "float32[4, 8] is a buffer");
    std::vector<Expr> shape;
    std::string rest = type.substr(bracket + 1, type.size() - bracket - 2);
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const Result<Expr> extent = parse_expr(ctx, rest.substr(0, comma), scope, kInt32, "--var");
        if (!extent) return extent.error();
        if (!(*extent)->type.is_exact_int()) {
            return error("an extent of '" + name + "' is " + (*extent)->type.str(),
                         "extents are int32 or int64");
        }
        if (is_int_const(*extent) && (*extent)->int_value() < 0) {
            return error("an extent of '" + name + "' is negative: " + print(*extent),
                         "extents are 0 or more");
        }
        shape.push_back(*extent);
        rest = comma < rest.size() ? rest.substr(comma + 1) : "";
    }
    Buffer b = ctx.buffer(name, *parsed, shape);
    scope.buffers[name] = b;
    f.params.emplace_back(b);
    return Unit{};
}

}  // namespace proviso::tools
