// What guards say about a loop: bounds of its variable, and the points at which a guard changes.
// Guesses for `trim-loop` and `split-range`; the kernel checks them.
#pragma once

#include <optional>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// Bounds that a condition puts on a variable: it is false outside of every [lo, hi).
struct GuardBounds {
    std::vector<ir::Expr> los;
    std::vector<ir::Expr> his;
};

// From the conjuncts of `condition` that are linear in `var`, as expressions over `outer` (the
// variables in scope at the loop) that read no memory.
GuardBounds guard_bounds(ir::Context& ctx, ir::Expr condition, ir::Expr var,
                         const std::set<ir::Expr>& outer);

// Points at which a conjunct or disjunct of `condition` changes between false and true, as the
// variable grows.
std::vector<ir::Expr> turning_points(ir::Context& ctx, ir::Expr condition, ir::Expr var,
                                     const std::set<ir::Expr>& outer);

// The guards under which a loop's body does anything, with their sites; none when it does something
// under no guard. Of guards within guards the innermost one, with all of them as its condition,
// over what is bound outside of the blocks and lets around it.
struct BodyGuard {
    ir::Expr condition;
    ir::Site site;
};
std::optional<std::vector<BodyGuard>> body_guards(ir::Context& ctx, ir::Stmt body,
                                                  const ir::Site& site);

// Every condition of a branch, predicate or lazy expression in a statement, over what is bound
// outside of it: block iterators and lets by their values, variables of inner loops by their first
// and last value, in every combination of a few. So `1 <= i + k`, k in range(3), gives `1 <= i` and
// `1 <= i + 2`, between which it changes.
std::vector<ir::Expr> conditions_in(ir::Context& ctx, ir::Stmt s);

// Variables in scope at a site.
std::set<ir::Expr> variables_at(ir::Context& ctx, const ir::Function& f, const ir::Site& site);

}  // namespace proviso::rewrite
