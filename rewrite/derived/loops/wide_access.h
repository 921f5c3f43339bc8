// Lanes: the iterations of a short loop that access memory together, as one access of 2 or 4
// neighbouring cells. What must be proved so that they may.
//
//   for v in T.vectorized(4): B[i * 4 + v] = A[i * 4 + v] * 2.0
//
//   one access of A at 4 * i, four products, one access of B at 4 * i
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/memory/claims.h"
#include "ir/result.h"

namespace proviso::rewrite {

// Bytes that one access reaches at the most. Every buffer of a kernel begins at a multiple of it.
inline constexpr std::int64_t kWideBytes = 16;

// How many lanes the loop has: 2 or 4. Fails on other bounds, and where the body is not made of
// stores, lists, branches and blocks with expressions that every lane evaluates alike: no loop,
// let, allocation, assert or opaque call, and nothing read by one lane only (in an operand that is
// evaluated where it is needed).
Result<std::int64_t> lanes_of(const ir::For& loop);

// A buffer in memory that lanes reach together; those of scope "local" are registers.
bool in_memory(ir::Buffer buffer);

// What is owed for the loop at `site`, besides that its iterations share nothing (race_free.h; so
// all lanes may load before any stores):
//   - a branch is taken by all lanes or none;
//   - an access whose cell differs by lane reaches the cell of lane 0 and those after it in
//     row-major order, and that of lane 0 is at a multiple of their number.
// Each names the access; the model of a refutation gives the lane and the loops around it.
// Fails where lanes_of does, where a condition reads memory, where such an index reads a cell that
// differs by lane or that lanes store to, and where an access has more than kWideBytes.
Result<std::vector<analysis::Obligation>> lanes_are_neighbours(ir::Context& ctx,
                                                               const ir::Function& f,
                                                               const ir::Site& site);

}  // namespace proviso::rewrite
