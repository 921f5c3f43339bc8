// Race freedom of one loop: what must be proved so that its iterations may run in any interleaving,
// as the threads and blocks of a GPU do.
#pragma once

#include <vector>

#include "analysis/claims.h"

namespace proviso::rewrite {

// For any two different iterations of the loop at `site` (loops around it at one iteration) and any
// two accesses in its body to one buffer, one of which writes: they never touch one cell. Stores of
// equal values count as well (docs/semantics.md, "Statements"). Buffers allocated in the body are
// new in each iteration and owe nothing. An index that reads memory which the function writes may
// be anything. One obligation a pair of accesses; its purpose names both and the buffer, and its
// model gives both iterations.
std::vector<analysis::Obligation> iterations_share_nothing(ir::Context& ctx, const ir::Function& f,
                                                           const ir::Site& site);

}  // namespace proviso::rewrite
