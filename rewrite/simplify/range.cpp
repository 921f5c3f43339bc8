#include "rewrite/simplify/range.h"

#include <algorithm>

namespace proviso::rewrite {

using ir::Int128;

namespace {

Int128 clamped(Int128 v) {
    return std::clamp(v, -Range::kInfinite, Range::kInfinite);
}

// One end times a factor; an infinite end stays infinite, on the side that the factor's sign gives.
Int128 times(Int128 end, Int128 factor) {
    if (end == 0 || factor == 0) return 0;
    Int128 out = 0;
    if (!__builtin_mul_overflow(end, factor, &out)) return clamped(out);
    return (end < 0) == (factor < 0) ? Range::kInfinite : -Range::kInfinite;
}

// An end divided by a positive number, toward -inf.
Int128 divided(Int128 end, Int128 divisor) {
    if (end <= -Range::kInfinite || end >= Range::kInfinite) return end;
    return floor_div(end, divisor);
}

}  // namespace

Range far::sum(const Range& a, const Range& b) {
    Range out;
    if (a.has_lo() && b.has_lo()) out.lo = clamped(a.lo + b.lo);
    if (a.has_hi() && b.has_hi()) out.hi = clamped(a.hi + b.hi);
    return out;
}

Range far::scaled(const Range& a, Int128 factor) {
    if (factor >= 0) return {times(a.lo, factor), times(a.hi, factor)};
    return {times(a.hi, factor), times(a.lo, factor)};
}

Range product(const Range& a, const Range& b) {
    const Int128 ends[] = {times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo),
                           times(a.hi, b.hi)};
    return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

Range floor_quotient(const Range& a, const Range& divisor) {
    Range out;
    // A large divisor brings a quotient nearer to 0, or to -1 from below.
    if (a.has_lo()) out.lo = divided(a.lo, a.lo < 0 ? divisor.lo : divisor.hi);
    if (a.has_hi()) out.hi = divided(a.hi, a.hi < 0 ? divisor.hi : divisor.lo);
    return out;
}

Range floor_remainder(const Range& a, const Range& divisor) {
    if (a.lo >= 0 && a.hi < divisor.lo) return a;
    if (divisor.is_point() && a.is_bounded()) {
        const Int128 q = floor_div(a.lo, divisor.lo);
        if (q == floor_div(a.hi, divisor.lo)) {
            return {a.lo - q * divisor.lo, a.hi - q * divisor.lo};
        }
    }
    Range out{0, clamped(divisor.hi - 1)};
    if (a.lo >= 0) out.hi = std::min(out.hi, a.hi);
    return out;
}

Range truncated_quotient(const Range& a, const Range& divisor) {
    // Odd: below 0 it is the opposite of the opposite's.
    const auto at = [&](Int128 end, bool low) {
        const Int128 by = (end < 0) == low ? divisor.lo : divisor.hi;
        return end < 0 ? -divided(-end, by) : divided(end, by);
    };
    Range out;
    if (a.has_lo()) out.lo = at(a.lo, true);
    if (a.has_hi()) out.hi = at(a.hi, false);
    return out;
}

Range truncated_remainder(const Range& a, const Range& divisor) {
    const Int128 most = clamped(divisor.hi - 1);
    return {a.lo < 0 ? std::max(a.lo, -most) : 0, a.hi > 0 ? std::min(a.hi, most) : 0};
}

}  // namespace proviso::rewrite
