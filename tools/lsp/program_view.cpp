#include "tools/lsp/program_view.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "ir/site.h"
#include "ir/text.h"
#include "ir/text/reader/python/tree_printer.h"
#include "ir/text/te/te.h"
#include "tools/lsp/known_values.h"
#include "tools/lsp/marker.h"
#include "tools/lsp/tree.h"
#include "tools/program.h"

namespace proviso::tools::lsp {

using namespace ir::python;
using nlohmann::json;

namespace {

// What the name of a block begins with that marks a place.
constexpr std::string_view kMarker = "proviso_hover";

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

// A name for a block that nothing in the text is called.
std::string marker_for(const std::string& text) {
    std::string out(kMarker);
    while (text.find(out) != std::string::npos) out += '_';
    return out;
}

// An expression in a program that evaluates it, and nothing else, somewhere.
struct Marked {
    const ir::Function* function;
    ir::Site site;
    ir::Expr expr;
};

// All of them: a function of Python's that is expanded has one for each of its calls.
std::vector<Marked> marked_in(const ir::Module& module, const std::string& function,
                              const std::string& marker) {
    const ir::Function* const f = module.find(function);
    std::vector<Marked> out;
    if (f == nullptr) return out;
    for (const auto& [site, s] : ir::all_statements(*f)) {
        const auto* block = s->as<ir::Block>();
        if (block == nullptr || !block->name.starts_with(marker)) continue;
        for (const auto& [inner, evaluated] : ir::all_statements(*f)) {
            const auto* value = evaluated->as<ir::Evaluate>();
            if (value != nullptr && site.contains(inner)) {
                out.push_back({f, inner, value->value});
            }
        }
    }
    return out;
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

// What a block says of itself before its body: its iterators, predicate and regions.
bool is_of_block_head(const Statement& s) {
    if (!s.value.is(NodeKind::Call)) return false;
    const std::string called = s.value.items.front().dotted();
    const std::size_t dot = called.find('.');
    const std::string name = dot == std::string::npos ? called : called.substr(dot + 1);
    return name.starts_with("axis.") || name == "where" || name == "reads" || name == "writes" ||
           name.ends_with("block_attr");
}

// The statement before which the expression of the innermost one means the same; none: there is no
// such. A name is known after the statement that binds it; what stands in a block's head is
// evaluated in front of the block.
std::optional<StatementPlace> place_of(const std::vector<Surrounding>& around, const Node& e) {
    const Surrounding& in = around.back();
    const Statement& s = *in.statement;
    const bool bound_here = e.is(NodeKind::Name) && bound_in(s.target, e.text) == e.at;
    if (!bound_here) {
        if (!is_of_block_head(s)) return StatementPlace{in.list, in.index};
        if (around.size() < 2) return std::nullopt;
        const Surrounding& block = around[around.size() - 2];
        if (!is_block(*block.statement)) return std::nullopt;
        return StatementPlace{block.list, block.index};
    }
    const bool opens = s.is(StatementKind::For) || s.is(StatementKind::With);
    const std::vector<Statement>& list = opens ? s.body : *in.list;
    for (std::size_t i = opens ? 0 : in.index + 1; i < list.size(); ++i) {
        if (!is_of_block_head(list[i])) return StatementPlace{&list, i};
    }
    return std::nullopt;
}

std::string function_around(const std::vector<Surrounding>& around) {
    for (const Surrounding& s : around) {
        if (s.statement->is(StatementKind::Function)) return s.statement->text;
    }
    return {};
}

// Where a name is bound, and how.
struct Binder {
    Position at;
    std::string text;
};

std::string text_of_line(const Document& d, int line) {
    std::string_view text = Lines(d.text).line(line);
    while (text.starts_with(' ')) text.remove_prefix(1);
    return std::string(text);
}

// The nearest before the place: in the list of the innermost statement, in those around, or a
// parameter.
std::optional<Binder> binder_of(const Document& d, const std::vector<Surrounding>& around,
                                const Node& e) {
    for (auto s = around.rbegin(); s != around.rend(); ++s) {
        const Statement& own = *s->statement;
        // The innermost statement binds for what comes after it, and for what stands in it.
        const auto here = bound_in(own.target, e.text);
        if (here && (s != around.rbegin() || here == e.at)) {
            return Binder{*here, text_of_line(d, own.at.line)};
        }
        for (std::size_t i = s->index; i-- > 0;) {
            const Statement& earlier = (*s->list)[i];
            if (earlier.is(StatementKind::For)) continue;
            if (const auto place = bound_in(earlier.target, e.text)) {
                return Binder{*place, text_of_line(d, earlier.at.line)};
            }
        }
        for (const Parameter& p : own.parameters) {
            if (p.name == e.text) {
                return Binder{p.at, p.annotation ? p.name + ": " + print(p.annotation) : p.name};
            }
        }
    }
    return std::nullopt;
}

// What is known at every one of the places, for which the text is the same.
std::vector<std::string> known_at_all(ir::Context& ctx, const std::vector<Marked>& places,
                                      const std::string& text) {
    std::vector<std::string> out;
    for (const Marked& m : places) {
        const std::vector<std::string> known =
            known_values(ctx, analysis::facts_at(ctx, *m.function, m.site), m.expr, text,
                         m.function->scalar_params());
        if (&m == places.data()) {
            out = known;
        } else {
            std::erase_if(out, [&](const std::string& sentence) {
                return std::find(known.begin(), known.end(), sentence) == known.end();
            });
        }
    }
    return out;
}

json markdown(const std::string& code, const std::vector<std::string>& sentences) {
    std::string text = "```python\n" + code + "\n```";
    for (const std::string& sentence : sentences) text += "\n\n" + sentence;
    return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
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
    const std::string text = print(*e);
    const std::string marker = marker_for(d.text);
    const auto place = place_of(around, *e);
    if (const auto asked = place ? with_marker(d.text, *place, text, marker) : std::nullopt) {
        ir::Context ctx;
        const Result<ir::ProgramFile> program = ir::parse_program(ctx, *asked, d.path);
        const std::vector<Marked> marked =
            program ? marked_in(program->module, function, marker) : std::vector<Marked>();
        const bool one_type = std::all_of(marked.begin(), marked.end(), [&](const Marked& m) {
            return m.expr->type == marked[0].expr->type;
        });
        if (!marked.empty() && one_type) {
            return markdown(text + ": T." + marked[0].expr->type.str(),
                            known_at_all(ctx, marked, text));
        }
    }
    if (!e->is(NodeKind::Name)) return nullptr;
    const std::optional<Binder> binder = binder_of(d, around, *e);
    return binder ? markdown(binder->text, {}) : json();
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
    const std::optional<Binder> binder = binder_of(d, around, *e);
    if (!binder) return nullptr;
    return place_json(lines, binder->at, length, d.path);
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
