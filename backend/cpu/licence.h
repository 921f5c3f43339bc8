// What a function leaves to its machine code: whether products may be fused into sums, and how wide
// its vectors are.
#pragma once

#include "ir/function.h"

namespace proviso::backend {

// Whether code may fuse a multiplication of floats with an addition (docs/semantics.md, licence
// `contract`): the function grants it, and no float decides anything else, as a comparison, a cast
// to an integer and the argument of a call do. So where it is fused, control, indices and faults
// are those of the strict program, whose proofs are about those.
bool may_contract(const ir::Function& f);

// The bits of a register that a loop marked `vectorized` fills: 512 where all that some such loop
// stores to a buffer in its iterations is a multiple of that; else 0, and LLVM chooses. (LLVM takes
// 256 for most CPUs with AVX-512.)
unsigned wanted_vector_bits(const ir::Function& f);

}  // namespace proviso::backend
