// Expressions with the range that their value surely lies in, known while they are made. This is
// the generator's own bookkeeping, on purpose: were it the analyzer's, a fault of the analyzer
// would keep the generator from making the programs that show it.
#pragma once

#include <optional>

#include "ir/context.h"

namespace proviso::fuzz {

// `value` is in [lo, hi], both inclusive, wherever it is evaluated. For floats and bool the range
// means nothing.
struct Ranged {
    ir::Expr value = nullptr;
    ir::Int128 lo = 0;
    ir::Int128 hi = 0;
};

// Integer arithmetic on ranges, for exact types (for wrapping ones the range is the type's, unless
// the exact result fits it). Results stay far from 128 bits because callers clamp to `kWide`.
inline constexpr ir::Int128 kWide = ir::Int128{1} << 24;

Ranged constant(ir::Context& ctx, ir::ScalarType type, ir::Int128 value);
Ranged add(ir::Context& ctx, const Ranged& a, const Ranged& b);
Ranged sub(ir::Context& ctx, const Ranged& a, const Ranged& b);
Ranged mul(ir::Context& ctx, const Ranged& a, const Ranged& b);
Ranged min(ir::Context& ctx, const Ranged& a, const Ranged& b);
Ranged max(ir::Context& ctx, const Ranged& a, const Ranged& b);
// By a positive constant; `op` is one of the four divisions.
Ranged divide(ir::Context& ctx, ir::Op op, const Ranged& a, ir::Int128 divisor);
// The same value, brought into [-kWide, kWide] by a remainder if it may be out of it.
Ranged tamed(ir::Context& ctx, const Ranged& a);

}  // namespace proviso::fuzz
