// Buffers of scope "local" that live across barriers: allocated by a block, with one part for each
// thread, which is the only one to touch it. In a kernel each thread keeps its part in registers.
//
//   acc = T.alloc_buffer((4, 8, 2), "float32", scope="local")
//   for y in T.thread_binding(4, thread="threadIdx.y"):
//       for x in T.thread_binding(8, thread="threadIdx.x"):
//           acc[y, x, 0] = …                # two registers a thread
#pragma once

#include "ir/result.h"
#include "ir/stmt.h"

namespace proviso::backend::gpu {

// How many leading dimensions of the buffer count threads: in every access in the allocation's
// body, they are the variables of all loops bound to threads around it, of the same axes in the
// same order everywhere, over the whole extent of the dimension. So a cell has one thread. Fails
// where that is not so.
Result<std::size_t> thread_dimensions(const ir::Allocate& allocate);

}  // namespace proviso::backend::gpu
