#include "tools/log/smt_comments.h"

#include <map>
#include <sstream>

#include "ir/text.h"
#include "tools/support/terminal.h"
#include "verify/log/format.h"

namespace proviso::tools {

namespace {

// One line, whatever the text holds.
std::string comment(const std::string& text) {
    std::string line = visible(text);
    for (char& c : line) {
        if (c == '\n' || c == '\t') c = ' ';
    }
    return "; " + line + "\n";
}

std::string head_of(const std::string& id, const std::string& purpose,
                    const std::vector<std::string>& uses) {
    std::string out = comment("obligation " + id);
    out += comment("purpose: " + purpose);
    for (const std::string& use : uses) out += comment(use);
    return out;
}

std::string type_of(ir::Buffer b) {
    std::string shape;
    for (ir::Expr e : b->shape) shape += (shape.empty() ? "" : ", ") + ir::print(e);
    return b->name + "[" + shape + "]: " + b->type.str();
}

// The symbol that a line declares; "" where it is none.
std::string declared(const std::string& line) {
    const std::string start = "(declare-fun ";
    if (line.rfind(start, 0) != 0) return "";
    return line.substr(start.size(), line.find(' ', start.size()) - start.size());
}

}  // namespace

std::vector<std::string> claim_lines(const analysis::Obligation& o) {
    std::vector<std::string> out;
    for (ir::Expr fact : o.facts) {
        if (!ir::is_true(fact)) out.push_back("given " + ir::print(fact));
    }
    out.push_back("goal  " + ir::print(o.goal));
    return out;
}

std::string commented_smt(ir::Context& ctx, const analysis::Obligation& o,
                          const std::vector<std::string>& uses) {
    const analysis::SmtText smt = analysis::to_smt(ctx, o);
    std::string out = head_of(analysis::obligation_id(smt), o.purpose.words, uses);
    out += comment("kind: " + std::string(analysis::owed_name(o.purpose.kind)) +
                   (o.purpose.site ? ", about " + o.purpose.site->str() : "") +
                   (o.purpose.buffer == nullptr ? "" : ", buffer " + o.purpose.buffer->name));
    out += comment("claims, in the program's notation:");
    for (const std::string& line : claim_lines(o)) out += comment("  " + line);
    out += comment("unsat: the claim holds; what is asserted last is its negation");
    std::map<std::string, std::string> meaning;
    for (const auto& [symbol, var] : smt.variables) {
        meaning[symbol] = *var->name + ": " + var->type.str();
    }
    for (const auto& [symbol, buffer] : smt.buffers) {
        meaning[symbol] = "cells of " + type_of(buffer);
        meaning["D" + symbol.substr(1)] = "whether a cell of " + buffer->name + " is definite";
    }
    std::istringstream in(smt.text);
    for (std::string line; std::getline(in, line);) {
        const auto found = meaning.find(declared(line));
        out += found == meaning.end() ? line + "\n" : line + " " + comment(found->second);
    }
    return out;
}

std::string commented_smt(const std::string& text, const std::string& purpose,
                          const std::vector<std::string>& uses) {
    return head_of(verify::digest(text), purpose, uses) + text;
}

}  // namespace proviso::tools
