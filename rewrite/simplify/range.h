// Ranges of integers for the simplifier: closed, with infinite ends as sentinels, so that their
// arithmetic is a few instructions. Beyond 2^100 an end counts as infinite, which only loses
// precision.
#pragma once

#include <cstdint>

#include "ir/int128.h"

namespace proviso::rewrite {

struct Range {
    static constexpr ir::Int128 kInfinite = ir::Int128{1} << 100;

    ir::Int128 lo = -kInfinite;
    ir::Int128 hi = kInfinite;

    static Range point(ir::Int128 value) { return {value, value}; }
    static Range of(ir::ScalarType type) {
        if (type == ir::kInt32) return {INT32_MIN, INT32_MAX};
        return {type.min_value(), type.max_value()};
    }

    bool has_lo() const { return lo > -kInfinite; }
    bool has_hi() const { return hi < kInfinite; }
    bool is_bounded() const { return has_lo() && has_hi(); }
    bool is_point() const { return lo == hi; }
    bool is_empty() const { return hi < lo; }
    bool within(const Range& outer) const { return outer.lo <= lo && hi <= outer.hi; }
    bool operator==(const Range&) const = default;
};

inline Range meet(const Range& a, const Range& b) {  // may be empty
    return {a.lo < b.lo ? b.lo : a.lo, a.hi < b.hi ? a.hi : b.hi};
}
inline Range hull(const Range& a, const Range& b) {
    return {a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? b.hi : a.hi};
}

namespace far {  // sums and products of what is far from 0
Range sum(const Range& a, const Range& b);
Range scaled(const Range& a, ir::Int128 factor);
// Within 2^49: sums and products of such numbers are as they come.
inline bool is_near(ir::Int128 v) {
    constexpr std::int64_t limit = std::int64_t{1} << 49;
    const auto low = static_cast<std::int64_t>(v);
    return v == low && -limit <= low && low <= limit;
}
inline bool is_near(const Range& a) {
    return is_near(a.lo) && is_near(a.hi);
}
}  // namespace far

inline Range sum(const Range& a, const Range& b) {
    if (far::is_near(a) && far::is_near(b)) return {a.lo + b.lo, a.hi + b.hi};
    return far::sum(a, b);
}
inline Range scaled(const Range& a, ir::Int128 factor) {
    if (!far::is_near(a) || !far::is_near(factor)) return far::scaled(a, factor);
    const auto lo = static_cast<std::int64_t>(a.lo);
    const auto hi = static_cast<std::int64_t>(a.hi);
    const auto k = static_cast<std::int64_t>(factor);
    const ir::Int128 x = ir::Int128{lo} * k;
    const ir::Int128 y = ir::Int128{hi} * k;
    return k >= 0 ? Range{x, y} : Range{y, x};
}
Range product(const Range& a, const Range& b);
// Floor division and its remainder by divisors that are all positive.
Range floor_quotient(const Range& a, const Range& divisor);
Range floor_remainder(const Range& a, const Range& divisor);
// The same of division toward zero.
Range truncated_quotient(const Range& a, const Range& divisor);
Range truncated_remainder(const Range& a, const Range& divisor);

using ir::floor_div;
using ir::floor_mod;
using ir::is_narrow;
// Whether all of a range has one quotient by `c` > 0, and which.
inline bool has_one_quotient(const Range& r, ir::Int128 c, ir::Int128& quotient) {
    if (!r.is_bounded() || r.hi - r.lo >= c) return false;
    quotient = floor_div(r.lo, c);
    return r.hi - quotient * c < c;
}
// a = b * q for some q; b != 0.
inline bool is_multiple(ir::Int128 a, ir::Int128 b) {
    if (is_narrow(a) && is_narrow(b) && b > 0) {
        return static_cast<std::int64_t>(a) % static_cast<std::int64_t>(b) == 0;
    }
    return a % b == 0;
}
// a / b, rounded toward 0; b != 0.
inline ir::Int128 quotient_of(ir::Int128 a, ir::Int128 b) {
    if (is_narrow(a) && is_narrow(b) && b > 0) {
        return static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b);
    }
    return a / b;
}

}  // namespace proviso::rewrite
