// Operators on literals, computed.
#pragma once

#include "ir/context.h"

namespace proviso::rewrite {

// The literal that an operator on literals gives; null where it is none, faults, or need not be
// what a back end computes.
ir::Expr fold_constants(ir::Context& ctx, ir::Expr e);

}  // namespace proviso::rewrite
