// Arithmetic on indices and extents that keeps what is simple simple: constants are computed, and
// what adds 0 or multiplies by 1 is left out. Operands of different integer types meet in int64,
// those of other widths than 32 and 64 bits in a type that holds them all, as TVM promotes them.
#pragma once

#include <span>
#include <vector>

#include "ir/context.h"

namespace proviso::ir {

Expr plus(Context& ctx, Expr a, Expr b);
Expr minus(Context& ctx, Expr a, Expr b);
Expr times(Context& ctx, Expr a, Expr b);
Expr floor_quotient(Context& ctx, Expr a, Expr b);
Expr floor_remainder(Context& ctx, Expr a, Expr b);

// The steps in cells, row-major, that go with these extents: (4, n, 8) gives n*8, 8, 1.
std::vector<Expr> compact_strides(Context& ctx, std::span<const Expr> shape);

// One number in int32 or int64, or one expression.
bool same_value(Expr a, Expr b);

// hi - lo where that can be seen: constants, `lo + extent`, `e + 3` and `e + 7`; else null.
Expr visible_extent(Context& ctx, Expr lo, Expr hi);

// An int32 expression as int64; others as they are.
Expr widened(Context& ctx, Expr e);

// Where the condition is false. Integers have no third answer, as floats have.
Expr negated(Context& ctx, Expr cond);
// The same, where the two sides of an `or` are conditions of their own. Each is evaluated as it
// was: the second one where the first is false.
Expr neither(Context& ctx, Expr cond);

}  // namespace proviso::ir
