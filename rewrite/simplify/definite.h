// Expressions whose evaluation reads no memory and calls nothing.
#pragma once

#include "ir/expr.h"

namespace proviso::rewrite {

// Evaluating `e` surely gives a definite value or a fault, so that what it observes was in range
// wherever it has a value. False where it is not sure: loads, undef, opaque calls, lets, and
// expressions of many nodes.
bool surely_definite(ir::Expr e);

// Occurrences of the variable in `e`, free ones, up to 2.
int uses_of(ir::Expr var, ir::Expr e);

// An opaque call is somewhere in `e`: it must be made as often as before.
bool makes_opaque_call(ir::Expr e);

}  // namespace proviso::rewrite
