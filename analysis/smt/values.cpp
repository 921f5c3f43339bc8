#include "analysis/smt/values.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "ir/text.h"

namespace proviso::analysis::smt {

using ir::Expr;
using ir::Int128;
using ir::ScalarType;
using ir::TypeCode;

std::string sort_of(ScalarType type) {
    if (type.is_bool()) return "Bool";
    if (type.is_exact_int()) return "Int";
    if (type.is_int()) return fmt::format("(_ BitVec {})", type.bits);
    const FloatFormat f = float_format(type);
    return fmt::format("(_ FloatingPoint {} {})", f.exponent, f.significand);
}

FloatFormat float_format(ScalarType type) {
    if (type.code == TypeCode::BFloat) return {8, 8};
    switch (type.bits) {
        case 16: return {5, 11};
        case 32: return {8, 24};
        default: return {11, 53};
    }
}

std::string integer_text(Int128 value) {
    return value < 0 ? "(- " + ir::int128_text(-value) + ")" : ir::int128_text(value);
}

namespace {

std::string binary(std::uint64_t value, int width) {
    std::string out = "#b";
    for (int i = width - 1; i >= 0; --i) out += ((value >> i) & 1U) != 0 ? '1' : '0';
    return out;
}

struct FloatBits {
    std::uint64_t exponent = 0;
    std::uint64_t fraction = 0;
};

// Without the sign. `value` is exactly representable in the format, and not NaN.
FloatBits float_bits(FloatFormat format, double value) {
    const int stored = format.significand - 1;
    const int bias = (1 << (format.exponent - 1)) - 1;
    FloatBits out;
    if (std::isinf(value)) {
        out.exponent = (std::uint64_t{1} << format.exponent) - 1;
    } else if (value != 0.0) {
        int e = 0;
        const double m = std::frexp(std::fabs(value), &e);  // 0.5 <= m < 1
        if (e - 1 >= 1 - bias) {
            const int biased = e - 1 + bias;
            out.exponent = static_cast<std::uint64_t>(biased);
            out.fraction = static_cast<std::uint64_t>(std::ldexp(m * 2 - 1, stored));
        } else {
            out.fraction =
                static_cast<std::uint64_t>(std::ldexp(std::fabs(value), bias - 1 + stored));
        }
    }
    return out;
}

std::string float_text(FloatFormat format, double value) {
    if (std::isnan(value)) return fmt::format("(_ NaN {} {})", format.exponent, format.significand);
    const FloatBits bits = float_bits(format, value);
    return fmt::format("(fp {} {} {})", std::signbit(value) ? "#b1" : "#b0",
                       binary(bits.exponent, format.exponent),
                       binary(bits.fraction, format.significand - 1));
}

}  // namespace

Int128 float_code(ScalarType type, double value) {
    const FloatFormat format = float_format(type);
    const auto code = [&](double v) {
        const FloatBits bits = float_bits(format, v);
        return (Int128{bits.exponent} << (format.significand - 1)) + Int128{bits.fraction};
    };
    if (std::isnan(value)) return code(std::numeric_limits<double>::infinity()) + 1;
    return std::signbit(value) ? -1 - code(value) : code(value);
}

std::string constant_text(Expr constant) {
    const ScalarType type = constant->type;
    if (constant->op == ir::Op::FloatImm) {
        return float_text(float_format(type), constant->float_value());
    }
    PROVISO_CHECK(constant->op == ir::Op::IntImm, "constant_text: not a constant");
    if (type.is_bool()) return constant->bits != 0 ? "true" : "false";
    if (type.is_exact_int()) return integer_text(constant->int_value());
    Int128 value = constant->int_value();
    if (value < 0) value += Int128{1} << type.bits;
    return fmt::format("(_ bv{} {})", integer_text(value), type.bits);
}

}  // namespace proviso::analysis::smt
