// A serial loop whose iterations run in any interleaving from now on: in parallel, as lanes, or as
// the blocks or threads of a GPU. What the rules `bind` and `vectorize` (rewrite/derived/) rest on.
//
//   before   for i in range(n): S
//   after    for i in T.parallel(n): S      or T.vectorized(n), or T.thread_binding(n, thread=…)
//
// No loop around or inside is bound to the same axis: one thread is not at two places of it. S has
// no assert (which of several stops first would depend on the order) and makes no opaque call
// (their order is observable). Owes that any two iterations share nothing (race_free.h): they touch
// no common cell that one of them writes. Then every iteration sees the memory that it saw in
// sequence, so it faults only where it did and stores the same values, whatever the interleaving;
// and the new program has no data race. The three kinds mean the same (docs/semantics.md,
// "Statements"), so nothing else is owed for lanes: that they reach neighbouring cells, or read
// before any of them stores, is no part of the meaning. Several such loops inside each other owe
// this one by one: two threads of a grid differ in some axis, and what the outermost such loop owes
// covers them.
#pragma once

#include <string>

#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

// The step that makes the serial loop at `site` one of `kind`; `axis` is the thread index of one
// that is bound to threads.
Result<Proposal> interleave(ir::Context& ctx, const ir::Function& before, const ir::Site& site,
                            ir::ForKind kind, const std::string& axis = "");

}  // namespace proviso::rewrite
