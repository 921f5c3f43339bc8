// Over-compute: a statement without the guard that it stands under, or with less of it. What the
// rule `drop-guard` (rewrite/derived/) rests on; the new text is proposed by untrusted code.
//
//   before   if c: S                       after   S
//            block with T.where(c)                 block without
//
// Where c is false the source does nothing; so there, everything that S does must go unnoticed.
// Of a conjunction, parts may stay: `if p and q: S` becomes `if p: S`. The extra iterations are
// then those where p holds and q does not, and p is evaluated in all. (Where c is true, each part
// has been evaluated, and is true.) A block's iterators may have other domains, which the extra
// iterations fit in.
// Arguments:
//   "stores": {SITE: {"mode": "same", "writer": WITNESS or a list}
//                  | {"mode": "dead", "writers": [WITNESS, …]}},
//             one entry for each store in S, with sites and witnesses in the rewritten program;
//   "strict": true, where no licence is made use of; "claims": what memory is known to hold, each
//   at a "point" in S of the rewritten program.
// Obligations, under the facts at each statement of S in the rewritten program and `not c`:
//   1. every expression that S evaluates is fault-free, every cell it touches in bounds and
//      accessible, every branch condition, bound and index definite;
//   2. every store is "unreachable": it does not run there; or "same": the value refines what the
//      cell holds, in a cell that the function has written before; or "dead": the cell is
//      overwritten later on every run, and no load sees it before except those of iterations where
//      c is false as well. A writer in S at such an iteration counts only if it is itself "dead";
//   3. in concurrent loops, no access of S at such an iteration meets another iteration's;
// and that a domain only grows: it is a claim, and a wider one claims less.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

struct GuardRemoved {
    ir::Function after;
    ir::Expr guard = nullptr;  // the whole of it, kept parts included
    // Where the guarded statement stands in `after`: one site, or one for each element of a list
    // that was flattened into its surroundings.
    std::vector<ir::Site> scopes;
};

// The function with `now` in the place of the statement at `site`. Fails unless `now` is
//   - of a branch without an else part: its body, or a branch around the same body whose condition
//     is made of parts of the old one;
//   - of a block: the same block, but for a predicate that is made of parts of the old one, and for
//     domains. A new end of one is over variables and constants; where the block has an init,
//     reduce iterators start where they did, for init runs there.
Result<GuardRemoved> without_guard(ir::Context& ctx, const ir::Function& before,
                                   const ir::Site& site, ir::Stmt now);

// That `now`, the block as it becomes, has no smaller domains than `old`, as obligations.
void domains_only_grow(ir::Context& ctx, const ir::Block& old, const ir::Block& now,
                       const std::vector<ir::Expr>& facts, std::vector<analysis::Obligation>& out);

// The step that puts `now` in the place of the statement at `site`.
Result<Proposal> overcompute(ir::Context& ctx, const ir::Function& before, const ir::Site& site,
                             ir::Stmt now, const nlohmann::json& args);

}  // namespace proviso::rewrite
