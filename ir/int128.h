// Arithmetic of 128 bits that notices what does not fit, and takes a few instructions where numbers
// are of 64 bits, as nearly all are.
#pragma once

#include "ir/type.h"

namespace proviso::ir {

inline bool is_narrow(Int128 a) {
    return a == static_cast<std::int64_t>(a);
}

// Throws TooLarge where the result does not fit.
template <typename TooLarge>
Int128 checked_sum(Int128 a, Int128 b) {
    Int128 out = 0;
    if (__builtin_add_overflow(a, b, &out)) throw TooLarge{};
    return out;
}
template <typename TooLarge>
Int128 checked_product(Int128 a, Int128 b) {
    const auto x = static_cast<std::int64_t>(a);
    const auto y = static_cast<std::int64_t>(b);
    if (a == x && b == y) return Int128{x} * y;
    Int128 out = 0;
    if (__builtin_mul_overflow(a, b, &out)) throw TooLarge{};
    return out;
}

// Quotients toward -inf, +inf and 0, and the remainder of the first; b > 0.
inline Int128 floor_div(Int128 a, Int128 b) {
    if (is_narrow(a) && is_narrow(b)) {
        const auto x = static_cast<std::int64_t>(a);
        const auto y = static_cast<std::int64_t>(b);
        return x / y - (x % y < 0 ? 1 : 0);
    }
    return a / b - (a % b < 0 ? 1 : 0);
}
inline Int128 ceil_div(Int128 a, Int128 b) {
    if (is_narrow(a) && is_narrow(b)) {
        const auto x = static_cast<std::int64_t>(a);
        const auto y = static_cast<std::int64_t>(b);
        return x / y + (x % y > 0 ? 1 : 0);
    }
    return a / b + (a % b > 0 ? 1 : 0);
}
inline Int128 truncated_div(Int128 a, Int128 b) {
    if (is_narrow(a) && is_narrow(b)) {
        return static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b);
    }
    return a / b;
}
inline Int128 floor_mod(Int128 a, Int128 b) {
    if (is_narrow(a) && is_narrow(b)) {
        const auto y = static_cast<std::int64_t>(b);
        const std::int64_t r = static_cast<std::int64_t>(a) % y;
        return r < 0 ? r + y : r;
    }
    const Int128 r = a % b;
    return r < 0 ? r + b : r;
}

}  // namespace proviso::ir
