// Buffers of scope "local" that live across barriers: allocated by a block, with one part for each
// thread, which is the only one to touch it. In a kernel each thread keeps its part in registers.
//
//   acc = T.alloc_buffer((4, 8, 2), "float32", scope="local")
//   for y in T.thread_binding(4, thread="threadIdx.y"):
//       for x in T.thread_binding(8, thread="threadIdx.x"):
//           acc[y, x, 0] = …                # two registers a thread
//           if x == 3:
//               B[y] = acc[y, 3, 0]         # owed: 3 == x
#pragma once

#include <vector>

#include "ir/result.h"
#include "ir/site.h"

namespace proviso::backend::gpu {

struct ThreadParts {
    // Leading dimensions that count threads, of one axis each, or have one element.
    std::size_t dimensions = 0;
    // An index of such a dimension that must be proved to be the thread: what is the thread's
    // variable, or 0 where one thread alone runs the statement, owes nothing.
    struct Owed {
        ir::Site site;  // of the access: a store, or a load within a statement
        std::string access;
        ir::Expr index = nullptr;
        const ir::For* loop = nullptr;  // of the thread; null: thread 0 of the axis
    };
    std::vector<Owed> owed;
};

// The parts of a buffer that the statement at `site` allocates. As many dimensions count threads as
// there are axes with a loop around any access. Which one stands for an axis is read off the
// accesses (an axis whose variable is no index takes the first dimension left with its extent), and
// is the same for all of them; so is plain, or owed, that the index is the thread that runs. Fails
// where there are fewer dimensions, or larger ones before them.
Result<ThreadParts> thread_parts(const ir::Allocate& allocate, const ir::Site& site);

}  // namespace proviso::backend::gpu
