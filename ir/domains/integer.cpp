#include "ir/domains/integer.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

#include "ir/check.h"

namespace proviso::ir {

namespace {

using BigInt = boost::multiprecision::cpp_int;
__extension__ typedef unsigned __int128 UInt128;

constexpr Int128 kMin128 = static_cast<Int128>(static_cast<UInt128>(1) << 127);

BigInt from_int128(Int128 value) {
    const bool negative = value < 0;
    const UInt128 magnitude =
        negative ? ~static_cast<UInt128>(value) + 1 : static_cast<UInt128>(value);
    BigInt out = static_cast<std::uint64_t>(magnitude >> 64);
    out <<= 64;
    out += static_cast<std::uint64_t>(magnitude);
    return negative ? BigInt(-out) : out;
}

// Of a magnitude below 2^128.
UInt128 to_uint128(const BigInt& value) {
    const BigInt low_mask = (BigInt(1) << 64) - 1;
    const auto low = static_cast<std::uint64_t>(BigInt(value & low_mask));
    const auto high = static_cast<std::uint64_t>(BigInt(value >> 64));
    return (static_cast<UInt128>(high) << 64) | low;
}

bool fits_int64(Int128 value) {
    return value == static_cast<Int128>(static_cast<std::int64_t>(value));
}

}  // namespace

struct Integer::Big {
    BigInt value;
};

void Integer::FreeBig::operator()(Big* big) const {
    delete big;
}

void Integer::copy_big(const Integer& other) {
    big_.reset(new Big(*other.big_));
}

Integer::Big Integer::to_big(const Integer& a) {
    return a.big_ != nullptr ? *a.big_ : Big{from_int128(a.small_)};
}

Integer Integer::from_big(Big big) {
    static const BigInt lowest = from_int128(kMin128);
    static const BigInt highest = -lowest - 1;
    Integer out;
    if (lowest <= big.value && big.value <= highest) {
        const bool negative = big.value < 0;
        const UInt128 magnitude = to_uint128(negative ? BigInt(-big.value) : big.value);
        out.small_ = static_cast<Int128>(negative ? ~magnitude + 1 : magnitude);
    } else {
        out.big_.reset(new Big(std::move(big)));
    }
    return out;
}

Integer Integer::big_add(const Integer& a, const Integer& b) {
    return from_big(Big{to_big(a).value + to_big(b).value});
}

Integer Integer::big_sub(const Integer& a, const Integer& b) {
    return from_big(Big{to_big(a).value - to_big(b).value});
}

Integer Integer::big_mul(const Integer& a, const Integer& b) {
    return from_big(Big{to_big(a).value * to_big(b).value});
}

int Integer::big_compare(const Integer& a, const Integer& b) {
    return to_big(a).value.compare(to_big(b).value);
}

std::optional<Integer> Integer::parse(std::string_view decimal) {
    const bool negative = !decimal.empty() && decimal[0] == '-';
    const std::string_view digits = decimal.substr(negative ? 1 : 0);
    if (digits.empty()) return std::nullopt;
    Integer out;
    for (const char c : digits) {
        if (c < '0' || c > '9') return std::nullopt;
        out = out * Integer(10) + Integer(c - '0');
    }
    return negative ? -out : out;
}

Integer Integer::power_of_two(unsigned exponent) {
    if (exponent < 127) return static_cast<Int128>(1) << exponent;
    return from_big(Big{BigInt(1) << exponent});
}

int Integer::sign() const {
    if (big_ != nullptr) return big_->value.sign();
    return small_ < 0 ? -1 : (small_ > 0 ? 1 : 0);
}

std::size_t Integer::bit_length() const {
    if (is_zero()) return 0;
    const BigInt magnitude = boost::multiprecision::abs(to_big(*this).value);
    return static_cast<std::size_t>(boost::multiprecision::msb(magnitude)) + 1;
}

Integer Integer::wrap(ScalarType type) const {
    if (in_range(type)) return *this;
    const Integer modulus = power_of_two(type.bits);
    const Integer lowest = type.min_value();
    return floormod(*this - lowest, modulus) + lowest;
}

std::string Integer::str() const {
    if (big_ == nullptr && fits_int64(small_)) {
        return std::to_string(static_cast<std::int64_t>(small_));
    }
    return to_big(*this).value.str();
}

std::size_t Integer::hash() const {
    if (big_ != nullptr) return std::hash<std::string>{}(str());
    const auto bits = static_cast<UInt128>(small_);
    const auto low = static_cast<std::size_t>(bits);
    const auto high = static_cast<std::size_t>(bits >> 64);
    return low * 0x9e3779b97f4a7c15ULL ^ (high + (low >> 32));
}

Integer truncdiv(const Integer& x, const Integer& y) {
    PROVISO_CHECK(!y.is_zero(), "Integer: division by zero");
    if (Integer::both_small(x, y)) {
        if (fits_int64(x.small_) && fits_int64(y.small_) && y.small_ != -1) {
            return static_cast<std::int64_t>(x.small_) / static_cast<std::int64_t>(y.small_);
        }
        if (!(x.small_ == kMin128 && y.small_ == -1)) return x.small_ / y.small_;
    }
    return Integer::from_big(
        Integer::Big{BigInt(Integer::to_big(x).value / Integer::to_big(y).value)});
}

Integer truncmod(const Integer& x, const Integer& y) {
    return x - truncdiv(x, y) * y;
}

Integer floordiv(const Integer& x, const Integer& y) {
    Integer quotient = truncdiv(x, y);
    const Integer remainder = x - quotient * y;
    if (!remainder.is_zero() && (remainder.sign() < 0) != (y.sign() < 0)) {
        return quotient - Integer(1);
    }
    return quotient;
}

Integer floormod(const Integer& x, const Integer& y) {
    Integer remainder = truncmod(x, y);
    if (!remainder.is_zero() && (remainder.sign() < 0) != (y.sign() < 0)) return remainder + y;
    return remainder;
}

Integer gcd(const Integer& a, const Integer& b) {
    Integer x = abs(a);
    Integer y = abs(b);
    while (!y.is_zero()) {
        Integer rest = truncmod(x, y);
        x = std::move(y);
        y = std::move(rest);
    }
    return x;
}

}  // namespace proviso::ir
