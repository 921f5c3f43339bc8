#include "fuzz/gen/ranged.h"

#include <algorithm>

namespace proviso::fuzz {

using namespace ir;

namespace {

// A result that wraps has the type's range.
Ranged result(Expr value, Int128 lo, Int128 hi) {
    const ScalarType type = value->type;
    if (type.is_float() || type.is_bool()) return Ranged{value, 0, 0};
    const bool fits = type.contains(lo) && type.contains(hi);
    if (fits || type.is_exact_int()) return Ranged{value, lo, hi};
    return Ranged{value, type.min_value(), type.max_value()};
}

Int128 floor_quotient(Int128 x, Int128 y) {
    const Int128 q = x / y;
    return x % y != 0 && (x < 0) != (y < 0) ? q - 1 : q;
}

}  // namespace

Ranged constant(Context& ctx, ScalarType type, Int128 value) {
    return Ranged{ctx.int_imm(type, value), value, value};
}

Ranged add(Context& ctx, const Ranged& a, const Ranged& b) {
    return result(ctx.add(a.value, b.value), a.lo + b.lo, a.hi + b.hi);
}

Ranged sub(Context& ctx, const Ranged& a, const Ranged& b) {
    return result(ctx.sub(a.value, b.value), a.lo - b.hi, a.hi - b.lo);
}

Ranged mul(Context& ctx, const Ranged& a, const Ranged& b) {
    Expr value = ctx.mul(a.value, b.value);
    if (!value->type.is_int()) return Ranged{value, 0, 0};
    // Both in the range of a 64-bit type, so no product leaves 128 bits by more than its sign;
    // uint64 times uint64 might, and wraps anyway.
    const auto big = [](Int128 x) { return x > (Int128{1} << 62) || x < -(Int128{1} << 62); };
    if (big(a.lo) || big(a.hi) || big(b.lo) || big(b.hi)) {
        return Ranged{value, value->type.min_value(), value->type.max_value()};
    }
    const auto [lo, hi] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
    return result(value, lo, hi);
}

Ranged min(Context& ctx, const Ranged& a, const Ranged& b) {
    return Ranged{ctx.min(a.value, b.value), std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
}

Ranged max(Context& ctx, const Ranged& a, const Ranged& b) {
    return Ranged{ctx.max(a.value, b.value), std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Ranged divide(Context& ctx, Op op, const Ranged& a, Int128 divisor) {
    PROVISO_CHECK(divisor > 0, "division by something not positive");
    Expr value = ctx.make(op, {a.value, ctx.int_imm(a.value->type, divisor)});
    switch (op) {
        case Op::FloorDiv:
            return Ranged{value, floor_quotient(a.lo, divisor), floor_quotient(a.hi, divisor)};
        case Op::TruncDiv: return Ranged{value, a.lo / divisor, a.hi / divisor};
        case Op::FloorMod:
            if (a.lo >= 0 && a.hi < divisor) return Ranged{value, a.lo, a.hi};
            return Ranged{value, 0, divisor - 1};
        default: break;
    }
    const Int128 lo = a.lo < 0 ? std::max(a.lo, 1 - divisor) : 0;
    const Int128 hi = a.hi > 0 ? std::min(a.hi, divisor - 1) : 0;
    return Ranged{value, lo, hi};
}

Ranged tamed(Context& ctx, const Ranged& a) {
    if (!a.value->type.is_exact_int()) return a;
    if (a.lo >= -kWide && a.hi <= kWide) return a;
    return divide(ctx, Op::FloorMod, a, 1009);
}

}  // namespace proviso::fuzz
