// Float classes: which of NaN, the infinities, normal and subnormal numbers and the two zeros a
// float can be, by sign. What bit-exact reasoning needs: "is never -0.0", "is finite".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/domains/abstract.h"

namespace proviso::ir {

// A set of classes. Of a bool: which truth values it can have. Of an integer it says nothing.
// Never empty.
struct FloatClass {
    static constexpr std::uint16_t kNan = 1 << 0;
    static constexpr std::uint16_t kNegInf = 1 << 1;
    static constexpr std::uint16_t kNegNormal = 1 << 2;
    static constexpr std::uint16_t kNegSubnormal = 1 << 3;
    static constexpr std::uint16_t kNegZero = 1 << 4;
    static constexpr std::uint16_t kPosZero = 1 << 5;
    static constexpr std::uint16_t kPosSubnormal = 1 << 6;
    static constexpr std::uint16_t kPosNormal = 1 << 7;
    static constexpr std::uint16_t kPosInf = 1 << 8;
    static constexpr std::uint16_t kFalse = 1 << 9;
    static constexpr std::uint16_t kTrue = 1 << 10;
    static constexpr std::uint16_t kInteger = 1 << 11;
    static constexpr std::uint16_t kZeros = kNegZero | kPosZero;
    static constexpr std::uint16_t kInfinities = kNegInf | kPosInf;
    static constexpr std::uint16_t kNegFinite = kNegNormal | kNegSubnormal | kNegZero;
    static constexpr std::uint16_t kPosFinite = kPosNormal | kPosSubnormal | kPosZero;
    static constexpr std::uint16_t kFinite = kNegFinite | kPosFinite;
    static constexpr std::uint16_t kNegative = kNegFinite | kNegInf;  // sign bit set, -0.0 too
    static constexpr std::uint16_t kPositive = kPosFinite | kPosInf;
    static constexpr std::uint16_t kAnyFloat = kFinite | kInfinities | kNan;
    static constexpr std::uint16_t kAnyBool = kFalse | kTrue;

    std::uint16_t mask = kAnyFloat | kAnyBool | kInteger;

    static FloatClass any(ScalarType type);
    // The class of a value of that type (integers: kInteger).
    static FloatClass of(ScalarType type, const Value& value);
    static FloatClass truth(bool value) { return {value ? kTrue : kFalse}; }

    bool within(std::uint16_t classes) const { return (mask & ~classes) == 0; }
    bool may_be(std::uint16_t classes) const { return (mask & classes) != 0; }
    bool is_true() const { return mask == kTrue; }
    bool is_false() const { return mask == kFalse; }
    bool operator==(const FloatClass&) const = default;
    std::string str() const;  // "{+normal, +inf}"
};

struct FloatClassDomain {
    using Value = FloatClass;
    static FloatClass top(ScalarType type) { return FloatClass::any(type); }
    static FloatClass constant(ScalarType type, const ir::Value& value) {
        return FloatClass::of(type, value);
    }
    static std::optional<ir::Value> as_constant(const FloatClass& a);
    static std::optional<FloatClass> meet(const FloatClass& a, const FloatClass& b);
    static FloatClass apply(const ExprNode& e, std::span<const FloatClass> args, Reading reading);
};

using FloatClassEval = AbstractEval<FloatClassDomain>;

// Takes a fact into account: comparisons of a float term with another (so neither is NaN, and
// bounds by sign), isnan(x), not isnan(x), Same, and conjunctions.
void learn(FloatClassEval& eval, Expr fact);

}  // namespace proviso::ir
