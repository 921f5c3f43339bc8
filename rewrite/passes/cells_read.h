// Which cells of a buffer are read, as a condition on a cell. A guess, from regions
// (analysis/regions/): rules prove it.
#pragma once

#include "analysis/memory/claims.h"

namespace proviso::rewrite {

// On the cell that a store stores to, over the loops around it: outside of it nobody misses what is
// stored. Null where that is not known, or the caller sees the buffer. What the store's own block
// reads does not count.
//
//   M[i] = f(i)  for i < 16, read as M[2 * j] for j < 8       i % 2 == 0 and i <= 14
ir::Expr cells_read(const analysis::MemoryModel& memory, const analysis::Access& store);

// On the cell with these indices, that the statement at `site` reads in one iteration of the loops
// around it.
ir::Expr cells_read_in(const analysis::MemoryModel& memory, ir::Buffer buffer, const ir::Site& site,
                       const std::vector<ir::Expr>& cell);

}  // namespace proviso::rewrite
