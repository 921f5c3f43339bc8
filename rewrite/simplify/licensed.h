// Rules that need a licence (docs/semantics.md), found in an expression. The simplifier passes them
// over, since what it finds is equal; whoever asks here takes one change at a time, at the very
// subexpression that the rule is about, and owes what the licence leaves to be shown.
//
//   no_signed_zero   x + 0.0  ->  x          equal, or both are zeros
//   reassociate      (x + 1.0) + 2.0  ->  x + 3.0      the value of x + (1.0 + 2.0), its terms in
//                                            another order
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/expression_rules/rule_book.h"

namespace proviso::rewrite {

struct LicensedChange {
    std::vector<std::size_t> path;  // to the subexpression, argument by argument
    ir::Expr before = nullptr;
    ir::Expr after = nullptr;
    ir::Expr sum = nullptr;  // reassociate: `before` with its terms in the order that was chosen
    std::string rule;
    std::vector<std::pair<std::string, ir::Expr>> bindings;
    std::vector<ir::Expr> conditions;   // the rule's needs, found to hold
    std::vector<std::string> licences;  // that the rule names
};

struct LicensedSearch {
    std::vector<std::string> granted;  // "no_signed_zero", "reassociate"
    // Whether the claim is known to hold at the subexpression.
    std::function<bool(const std::vector<std::size_t>& path, ir::Expr claim)> holds;
    // Whether the change is wanted: false to look on.
    std::function<bool(const LicensedChange&)> take;
};

// The first change that is taken, innermost first. Rules are tried where all their licences are
// granted.
std::optional<LicensedChange> find_licensed(ir::Context& ctx, const RuleBook& book, ir::Expr e,
                                            const LicensedSearch& search);

// `e` with the subexpression at the path replaced.
ir::Expr with_change(ir::Context& ctx, ir::Expr e, const LicensedChange& change);

}  // namespace proviso::rewrite
