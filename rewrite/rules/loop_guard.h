// The guard that a loop with extra iterations puts around its body, and what it owes.
#pragma once

#include <string>
#include <vector>

#include "analysis/obligation.h"
#include "ir/context.h"
#include "ir/result.h"
#include "ir/site.h"

namespace proviso::rewrite {

// `body` under `guard`: "if" puts a branch around it, "leaf" one around what stands in the loops
// that `body` is a nest of, "block" adds it to the predicates of the blocks in it (which must be
// under loops only), "none" leaves it. What the guard is over must not be bound or stored in
// `body`.
Result<ir::Stmt> guarded_body(ir::Context& ctx, ir::Stmt body, ir::Expr guard,
                              const std::string& kind);

// With "block" and "leaf": bounds of loops between the new loop and the guard are evaluated where
// the guard is false, too: without a fault, and, in a concurrent loop, over nothing that the
// function stores to. `body` stands at `site` of `after`.
void bounds_stay_safe(ir::Context& ctx, const ir::Function& after, ir::Stmt body,
                      const ir::Site& site, std::vector<analysis::Obligation>& out);

// With "block" and "leaf": the function without what the blocks around `site` claim to read, where
// a bound of such a loop reads memory: it is read in new iterations as well, and a claim that was
// made of the old ones may not cover that.
ir::Function with_claims_that_hold(ir::Context& ctx, const ir::Function& after, ir::Stmt body,
                                   const ir::Site& site);

}  // namespace proviso::rewrite
