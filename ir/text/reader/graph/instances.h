// What a graph's calls leave in the function that it is read as: the callees' bodies one after the
// other, each block with a name of its own ("relu", "relu_1", …), so that schedules can name it.
#pragma once

#include "ir/context.h"

namespace proviso::ir {

Function with_instances(Context& ctx, Function graph);

}  // namespace proviso::ir
