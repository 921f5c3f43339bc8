// Expressions simplified by what memory is known to hold: by assumptions about buffers, and by what
// earlier stages stored. Part of `simplify`.
#pragma once

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// Proposes a simpler expression for the one at `site` (an expression child of a statement), with
// the claims that it needs. Gives whether a step was made.
bool simplify_by_memory(Proposer& p, const ir::Site& site);

}  // namespace proviso::rewrite
