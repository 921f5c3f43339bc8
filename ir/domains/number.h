// What intervals, congruences and known bits know of an integer together: their reduced product.
// Each tells the others what follows for them:
//   x in [0, 7]                 all bits of x from 3 on are 0
//   x is 8k                     the bits 0, 1, 2 of x are 0, and x in [1, 30] is x in [8, 24]
//   x is ...0??00               x in [0, 12], and x is 4k
#pragma once

#include <optional>
#include <string>

#include "ir/domains/congruence.h"
#include "ir/domains/interval.h"
#include "ir/domains/known_bits.h"

namespace proviso::ir {

// True of a value: all three. Of a float none of them says anything.
struct Number {
    Interval range;
    Congruence rest;
    KnownBits bits;

    static Number all() { return {}; }
    static Number of(ScalarType type);
    static Number of(const Interval& range);  // reduced
    bool contains(const Integer& value) const {
        return range.contains(value) && rest.contains(value) && bits.contains(value);
    }
    bool is_constant() const { return range.is_constant(); }
    bool operator==(const Number&) const = default;
    std::string str() const;  // "[0, 24], 8k, ...0??000"
};

// What one domain says, said in another; the strongest that it can say.
KnownBits known_bits(const Interval& range);
KnownBits known_bits(const Congruence& rest);
Interval interval(const KnownBits& bits);
Congruence congruence(const KnownBits& bits);

// Each part narrowed by the others, to a fixed point of a few rounds; none: no such integer.
std::optional<Number> reduced(Number a);

Number join(const Number& a, const Number& b);
std::optional<Number> meet(const Number& a, const Number& b);  // none: impossible

struct NumberDomain {
    using Value = Number;
    static Number top(ScalarType type) { return Number::of(type); }
    static Number constant(ScalarType type, const ir::Value& value);
    static std::optional<ir::Value> as_constant(const Number& a) {
        return IntervalDomain::as_constant(a.range);
    }
    static std::optional<Number> meet(const Number& a, const Number& b) { return ir::meet(a, b); }
    // Also: operands without a common bit make  |  and  ^  a sum.
    static Number apply(const ExprNode& e, std::span<const Number> args, Reading reading);
};

using NumberEval = AbstractEval<NumberDomain>;

// Takes a fact into account: what learn() for intervals and for congruences takes, and
// x & mask == constant.
void learn(NumberEval& eval, Expr fact);

}  // namespace proviso::ir
