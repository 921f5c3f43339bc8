#include "tools/support/source_place.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/layout/layout.h"
#include "ir/children.h"
#include "ir/site.h"
#include "ir/text.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/lexer.h"
#include "tools/support/support.h"

namespace proviso::tools {

using namespace ir;
using python::Token;
using python::TokenKind;

namespace {

// The words of one function, from its `def` to the next; empty where the file has none of that
// name, or several.
std::vector<Token> words_of(const python::Source& source, const std::string& name) {
    const Result<std::vector<Token>> all = guarded([&] { return python::tokenize(source, true); });
    if (!all) return {};
    std::vector<Token> out;
    bool inside = false;
    int found = 0;
    for (std::size_t i = 0; i + 1 < all->size(); ++i) {
        if ((*all)[i].is_word("def")) {
            inside = (*all)[i + 1].is_word(name);
            found += inside ? 1 : 0;
        }
        if (inside) out.push_back((*all)[i]);
    }
    return found == 1 ? out : std::vector<Token>{};
}

// The same message at a place.
Diagnostic at(const python::Source& source, python::Position where, Diagnostic d) {
    Diagnostic out = source.at(where, std::move(d.message), std::move(d.hint));
    out.notes = std::move(d.notes);
    return out;
}

}  // namespace

std::string source_text(const std::string& path) {
    if (path == "-") return {};
    Result<std::string> text = read_file(path);
    return text ? *std::move(text) : std::string();
}

Diagnostic placed_in_layout(Diagnostic d, const std::string& text, const std::string& path,
                            const Function& f) {
    const std::string wrong = std::exchange(d.source_line, "");  // the text in the attribute
    const int column = std::exchange(d.column, 0);
    d.file.clear();
    d.line = 0;
    const python::Source source(text, path);
    const std::vector<Token> words = words_of(source, f.name);
    auto start = words.begin();
    const auto find = [&](const std::string& value) {
        return std::find_if(start, words.end(), [&](const Token& t) {
            return t.kind == TokenKind::String && t.text == value;
        });
    };
    start = find(analysis::kLayoutAttr);
    if (start == words.end()) return d;
    for (Buffer b : f.buffer_params()) {
        if (d.message.find(", " + b->name + ": ") == std::string::npos) continue;
        const auto name = find(b->name);
        if (name != words.end()) start = name;
    }
    const auto piece = wrong.empty() ? words.end() : find(wrong);
    python::Position where = piece == words.end() ? start->at : piece->at;
    if (piece != words.end()) where.column += std::max(column, 0);  // after the quote
    return at(source, where, std::move(d));
}

Diagnostic placed_at_assumption(Diagnostic d, const std::string& text, const std::string& path,
                                const Function& f) {
    std::vector<std::string> conditions;
    for (const auto& [site, stmt] : all_statements(f)) {
        if (const Assume* n = stmt->as<Assume>()) conditions.push_back(print(n->cond));
    }
    const python::Source source(text, path);
    const std::vector<Token> words = words_of(source, f.name);
    std::vector<python::Position> places;
    for (std::size_t i = 2; i + 1 < words.size(); ++i) {
        const bool call = words[i].is_word("assume") && words[i + 1].is("(");
        if (call && words[i - 1].is(".")) places.push_back(words[i - 2].at);
    }
    // As many in the program as in the text: no macro and no helper states some of them.
    if (d.line > 0 || places.size() != conditions.size()) return d;
    std::optional<std::size_t> named;
    for (std::size_t k = 0; k < conditions.size(); ++k) {
        if (d.message.find(": " + conditions[k]) == std::string::npos) continue;
        if (named) return d;
        named = k;
    }
    if (!named && conditions.size() == 1) named = 0;
    return named ? at(source, places[*named], std::move(d)) : d;
}

Diagnostic placed_at_construct(Diagnostic d, const std::string& text, const std::string& path,
                               const Function& f) {
    if (d.line > 0) return d;
    const python::Source source(text, path);
    const std::vector<Token> words = words_of(source, f.name);
    const auto strings = [&](const std::string& value) {
        std::vector<python::Position> out;
        for (const Token& t : words) {
            if (t.kind == TokenKind::String && t.text == value) out.push_back(t.at);
        }
        return out;
    };
    std::map<std::string, std::vector<std::string>> bound;  // variables of loops, by thread index
    std::set<std::string> allocated;
    std::set<std::string> called;
    std::string caller;  // the last block that the message names
    for_each_stmt(f.body, [&](Stmt s) {
        const Block* block = s->as<Block>();
        if (block != nullptr &&
            d.message.find("in block \"" + block->name + "\",") != d.message.npos)
            caller = block->name;
        const For* loop = s->as<For>();
        if (const Allocate* n = s->as<Allocate>()) allocated.insert(n->buffer->name);
        if (loop != nullptr) bound[loop->thread_tag].push_back(*loop->var->name);
    });
    for_each_expr(f.body, [&](Expr e) {
        for_each_node(e, [&](Expr n) {
            if (n->op == Op::CallExtern) called.insert(*n->name);
        });
    });
    if (!caller.empty() && d.message.rfind("the external function \"", 0) == 0) {
        const std::vector<python::Position> places = strings(caller);
        return places.size() == 1 ? at(source, places[0], std::move(d)) : d;
    }
    for (const auto& [tag, vars] : bound) {
        const std::vector<python::Position> places = strings(tag);
        for (std::size_t k = 0; k < vars.size(); ++k) {
            const std::string loop = "loop over " + vars[k] + " is bound to " + tag + ",";
            if (d.message.rfind(loop, 0) != 0) continue;
            if (places.size() == vars.size()) return at(source, places[k], std::move(d));
            // One name for several launches.
            return places.size() == 1 ? at(source, places[0], std::move(d)) : d;
        }
    }
    for (const std::string& name : allocated) {
        if (d.message.rfind("the shared buffer " + name + " is allocated", 0) != 0) continue;
        std::vector<python::Position> places;
        for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            if (words[i].is_word(name) && words[i + 1].is("=")) places.push_back(words[i].at);
        }
        return places.size() == 1 ? at(source, places[0], std::move(d)) : d;
    }
    for (const std::string& name : called) {
        const std::vector<python::Position> places = strings(name);
        if (d.message.rfind("opaque call of \"" + name + "\",", 0) != 0) continue;
        return places.empty() ? d : at(source, places[0], std::move(d));
    }
    return d;
}

}  // namespace proviso::tools
