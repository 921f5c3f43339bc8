// A program with bound loops as it would be without a GPU: what its races are told from.
#pragma once

#include "ir/context.h"
#include "ir/function.h"

namespace proviso::backend::gpu {

// The same statements with every bound loop in sequence, and no word about barriers.
ir::Function serial_twin(ir::Context& ctx, ir::Function f);

}  // namespace proviso::backend::gpu
