// Where memory of threads is allocated.
#pragma once

#include "ir/context.h"

namespace proviso::ir {

// `body`, which uses the buffer, with its allocation. Memory of a block of threads or of one thread
// (the scopes "shared…" and "local…") is allocated inside of the innermost loop over blocks, or
// over threads, that has all uses in it; other memory around `body`.
Stmt allocated_where_used(Context& ctx, Buffer buffer, Stmt body, const Annotations& annotations);

}  // namespace proviso::ir
