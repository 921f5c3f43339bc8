// Race freedom: what must be proved so that the iterations of a loop may run in any interleaving,
// as the threads and blocks of a GPU do, and so that threads need not wait for one another between
// two phases of a kernel.
#pragma once

#include <string>
#include <vector>

#include "analysis/memory/claims.h"
#include "rewrite/rules/block_level.h"

namespace proviso::rewrite {

// For any two different iterations of the loop at `site` (loops around it at one iteration) and any
// two accesses in its body to one buffer, one of which writes: they never touch one cell. Stores of
// equal values count as well (docs/semantics.md, "Statements"). Buffers allocated in the body are
// new in each iteration and owe nothing. An index that reads memory which the function writes may
// be anything. One obligation a pair of accesses; its words name both and the buffer, and its
// model gives both iterations.
std::vector<analysis::Obligation> iterations_share_nothing(ir::Context& ctx, const ir::Function& f,
                                                           const ir::Site& site);

// For two different threads of a block, one in the first phase of the way and one in the second,
// and any access of each to one buffer, one of which stores: they never touch the same cell. A
// thread of a phase is given by its loops bound to threads: the thread at its axis is the iteration
// less the lower bound, and 0 where the phase has no loop on that axis. A buffer that a block
// allocates in a loop has the same cells in every iteration, as its text has; one that a phase
// allocates belongs to one thread. With no obligation left open, no barrier is needed on the way.
std::vector<analysis::Obligation> threads_need_not_wait(const analysis::MemoryModel& memory,
                                                        const BlockLevel& level,
                                                        const BlockLevel::Way& way);

}  // namespace proviso::rewrite
