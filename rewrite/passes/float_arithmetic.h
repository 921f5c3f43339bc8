// Facts without what was computed of floats: over those solvers take long, and of much else it says
// nothing.
#pragma once

#include "ir/context.h"

namespace proviso::rewrite {

// Adds, multiplies or divides floats, or calls a function of them.
bool computes_floats(ir::Expr e);

// What follows from a fact whatever its claims about computed floats say: `p or same(x, y * z) and
// q` becomes `p or q`.
ir::Expr without_float_arithmetic(ir::Context& ctx, ir::Expr fact);

}  // namespace proviso::rewrite
