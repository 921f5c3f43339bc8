// What primitives leave behind without effect.
#pragma once

#include "rewrite/passes/passes.h"

namespace proviso::rewrite {

// The largest statement that holds nothing but the one at `site`, which has no effect any more.
void drop_unused(Proposer& p, const ir::Site& site);
// The allocation of a buffer, where nothing accesses it any more.
void drop_allocation(Proposer& p, ir::Buffer buffer);

}  // namespace proviso::rewrite
