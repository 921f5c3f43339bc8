#include "tools/lsp/program_view.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "ir/site.h"
#include "ir/text.h"
#include "ir/text/reader/python/tree_printer.h"
#include "ir/text/te/te.h"
#include "rewrite/passes/proposer.h"
#include "tools/lsp/known_values.h"
#include "tools/lsp/tree.h"
#include "tools/program.h"

namespace proviso::tools::lsp {

using namespace ir::python;
using nlohmann::json;

namespace {

constexpr const char* kMarker = "proviso_hover";
constexpr std::size_t kPlacesTried = 16;

// Kinds of symbols of the protocol.
constexpr int kFunctionSymbol = 12;
constexpr int kBlockSymbol = 8;  // a field: parts of a function have no kind of their own

bool is_block(const Statement& s) {
    if (!s.is(StatementKind::With) || !s.value.is(NodeKind::Call)) return false;
    const std::string called = s.value.items.front().dotted();
    return called.ends_with(".block") || called.ends_with(".sblock");
}
std::string name_of_block(const Statement& s) {
    if (!is_block(s) || s.value.items.size() < 2) return {};
    const Node& name = s.value.items[1];
    return name.is(NodeKind::String) ? name.text : std::string();
}

// The text with `T.evaluate(e)` in a block of its own before that statement.
std::string with_marker(const Document& d, const Statement& before, const std::string& e) {
    std::size_t at = 0;
    for (int line = 1; line < before.at.line; ++line) at = d.text.find('\n', at) + 1;
    const std::string indent(static_cast<std::size_t>(before.at.column - 1), ' ');
    return d.text.substr(0, at) + indent + "with T.block(\"" + kMarker + "\"):\n" + indent +
           "    T.evaluate(" + e + ")\n" + d.text.substr(at);
}

// An expression in a program that evaluates it, and nothing else, somewhere.
struct Marked {
    const ir::Function* function;
    ir::Site site;
    ir::Expr expr;
};

std::optional<Marked> marked_in(const ir::Module& module, const std::string& function) {
    const ir::Function* const f = module.find(function);
    if (f == nullptr) return std::nullopt;
    const std::optional<ir::Site> block = rewrite::find_block(*f, kMarker);
    if (!block) return std::nullopt;
    for (const auto& [site, s] : ir::all_statements(*f)) {
        const auto* evaluated = s->as<ir::Evaluate>();
        if (evaluated == nullptr || !block->contains(site)) continue;
        return Marked{f, site, evaluated->value};
    }
    return std::nullopt;
}

// Where a target binds that name: itself, or one of several. (An indexed one binds nothing.)
std::optional<Position> bound_in(const Node& target, const std::string& name) {
    if (target.is(NodeKind::Name) && target.text == name) return target.at;
    if (!target.is(NodeKind::Tuple) && !target.is(NodeKind::List)) return std::nullopt;
    for (const Node& item : target.items) {
        if (const auto place = bound_in(item, name)) return place;
    }
    return std::nullopt;
}

// The statements before which an expression of the innermost one could stand: itself, or what
// follows, for names that it binds.
std::vector<const Statement*> places_of(const Surrounding& in, const Node& e) {
    const Statement& s = *in.statement;
    const bool bound_here = e.is(NodeKind::Name) && bound_in(s.target, e.text) == e.at;
    std::vector<const Statement*> out;
    const bool opens = s.is(StatementKind::For) || s.is(StatementKind::Function) ||
                       (s.is(StatementKind::With) && bound_here);
    if (opens && (bound_here || s.is(StatementKind::Function))) {
        for (const Statement& inner : s.body) out.push_back(&inner);
    } else {
        for (std::size_t i = in.index + (bound_here ? 1 : 0); i < in.list->size(); ++i) {
            out.push_back(&(*in.list)[i]);
        }
    }
    if (out.size() > kPlacesTried) out.resize(kPlacesTried);
    return out;
}

std::string function_around(const std::vector<Surrounding>& around) {
    for (const Surrounding& s : around) {
        if (s.statement->is(StatementKind::Function)) return s.statement->text;
    }
    return {};
}

std::string buffer_text(ir::Buffer b, const std::string& what) {
    std::string shape;
    for (const ir::Expr extent : b->shape) shape += (shape.empty() ? "" : ", ") + ir::print(extent);
    if (b->shape.size() == 1) shape += ",";
    return b->name + ": T.Buffer((" + shape + "), \"" + b->type.str() + "\")" +
           (b->scope == "global" ? "" : "  # scope " + b->scope) + "  # " + what;
}

// A buffer of the function, as its declaration; empty: there is none.
std::string declared_buffer(const ir::Function& f, const std::string& name) {
    if (const ir::Buffer b = f.find_buffer_param(name)) return buffer_text(b, "parameter");
    for (const auto& [site, s] : ir::all_statements(f)) {
        const auto* allocated = s->as<ir::Allocate>();
        if (allocated != nullptr && allocated->buffer->name == name) {
            return buffer_text(allocated->buffer, "allocated here");
        }
    }
    return {};
}

json markdown(const std::string& code, const std::vector<std::string>& sentences) {
    std::string text = "```python\n" + code + "\n```";
    for (const std::string& sentence : sentences) text += "\n\n" + sentence;
    return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
}

// The last line of a statement with all that stands in it.
int last_line(const Statement& s) {
    int last = s.at.line;
    for (const auto* list : {&s.body, &s.otherwise}) {
        if (!list->empty()) last = std::max(last, last_line(list->back()));
    }
    return last;
}

json place_json(const Lines& lines, Position at, int length, const std::string& path) {
    return {{"uri", uri_of_path(path)}, {"range", lines.range(at, length)}};
}

}  // namespace

json told(const Diagnostic& d, const std::string& path, const Lines& lines, int fallback,
          int severity) {
    const bool here = d.line > 0 && d.file == path;
    std::string message;
    if (!here && d.line > 0) {
        message = d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": ";
    }
    message += d.message;
    for (const std::string& note : d.notes) message += "\n" + note;
    if (!d.hint.empty()) message += "\nhint: " + d.hint;
    const Position at = here ? Position{d.line, std::max(1, d.column)} : Position{fallback, 1};
    const int length = here ? lines.word_length(at) : static_cast<int>(lines.line(fallback).size());
    return {{"range", lines.range(at, length)},
            {"severity", severity},
            {"source", "proviso"},
            {"message", message}};
}

json program_diagnostics(const Document& d) {
    const Lines lines(d.text);
    json out = json::array();
    ir::Context ctx;
    if (ir::te::is_te(d.text)) {
        ir::te::Script schedule;
        const auto f = function_of_text(ctx, d.text, d.path, "", &schedule);
        if (!f) out.push_back(told(f.error(), d.path, lines, 1, 1));
        return out;
    }
    const Result<ir::ProgramFile> program = ir::parse_program(ctx, d.text, d.path);
    if (!program) {
        out.push_back(told(program.error(), d.path, lines, 1, 1));
        return out;
    }
    for (const ir::OpaqueFunction& f : program->opaque) {
        Diagnostic why = f.reason;
        why.message = "`" + f.name + "` is kept, and has no meaning here: " + why.message;
        out.push_back(told(why, d.path, lines, 1, 3));
    }
    for (const ir::Function& f : program->module.functions) {
        for (const std::string& note : scope_notes(f)) {
            out.push_back(told(error(note), d.path, lines, 1, 3));
        }
    }
    return out;
}

json program_hover(const Document& d, Position at) {
    const Result<Module> tree = parse_python(d.text, d.path);
    if (!tree) return nullptr;
    const std::vector<Surrounding> around = statements_around(tree->body, at);
    const std::string function = function_around(around);
    if (function.empty()) return nullptr;
    const Node* const e = expression_at(*around.back().statement, at);
    if (e == nullptr || e->is(NodeKind::Int) || e->is(NodeKind::Float)) return nullptr;
    const Lines lines(d.text);
    if (e->is(NodeKind::Name)) {
        ir::Context ctx;
        const Result<ir::ProgramFile> program = ir::parse_program(ctx, d.text, d.path);
        const ir::Function* const f = program ? program->module.find(function) : nullptr;
        const std::string buffer = f == nullptr ? std::string() : declared_buffer(*f, e->text);
        if (!buffer.empty()) {
            json out = markdown(buffer, {});
            out["range"] = lines.range(e->at, static_cast<int>(e->text.size()));
            return out;
        }
    }
    const std::string text = print(*e);
    for (const Statement* place : places_of(around.back(), *e)) {
        ir::Context ctx;
        const Result<ir::ProgramFile> program =
            ir::parse_program(ctx, with_marker(d, *place, text), d.path);
        if (!program) continue;
        const std::optional<Marked> marked = marked_in(program->module, function);
        if (!marked) continue;
        const std::vector<ir::Expr> facts =
            analysis::facts_at(ctx, *marked->function, marked->site);
        return markdown(text + ": T." + marked->expr->type.str(),
                        known_values(ctx, facts, marked->expr, marked->function->scalar_params()));
    }
    return nullptr;
}

json program_definition(const Document& d, Position at) {
    const Result<Module> tree = parse_python(d.text, d.path);
    if (!tree) return nullptr;
    const std::vector<Surrounding> around = statements_around(tree->body, at);
    if (around.empty()) return nullptr;
    const Node* const e = expression_at(*around.back().statement, at);
    if (e == nullptr || !e->is(NodeKind::Name)) return nullptr;
    const Lines lines(d.text);
    const int length = static_cast<int>(e->text.size());
    // The binder is the nearest before it: in its list, in those around, or a parameter.
    for (auto s = around.rbegin(); s != around.rend(); ++s) {
        const Statement& own = *s->statement;
        if (const auto place = bound_in(own.target, e->text))
            return place_json(lines, *place, length, d.path);
        for (std::size_t i = s->index; i-- > 0;) {
            const Statement& earlier = (*s->list)[i];
            if (earlier.is(StatementKind::For)) continue;
            if (const auto place = bound_in(earlier.target, e->text)) {
                return place_json(lines, *place, length, d.path);
            }
        }
        for (const Parameter& p : own.parameters) {
            if (p.name == e->text) return place_json(lines, p.at, length, d.path);
        }
    }
    return nullptr;
}

json program_symbols(const Document& d) {
    const Result<Module> tree = parse_python(d.text, d.path);
    json out = json::array();
    if (!tree) return out;
    const Lines lines(d.text);
    const auto symbol = [&](const std::string& name, int kind, const Statement& s) {
        const int last = last_line(s);
        const int width = static_cast<int>(lines.line(last).size());
        const json whole = {{"start", lines.encoded(s.at)},
                            {"end", lines.encoded({last, width + 1})}};
        return json{{"name", name},
                    {"kind", kind},
                    {"range", whole},
                    {"selectionRange", lines.range(s.at, lines.word_length(s.at))},
                    {"children", json::array()}};
    };
    for_each_statement(tree->body, [&](const Statement& s) {
        if (!s.is(StatementKind::Function)) return;
        json function = symbol(s.text, kFunctionSymbol, s);
        for_each_statement(s.body, [&](const Statement& inner) {
            const std::string block = name_of_block(inner);
            if (block.empty()) return;
            function["children"].push_back(symbol(block, kBlockSymbol, inner));
        });
        out.push_back(std::move(function));
    });
    return out;
}

json program_format(const Document& d) {
    json out = json::array();
    ir::Context ctx;
    if (ir::te::is_te(d.text)) return out;
    const Result<ir::ProgramFile> program = ir::parse_program(ctx, d.text, d.path);
    if (!program || program->canonical == d.text) return out;
    const Lines lines(d.text);
    const int last = static_cast<int>(lines.size());
    out.push_back(
        {{"range",
          {{"start", lines.encoded({1, 1})},
           {"end", lines.encoded({last, static_cast<int>(lines.line(last).size()) + 1})}}},
         {"newText", program->canonical}});
    return out;
}

std::optional<Position> place_of_block(const Module& program, const std::string& name) {
    std::optional<Position> out;
    for_each_statement(program.body, [&](const Statement& s) {
        if (!out && !name.empty() && name_of_block(s) == name) out = s.value.items[1].at;
    });
    return out;
}

std::optional<Position> place_of_loop(const Module& program, const std::string& name) {
    std::optional<Position> out;
    for_each_statement(program.body, [&](const Statement& s) {
        if (!out && s.is(StatementKind::For)) out = bound_in(s.target, name);
    });
    return out;
}

}  // namespace proviso::tools::lsp
