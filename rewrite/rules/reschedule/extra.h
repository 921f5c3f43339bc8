// Statements that run where the source ran nothing: extra instances, which nobody may notice.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "analysis/memory/claims.h"
#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

// In the function of `memory`, the statements at `scopes` run where `guard` is false as well; the
// source ran them where it is true. `reasons` says why that goes unnoticed:
//   "stores": {SITE: {"mode": "same", "writer": WITNESS or a list}
//                  | {"mode": "dead", "writers": [WITNESS, …]}
//                  | {"mode": "unreachable"}}, one entry for each store in the scopes;
//   "strict": true, where no licence is made use of; "claims": what memory is known to hold, each
//   at a "point" in the scopes.
// Owes, under the facts at each statement of the scopes and `not guard`:
//   1. every expression that it evaluates is fault-free, every cell it touches in bounds and
//      accessible, every branch condition, bound and index definite;
//   2. every store is "unreachable": it does not run there; or "same": the value refines what the
//      cell holds, in a cell that the function has written before; or "dead": the cell is
//      overwritten later on every run, and no load sees it before except those of instances where
//      the guard is false as well. A writer in the scopes at such an instance counts only if it is
//      itself "dead";
//   3. in concurrent loops, no access in the scopes at such an instance meets another iteration's.
// Pre: the guard has one value, and the scopes store to nothing that it reads.
Status extra_instances(const analysis::MemoryModel& memory, const std::vector<ir::Site>& scopes,
                       ir::Expr guard, const nlohmann::json& reasons, Proposal& out);

}  // namespace proviso::rewrite
