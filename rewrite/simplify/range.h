// Ranges of integers for the simplifier: closed, with infinite ends as sentinels, so that their
// arithmetic is a few instructions. Beyond 2^100 an end counts as infinite, which only loses
// precision.
#pragma once

#include <cstdint>

#include "ir/type.h"

namespace proviso::rewrite {

struct Range {
    static constexpr ir::Int128 kInfinite = ir::Int128{1} << 100;

    ir::Int128 lo = -kInfinite;
    ir::Int128 hi = kInfinite;

    static Range point(ir::Int128 value) { return {value, value}; }
    static Range of(ir::ScalarType type) { return {type.min_value(), type.max_value()}; }

    bool has_lo() const { return lo > -kInfinite; }
    bool has_hi() const { return hi < kInfinite; }
    bool is_bounded() const { return has_lo() && has_hi(); }
    bool is_point() const { return lo == hi; }
    bool is_empty() const { return hi < lo; }
    bool within(const Range& outer) const { return outer.lo <= lo && hi <= outer.hi; }
    bool operator==(const Range&) const = default;
};

Range meet(const Range& a, const Range& b);  // may be empty
Range hull(const Range& a, const Range& b);
Range sum(const Range& a, const Range& b);
Range scaled(const Range& a, ir::Int128 factor);
Range product(const Range& a, const Range& b);
// Floor division and its remainder by divisors that are all positive.
Range floor_quotient(const Range& a, const Range& divisor);
Range floor_remainder(const Range& a, const Range& divisor);

// Toward -inf; b > 0.
inline bool is_narrow(ir::Int128 a) {  // division of 64 bits is several times as fast
    return a == static_cast<std::int64_t>(a);
}
inline ir::Int128 floor_div(ir::Int128 a, ir::Int128 b) {
    if (is_narrow(a) && is_narrow(b)) {
        const auto x = static_cast<std::int64_t>(a);
        const auto y = static_cast<std::int64_t>(b);
        return x / y - (x % y < 0 ? 1 : 0);
    }
    return a / b - (a % b < 0 ? 1 : 0);
}
inline ir::Int128 floor_mod(ir::Int128 a, ir::Int128 b) {
    if (is_narrow(a) && is_narrow(b)) {
        const auto y = static_cast<std::int64_t>(b);
        const std::int64_t r = static_cast<std::int64_t>(a) % y;
        return r < 0 ? r + y : r;
    }
    const ir::Int128 r = a % b;
    return r < 0 ? r + b : r;
}

}  // namespace proviso::rewrite
