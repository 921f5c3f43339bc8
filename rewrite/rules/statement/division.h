// Floor division written with truncating division: what `lower-division` makes of x // y and x % y.
#pragma once

#include "ir/context.h"

namespace proviso::rewrite {

enum class DivisionForm : std::uint8_t {
    Trunc,    // one truncating division: right where no operand is negative
    General,  // right for any signs, by a correction
};

// Of a FloorDiv or FloorMod. `shift`, for Trunc by a constant: multiples of the divisor that the
// numerator is moved up by, and the quotient down again.
// Pre: moved by that much, the numerator's constants stay in the type's range (can_shift).
ir::Expr lowered_division(ir::Context& ctx, ir::Expr division, DivisionForm form,
                          ir::Int128 shift = 0);

bool can_shift(ir::Expr division, ir::Int128 shift);

}  // namespace proviso::rewrite
