// What a simplification may not do to terms that can be indeterminate: compute with them where the
// expression before did not. Arithmetic on an indeterminate exact integer is a fault, comparing it
// is none (docs/semantics.md, "undef, indet, assume").
//
//   A[0] < x + 1       with A[0] indeterminate: indeterminate
//   A[0] - x < 1       a fault
#pragma once

#include "ir/expr.h"

namespace proviso::rewrite {

// Some operator of `after` needs a definite operand of which `before` does not show that it is
// definite wherever `before` does not fault. May be true without need, never false where it counts.
bool computes_with_more(ir::Expr before, ir::Expr after);

// Wherever `before` does not fault, nor does `after`: it is made of what `before` evaluates in any
// case, and of operators that fault on none of their operands' values. False for what may differ.
bool evaluates_no_more(ir::Expr before, ir::Expr after);

}  // namespace proviso::rewrite
