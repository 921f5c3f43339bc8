// What several statement rules need: obligations for evaluating expressions, and small program
// queries.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/memory/claims.h"
#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

// e' may stand for e wherever `facts` hold: it faults only where e does, is definite where e is,
// and then is the same value bit for bit; with `either_zero`, or both are zeros. (Refinement of
// values and faults: docs/semantics.md, "undef, indet, assume".)
std::vector<analysis::Obligation> replacement_obligations(ir::Context& ctx, const ir::Function& f,
                                                          const std::vector<ir::Expr>& facts,
                                                          ir::Expr before, ir::Expr after,
                                                          bool either_zero = false);

// The statement at `site` of `f` evaluates `e` without a fault, though the source program did not
// evaluate it there: no_fault, and every cell it loads may be touched.
analysis::Obligation safe_to_evaluate(ir::Context& ctx, const ir::Function& f,
                                      const std::vector<ir::Expr>& facts, ir::Expr e,
                                      analysis::Purpose what);

// Cells that `e` loads are accessible under the layout contract: a formula.
ir::Expr loads_accessible(ir::Context& ctx, const ir::Function& f, ir::Expr e);

// `e` may be evaluated again while `body` runs, and again, and is the same: it reads nothing that
// `body` stores, calls nothing, and freezes nothing. `what` names it in the refusal.
Status stays_the_same(ir::Expr e, ir::Stmt body, const std::string& what);

// `e` makes an opaque call, whose number must not change.
bool makes_call(ir::Expr e);

// e over variables and constants: no memory, calls, lets or undefined values. It is the same
// whenever and however often it is evaluated.
bool is_plain(ir::Expr e);

// Adds to `out` that the goal is owed where the facts hold, as far as it is not among them.
void owe(ir::Context& ctx, std::vector<analysis::Obligation>& out, analysis::Purpose purpose,
         std::vector<ir::Expr> facts, ir::Expr goal);

// The loads that evaluating `e` makes, each with the condition under which it is made (lets
// replaced by their values).
struct LoadMade {
    ir::Expr load;
    ir::Expr when;
};
std::vector<LoadMade> loads_made(ir::Context& ctx, ir::Expr e);

// The function without what the blocks around `site` (and, where `inside`, the blocks in it) claim
// of the regions that they read and write: a step that adds accesses must not break a claim, and
// to claim nothing is always right.
ir::Function without_region_claims(ir::Context& ctx, const ir::Function& f, const ir::Site& site,
                                   bool inside);

// The site lies in parallel, vectorized or thread-bound loops, and the outermost of them, with all
// in it, stores to the buffer: other iterations may do so at the same time. (What stands outside of
// that loop comes before all of them, or after.)
bool stored_beside(const ir::Function& f, const ir::Site& site, ir::Buffer buffer);

// What is known of a loop's bound because the loop ran: it was computed without a fault, and is
// definite and in range.
ir::Expr evaluated_bound(ir::Context& ctx, ir::Expr bound);

// lo <= v and v < hi, for each loop variable.
std::vector<ir::Expr> range_facts(ir::Context& ctx, ir::Expr v, ir::Expr lo, ir::Expr hi);

ir::Expr zero_of(ir::Context& ctx, ir::ScalarType type);

void append(std::vector<ir::Expr>& out, const std::vector<ir::Expr>& more);
void append(std::vector<analysis::Obligation>& out, std::vector<analysis::Obligation> more);

// The statement with `buffer` replaced in every load (`loads`), store and allocation (`stores`) by
// `target`, with each access's indices mapped by `map`. Blocks that speak of the buffer in a region
// claim no regions any more.
ir::Stmt replace_buffer_in(ir::Context& ctx, ir::Stmt s, ir::Buffer buffer, ir::Buffer target,
                           const std::function<std::vector<ir::Expr>(std::vector<ir::Expr>)>& map,
                           bool loads, bool stores);

// Nested serial loops over [lo, hi) ranges around a body.
struct LoopRange {
    ir::Expr var;
    ir::Expr lo;
    ir::Expr hi;
};
ir::Stmt nest(ir::Context& ctx, const std::vector<LoopRange>& loops, ir::Stmt body);

}  // namespace proviso::rewrite
