// Exact integers, for values of exact integer types that nobody has observed yet and so may be of
// any size. Nearly all are small: those live in 128 bits, in place; the others in a big number of
// Boost that is kept out of this header because it is slow to compile.
#pragma once

#include <compare>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ir/type.h"

namespace proviso::ir {

class Integer {
  public:
    Integer() = default;
    Integer(Int128 value) : small_(value) {}  // implicit: numbers are integers
    Integer(const Integer& other) : small_(other.small_) {
        if (other.big_ != nullptr) copy_big(other);
    }
    Integer(Integer&& other) noexcept = default;
    Integer& operator=(const Integer& other) {
        if (this != &other) *this = Integer(other);
        return *this;
    }
    Integer& operator=(Integer&& other) noexcept {
        small_ = other.small_;
        if (big_ != nullptr || other.big_ != nullptr) big_ = std::move(other.big_);
        return *this;
    }
    ~Integer() = default;

    // Decimal digits with an optional '-'; nothing else.
    static std::optional<Integer> parse(std::string_view decimal);
    static Integer power_of_two(unsigned exponent);

    // The value, when it fits 128 bits. Values of every scalar type do.
    std::optional<Int128> to_int128() const {
        if (big_ != nullptr) return std::nullopt;
        return small_;
    }
    bool is_zero() const { return big_ == nullptr && small_ == 0; }
    int sign() const;  // -1, 0, 1
    bool in_range(ScalarType type) const {
        // Small naturals are in every integer type's range; most values are.
        if (0 <= small_ && small_ < 128 && big_ == nullptr && !type.is_bool()) return true;
        return big_ == nullptr && type.contains(small_);
    }
    // Bits of the magnitude: 0 for 0, 8 for 255 and -255.
    std::size_t bit_length() const;
    // The value of integer type or bool that equals this one modulo 2^bits.
    Integer wrap(ScalarType type) const;

    std::string str() const;
    std::size_t hash() const;

    friend Integer operator+(const Integer& a, const Integer& b) {
        Int128 r = 0;
        if (both_small(a, b) && !__builtin_add_overflow(a.small_, b.small_, &r)) return r;
        return big_add(a, b);
    }
    friend Integer operator-(const Integer& a, const Integer& b) {
        Int128 r = 0;
        if (both_small(a, b) && !__builtin_sub_overflow(a.small_, b.small_, &r)) return r;
        return big_sub(a, b);
    }
    friend Integer operator*(const Integer& a, const Integer& b) {
        Int128 r = 0;
        if (both_small(a, b) && !__builtin_mul_overflow(a.small_, b.small_, &r)) return r;
        return big_mul(a, b);
    }
    Integer operator-() const { return Integer(0) - *this; }

    friend bool operator==(const Integer& a, const Integer& b) {
        if (both_small(a, b)) return a.small_ == b.small_;
        return big_compare(a, b) == 0;
    }
    friend std::strong_ordering operator<=>(const Integer& a, const Integer& b) {
        if (both_small(a, b)) return a.small_ <=> b.small_;
        return big_compare(a, b) <=> 0;
    }

    // Divisions by a divisor other than 0. floor*: toward -inf; trunc*: toward 0; the remainder is
    // x - quotient * y.
    friend Integer floordiv(const Integer& x, const Integer& y);
    friend Integer floormod(const Integer& x, const Integer& y);
    friend Integer truncdiv(const Integer& x, const Integer& y);
    friend Integer truncmod(const Integer& x, const Integer& y);
    // Not negative; gcd(0, 0) = 0.
    friend Integer gcd(const Integer& a, const Integer& b);

  private:
    struct Big;
    struct FreeBig {
        void operator()(Big* big) const;
    };

    static bool both_small(const Integer& a, const Integer& b) {
        return a.big_ == nullptr && b.big_ == nullptr;
    }
    void copy_big(const Integer& other);
    static Integer from_big(Big value);
    static Big to_big(const Integer& a);
    static Integer big_add(const Integer& a, const Integer& b);
    static Integer big_sub(const Integer& a, const Integer& b);
    static Integer big_mul(const Integer& a, const Integer& b);
    static int big_compare(const Integer& a, const Integer& b);

    Int128 small_ = 0;                   // the value, when big_ is null; else 0
    std::unique_ptr<Big, FreeBig> big_;  // only a value that does not fit 128 bits
};

Integer floordiv(const Integer& x, const Integer& y);
Integer floormod(const Integer& x, const Integer& y);
Integer truncdiv(const Integer& x, const Integer& y);
Integer truncmod(const Integer& x, const Integer& y);
Integer gcd(const Integer& a, const Integer& b);
inline Integer abs(const Integer& a) {
    return a.sign() < 0 ? -a : a;
}
inline const Integer& min(const Integer& a, const Integer& b) {
    return b < a ? b : a;
}
inline const Integer& max(const Integer& a, const Integer& b) {
    return a < b ? b : a;
}

}  // namespace proviso::ir
