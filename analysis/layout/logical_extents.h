// Sizes that a layout would hide: n in a parameter of shape ((n + 3) // 4, 4) is the extent of the
// tensor that the caller knows.
#pragma once

#include <vector>

#include "ir/context.h"
#include "ir/function.h"

namespace proviso::analysis {

// Extents of every logical side of a parameter's relations, oldest first: they are computed, and
// not negative, as those of the parameter itself are, since the tensors that they are the shapes of
// are what the parameter stands for. Of an attribute that cannot be read (check_layouts says so):
// none.
std::vector<ir::Expr> logical_extents(ir::Context& ctx, const ir::Function& f, ir::Buffer buffer);

}  // namespace proviso::analysis
