// What padding that the caller hands over holds, bit for bit. An assumption can only say what a
// number is equal to, and both zeros are equal; the relation between the interfaces promises one of
// them.
#pragma once

#include <vector>

#include "ir/context.h"
#include "ir/function.h"

namespace proviso::rewrite {

// For each load in `value`, of a parameter of floats that the function never stores to and that one
// of its relations pads with a constant zero: where the cell is padding, it is that zero. Only
// where the sign matters for a sum, so that other proofs are not burdened: the padding is -0.0, or
// `value` subtracts.
std::vector<ir::Expr> padding_bits(ir::Context& ctx, const ir::Function& f, ir::Expr value);

}  // namespace proviso::rewrite
