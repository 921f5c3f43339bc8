// Exact numbers in 128 bits. What does not fit ends the search: Overflow is thrown within this
// folder and caught in certify().
#pragma once

#include <string>

#include "ir/int128.h"

namespace proviso::analysis::certificate {

using ir::floor_div;
using ir::Int128;

struct Overflow {};

inline Int128 add(Int128 a, Int128 b) {
    return ir::checked_sum<Overflow>(a, b);
}
inline Int128 multiply(Int128 a, Int128 b) {
    return ir::checked_product<Overflow>(a, b);
}
inline Int128 negate(Int128 a) {
    return multiply(a, -1);
}
inline Int128 magnitude(Int128 a) {
    return a < 0 ? negate(a) : a;
}

inline Int128 gcd(Int128 a, Int128 b) {
    a = magnitude(a);
    b = magnitude(b);
    while (b != 0) {
        if (a <= UINT64_MAX && b <= UINT64_MAX) {
            auto x = static_cast<std::uint64_t>(a);
            auto y = static_cast<std::uint64_t>(b);
            while (y != 0) {
                const std::uint64_t r = x % y;
                x = y;
                y = r;
            }
            return static_cast<Int128>(x);
        }
        const Int128 r = a % b;
        a = b;
        b = r;
    }
    return a;
}

std::string digits(Int128 value);  // "-12"

class Rational {
  public:
    Rational() = default;
    Rational(Int128 integer) : num_(integer) {}  // NOLINT(google-explicit-constructor)
    Rational(Int128 num, Int128 den) : num_(num), den_(den) { reduce(); }

    Int128 num() const { return num_; }
    Int128 den() const { return den_; }  // > 0
    bool is_zero() const { return num_ == 0; }
    bool is_integer() const { return den_ == 1; }
    int sign() const { return num_ > 0 ? 1 : num_ < 0 ? -1 : 0; }
    Int128 floor() const { return den_ == 1 ? num_ : floor_div(num_, den_); }
    Rational inverse() const {
        return num_ < 0 ? Rational(negate(den_), negate(num_), 0) : Rational(den_, num_, 0);
    }
    Rational operator-() const { return Rational(negate(num_), den_, 0); }

    friend Rational operator+(const Rational& a, const Rational& b) {
        if (a.den_ == 1 && b.den_ == 1) return {add(a.num_, b.num_), 1, 0};
        if (a.den_ == b.den_) return {add(a.num_, b.num_), a.den_};
        return {add(multiply(a.num_, b.den_), multiply(b.num_, a.den_)), multiply(a.den_, b.den_)};
    }
    friend Rational operator-(const Rational& a, const Rational& b) { return a + (-b); }
    friend Rational operator*(const Rational& a, const Rational& b) {
        if (a.den_ == 1 && b.den_ == 1) return {multiply(a.num_, b.num_), 1, 0};
        return {multiply(a.num_, b.num_), multiply(a.den_, b.den_)};
    }
    friend bool operator==(const Rational& a, const Rational& b) {
        return a.num_ == b.num_ && a.den_ == b.den_;
    }
    friend bool operator<(const Rational& a, const Rational& b) {
        if (a.den_ == b.den_) return a.num_ < b.num_;
        return multiply(a.num_, b.den_) < multiply(b.num_, a.den_);
    }

  private:
    Rational(Int128 num, Int128 den, int) : num_(num), den_(den) {}  // already reduced
    void reduce() {
        if (den_ == 1) return;
        const Int128 g = gcd(num_, den_);
        if (g > 1) {
            num_ /= g;
            den_ /= g;
        }
    }

    Int128 num_ = 0;
    Int128 den_ = 1;
};

}  // namespace proviso::analysis::certificate
