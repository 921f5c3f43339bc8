// Sites: a path from a function's root to a statement or expression. Stable, printable, parsable.
//
// Printed form: steps joined by "/", starting at the function body: "body/1/body/then/value/a0".
// The first step "body" is the function's body itself; further steps are the labels of children.h
// for statements, and "a0", "a1", .. for the arguments of expressions.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/children.h"
#include "ir/label.h"
#include "ir/result.h"

namespace proviso::ir {

struct Site {
    std::vector<Label> steps;  // without the leading "body"; empty: the function's body

    auto operator<=>(const Site&) const = default;

    std::string str() const;
    static Result<Site> parse(std::string_view text);

    Site child(Label label) const;
    Site parent() const;  // of a non-root site
    // True when `other` is this site or below it.
    bool contains(const Site& other) const;
};

// What a site names.
struct Located {
    Stmt stmt = nullptr;  // set when the site is a statement
    Expr expr = nullptr;  // set when the site is an expression

    // The statement, where the site is one of this kind; else null.
    template <class Node>
    const Node* as() const {
        return stmt == nullptr ? nullptr : stmt->as<Node>();
    }
};
Result<Located> locate(const Function& f, const Site& site);

// The function with the statement / expression at `site` replaced. The site must exist and be of
// that sort. Replacing an element of a Seq by a Seq (or by `pass`) flattens it into the list.
Function replace_at(Context& ctx, const Function& f, const Site& site, Stmt replacement);
Function replace_at(Context& ctx, const Function& f, const Site& site, Expr replacement);

// Every statement with its site, parents first, textual order.
std::vector<std::pair<Site, Stmt>> all_statements(const Function& f);

}  // namespace proviso::ir
