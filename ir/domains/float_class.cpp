#include "ir/domains/float_class.h"

#include <array>
#include <cmath>
#include <limits>

namespace proviso::ir {

namespace {

using C = FloatClass;
using Mask = std::uint16_t;

constexpr std::array<Mask, 9> kClasses = {C::kNan,          C::kNegInf,    C::kNegNormal,
                                          C::kNegSubnormal, C::kNegZero,   C::kPosZero,
                                          C::kPosSubnormal, C::kPosNormal, C::kPosInf};

Mask mask_of(int classes) {
    return static_cast<Mask>(classes);
}

bool is_negative(Mask c) {
    return (c & C::kNegative) != 0;
}

Mask opposite_sign(Mask a) {
    // Bits 1..8 are ordered from -inf to +inf.
    Mask out = a & C::kNan;
    for (int bit = 1; bit <= 8; ++bit) {
        if ((a & (1 << bit)) != 0) out = mask_of(out | (1 << (9 - bit)));
    }
    return out;
}

// What the magnitude is, as the class of the positive number.
Mask magnitude(Mask c) {
    return is_negative(c) ? opposite_sign(c) : c;
}

Mask with_sign(Mask positive, bool negative) {
    return negative ? opposite_sign(positive) : positive;
}

// The operators on two single classes. Exponent ranges that they rely on hold for all four types:
// a product of two subnormals underflows to zero, one of a normal and a subnormal cannot overflow,
// a quotient of two subnormals is normal.

Mask add_classes(Mask a, Mask b) {
    if (a == C::kNan || b == C::kNan) return C::kNan;
    if ((a & C::kInfinities) != 0) return (b & C::kInfinities) != 0 && a != b ? C::kNan : a;
    if ((b & C::kInfinities) != 0) return b;
    if ((a & C::kZeros) != 0 && (b & C::kZeros) != 0) return a == b ? a : C::kPosZero;
    if ((a & C::kZeros) != 0) return b;
    if ((b & C::kZeros) != 0) return a;
    const Mask p = magnitude(a);
    const Mask q = magnitude(b);
    if (is_negative(a) == is_negative(b)) {
        Mask sum = C::kPosNormal;  // normal + subnormal: half a unit in the last place at the most
        if (p == q && p == C::kPosNormal) sum = C::kPosNormal | C::kPosInf;
        if (p == q && p == C::kPosSubnormal) sum = C::kPosNormal | C::kPosSubnormal;
        return with_sign(sum, is_negative(a));
    }
    // A difference is exact when it is small, and +0.0 only for equal magnitudes.
    const Mask small = C::kPosSubnormal;
    if (p == q) {
        const Mask either = p == C::kPosNormal ? mask_of(C::kPosNormal | small) : small;
        return mask_of(either | opposite_sign(either) | C::kPosZero);
    }
    return with_sign(C::kPosNormal | C::kPosSubnormal,
                     p == C::kPosNormal ? is_negative(a) : is_negative(b));
}

Mask multiply_classes(Mask a, Mask b) {
    if (a == C::kNan || b == C::kNan) return C::kNan;
    const Mask p = magnitude(a);
    const Mask q = magnitude(b);
    const bool negative = is_negative(a) != is_negative(b);
    const Mask either = p | q;
    if ((either & C::kPosInf) != 0) {
        return (either & C::kPosZero) != 0 ? Mask{C::kNan} : with_sign(C::kPosInf, negative);
    }
    if ((either & C::kPosZero) != 0) return with_sign(C::kPosZero, negative);
    Mask product = C::kPosNormal | C::kPosSubnormal | C::kPosZero;
    if (p == q) {
        product = p == C::kPosNormal ? mask_of(product | C::kPosInf) : Mask{C::kPosZero};
    }
    return with_sign(product, negative);
}

Mask divide_classes(Mask a, Mask b) {
    if (a == C::kNan || b == C::kNan) return C::kNan;
    const Mask p = magnitude(a);
    const Mask q = magnitude(b);
    const bool negative = is_negative(a) != is_negative(b);
    if (p == q && (p == C::kPosInf || p == C::kPosZero)) return C::kNan;
    if (p == C::kPosInf || q == C::kPosZero) return with_sign(C::kPosInf, negative);
    if (p == C::kPosZero || q == C::kPosInf) return with_sign(C::kPosZero, negative);
    Mask quotient = C::kPosNormal;
    if (p == C::kPosNormal && q == C::kPosNormal) quotient = C::kPosFinite | C::kPosInf;
    if (p == C::kPosNormal && q == C::kPosSubnormal) quotient = C::kPosNormal | C::kPosInf;
    if (p == C::kPosSubnormal && q == C::kPosNormal) quotient = C::kPosFinite;
    return with_sign(quotient, negative);
}

// Where a class lies on the line; both zeros at one place.
int rank(Mask c) {
    switch (c) {
        case C::kNegInf: return -3;
        case C::kNegNormal: return -2;
        case C::kNegSubnormal: return -1;
        case C::kPosSubnormal: return 1;
        case C::kPosNormal: return 2;
        case C::kPosInf: return 3;
        default: return 0;
    }
}

// Of two values in one rank, can they differ? Zeros and infinities are equal.
bool is_spread(Mask c) {
    const int r = rank(c);
    return r != 0 && r != 3 && r != -3;
}

Mask less_classes(Mask a, Mask b, bool one_value) {
    if (a == C::kNan || b == C::kNan) return C::kFalse;
    if (rank(a) != rank(b)) return rank(a) < rank(b) ? C::kTrue : C::kFalse;
    return is_spread(a) && !one_value ? Mask{C::kAnyBool} : Mask{C::kFalse};
}

Mask equal_classes(Mask a, Mask b, bool one_value) {
    if (a == C::kNan || b == C::kNan || rank(a) != rank(b)) return C::kFalse;
    return is_spread(a) && !one_value ? Mask{C::kAnyBool} : Mask{C::kTrue};
}

Mask same_classes(Mask a, Mask b, bool one_value) {
    if (a != b) return C::kFalse;
    return is_spread(a) && !one_value ? Mask{C::kAnyBool} : Mask{C::kTrue};
}

Mask not_mask(Mask a) {
    Mask out = 0;
    if ((a & C::kFalse) != 0) out |= C::kTrue;
    if ((a & C::kTrue) != 0) out |= C::kFalse;
    return out;
}

// y < x ? y : x, and x < y ? y : x.
Mask extremum_classes(Op op, Mask a, Mask b) {
    const Mask takes_b = op == Op::Min ? less_classes(b, a, false) : less_classes(a, b, false);
    Mask out = 0;
    if ((takes_b & C::kTrue) != 0) out |= b;
    if ((takes_b & C::kFalse) != 0) out |= a;
    return out;
}

Mask pair_result(Op op, Mask a, Mask b, bool one_value) {
    switch (op) {
        case Op::Add: return add_classes(a, b);
        case Op::Sub: {
            if (one_value) {  // x - x
                return (a & (C::kNan | C::kInfinities)) != 0 ? C::kNan : C::kPosZero;
            }
            return add_classes(a, opposite_sign(b));
        }
        case Op::Mul: return multiply_classes(a, b);
        case Op::Div:
            if (one_value && rank(a) != 0 && std::abs(rank(a)) < 3) return C::kPosNormal;  // 1.0
            return divide_classes(a, b);
        case Op::Min:
        case Op::Max: return extremum_classes(op, a, b);
        case Op::Eq: return equal_classes(a, b, one_value);
        case Op::Ne: return not_mask(equal_classes(a, b, one_value));
        case Op::Lt: return less_classes(a, b, one_value);
        case Op::Le:
            if (a == C::kNan || b == C::kNan) return C::kFalse;
            return not_mask(less_classes(b, a, one_value));
        default: return same_classes(a, b, one_value);
    }
}

Mask binary(const ExprNode& e, Mask a, Mask b) {
    const bool one_value = same_operand(e);
    Mask out = 0;
    for (const Mask x : kClasses) {
        if ((a & x) == 0) continue;
        for (const Mask y : kClasses) {
            if ((b & y) == 0 || (one_value && x != y)) continue;
            out |= pair_result(e.op, x, y, one_value);
        }
    }
    return out;
}

struct Extremes {
    double min_subnormal;
    double max_subnormal;
    double min_normal;
    double max_normal;
};

Extremes extremes(ScalarType type) {
    if (type == kFloat64) {
        return {0x1p-1074, 0x1p-1022 - 0x1p-1074, 0x1p-1022, std::numeric_limits<double>::max()};
    }
    if (type == kFloat32) return {0x1p-149, 0x1p-126 - 0x1p-149, 0x1p-126, 0x1.fffffep127};
    if (type == kBFloat16) return {0x1p-133, 0x1p-126 - 0x1p-133, 0x1p-126, 0x1.fep127};
    return {0x1p-24, 0x1p-14 - 0x1p-24, 0x1p-14, 65504.0};
}

Mask class_of(ScalarType type, double x) {
    if (std::isnan(x)) return C::kNan;
    const double m = std::fabs(x);
    Mask out = C::kPosNormal;
    if (std::isinf(m)) {
        out = C::kPosInf;
    } else if (m == 0) {
        out = C::kPosZero;
    } else if (m < extremes(type).min_normal) {
        out = C::kPosSubnormal;
    }
    return with_sign(out, std::signbit(x));
}

// All classes between two positive ones.
Mask between(Mask lo, Mask hi) {
    Mask out = 0;
    for (int c = lo; c <= hi; c <<= 1) out = mask_of(out | c);
    return out;
}

// Rounding is monotone: a class goes to what lies between the images of its ends.
Mask float_cast(ScalarType from, ScalarType to, Mask c) {
    const Mask p = magnitude(c);
    if ((p & (C::kPosNormal | C::kPosSubnormal)) == 0) return c;
    const Extremes x = extremes(from);
    const bool normal = p == C::kPosNormal;
    const Mask lo = class_of(to, round_to_type(to, normal ? x.min_normal : x.min_subnormal));
    const Mask hi = class_of(to, round_to_type(to, normal ? x.max_normal : x.max_subnormal));
    return with_sign(between(lo, hi), is_negative(c));
}

// Rounding to integral values: never subnormal, the sign stays.
Mask integral(MathFn fn, Mask c) {
    const Mask p = magnitude(c);
    if ((p & (C::kPosNormal | C::kPosSubnormal)) == 0) return c;
    const bool negative = is_negative(c);
    const bool away = fn == (negative ? MathFn::Floor : MathFn::Ceil);
    const bool normal = p == C::kPosNormal;
    if (away) return with_sign(C::kPosNormal, negative);
    return with_sign(normal ? mask_of(C::kPosNormal | C::kPosZero) : Mask{C::kPosZero}, negative);
}

Mask math_class(MathFn fn, Mask c) {
    switch (fn) {
        case MathFn::Abs: return magnitude(c);
        case MathFn::Sqrt:
            if (c == C::kPosSubnormal) return C::kPosNormal;
            return is_negative(c) && c != C::kNegZero ? Mask{C::kNan} : c;
        case MathFn::Floor:
        case MathFn::Ceil:
        case MathFn::Trunc:
        case MathFn::Round: return integral(fn, c);
        case MathFn::IsNan: return c == C::kNan ? C::kTrue : C::kFalse;
        // Libraries differ: nothing is claimed of what is only compared within ULPs.
        default: return C::kAnyFloat;
    }
}

template <typename F>
Mask each_class(Mask a, F f) {
    Mask out = 0;
    for (const Mask c : kClasses) {
        if ((a & c) != 0) out |= f(c);
    }
    return out;
}

// Integers are zero or at least 1 in magnitude, and zero is +0.0.
Mask integer_cast(ScalarType from, ScalarType to, Reading reading) {
    Mask out = C::kPosZero | C::kPosNormal;
    if (from.is_signed()) out |= C::kNegNormal;
    const bool any_size = reading == Reading::Formula && from.is_exact_int();
    const auto highest = static_cast<double>(from.max_value());
    if (any_size || std::isinf(round_to_type(to, highest))) {
        out |= from.is_signed() ? Mask{C::kInfinities} : Mask{C::kPosInf};
    }
    return out;
}

Mask cast(ScalarType from, ScalarType to, Mask a, Reading reading) {
    if (to.is_int()) return C::kInteger;
    if (from.is_int()) return to.is_bool() ? Mask{C::kAnyBool} : integer_cast(from, to, reading);
    if (from.is_bool()) {
        if (to.is_bool()) return a;
        Mask out = 0;
        if ((a & C::kFalse) != 0) out |= C::kPosZero;
        if ((a & C::kTrue) != 0) out |= C::kPosNormal;
        return out;
    }
    if (to.is_bool()) {
        return each_class(
            a, [](Mask c) { return rank(c) == 0 && c != C::kNan ? C::kFalse : C::kTrue; });
    }
    return each_class(a, [&](Mask c) { return float_cast(from, to, c); });
}

Mask logic(Op op, Mask a, Mask b) {
    const Mask decisive = op == Op::And ? C::kFalse : C::kTrue;
    Mask out = a & decisive;
    if ((a & ~decisive & C::kAnyBool) != 0) out |= b;
    return out;
}

Mask bool_equality(const ExprNode& e, Mask a, Mask b) {
    Mask equal = 0;
    if ((a & b) != 0) equal |= C::kTrue;
    if (!same_operand(e) && (a != b || a == C::kAnyBool)) equal |= C::kFalse;
    return e.op == Op::Ne ? not_mask(equal) : equal;
}

Mask comparison(const ExprNode& e, Mask a, Mask b) {
    const ScalarType type = e.arg(0)->type;
    if (type.is_float()) return binary(e, a, b);
    return type.is_bool() ? bool_equality(e, a, b) : Mask{C::kAnyBool};
}

}  // namespace

FloatClass FloatClass::any(ScalarType type) {
    if (type.is_bool()) return {kAnyBool};
    return {type.is_float() ? kAnyFloat : Mask{kInteger}};
}

FloatClass FloatClass::of(ScalarType type, const Value& value) {
    if (type.is_bool()) return truth(value.truth());
    return {type.is_float() ? class_of(type, value.real()) : Mask{kInteger}};
}

std::string FloatClass::str() const {
    static constexpr std::array<const char*, 12> names = {
        "nan",        "-inf",    "-normal", "-subnormal", "-0",   "+0",
        "+subnormal", "+normal", "+inf",    "false",      "true", "integer"};
    std::string out;
    for (std::size_t bit = 0; bit < names.size(); ++bit) {
        if ((mask & (1U << bit)) == 0) continue;
        out += (out.empty() ? "" : ", ") + std::string(names[bit]);
    }
    return "{" + out + "}";
}

std::optional<ir::Value> FloatClassDomain::as_constant(const FloatClass& a) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    switch (a.mask) {
        case C::kNan: return ir::Value::of_float(std::numeric_limits<double>::quiet_NaN());
        case C::kNegInf: return ir::Value::of_float(-inf);
        case C::kNegZero: return ir::Value::of_float(-0.0);
        case C::kPosZero: return ir::Value::of_float(0.0);
        case C::kPosInf: return ir::Value::of_float(inf);
        case C::kFalse: return ir::Value::of_bool(false);
        case C::kTrue: return ir::Value::of_bool(true);
        default: return std::nullopt;
    }
}

std::optional<FloatClass> FloatClassDomain::meet(const FloatClass& a, const FloatClass& b) {
    const Mask both = a.mask & b.mask;
    if (both == 0) return std::nullopt;
    return FloatClass{both};
}

FloatClass FloatClassDomain::apply(const ExprNode& e, std::span<const FloatClass> args,
                                   Reading reading) {
    const ScalarType type = e.arg(0)->type;
    switch (e.op) {
        case Op::Neg:
            if (!type.is_float()) return FloatClass::any(type);
            return {opposite_sign(args[0].mask)};
        case Op::Not: return {not_mask(args[0].mask)};
        case Op::Cast: return {cast(type, e.type, args[0].mask, reading)};
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Div:
        case Op::Min:
        case Op::Max:
            if (!type.is_float()) return FloatClass::any(type);
            return {binary(e, args[0].mask, args[1].mask)};
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le:
        case Op::Same: return {comparison(e, args[0].mask, args[1].mask)};
        case Op::And:
        case Op::Or: return {logic(e.op, args[0].mask, args[1].mask)};
        case Op::Select:
        case Op::IfThenElse:
            if (args[0].is_true()) return args[1];
            if (args[0].is_false()) return args[2];
            return {mask_of(args[1].mask | args[2].mask)};
        case Op::Math:
            if (!type.is_float()) return FloatClass::any(e.type);
            return {each_class(args[0].mask, [&](Mask c) { return math_class(e.math_fn(), c); })};
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod:
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr:
        case Op::Defined: return FloatClass::any(e.type);
        case Op::IntImm:
        case Op::FloatImm:
        case Op::Var:
        case Op::Undef:
        case Op::Let:
        case Op::Load:
        case Op::CallExtern: break;
    }
    PROVISO_CHECK(false, "float class: the operator is the evaluator's");
}

namespace {

// The classes of `a` that can stand in a true `a op b` with some class of `b`, seen from either
// side.
Mask possible(Op op, Mask a, Mask b, bool a_is_left) {
    return each_class(a, [&](Mask x) {
        for (const Mask y : kClasses) {
            if ((b & y) == 0) continue;
            const Mask result =
                a_is_left ? pair_result(op, x, y, false) : pair_result(op, y, x, false);
            if ((result & C::kTrue) != 0) return x;
        }
        return Mask{0};
    });
}

}  // namespace

void learn(FloatClassEval& eval, Expr fact) {
    if (fact->op == Op::And) {
        learn(eval, fact->arg(0));
        learn(eval, fact->arg(1));
        return;
    }
    const bool negated = fact->op == Op::Not;
    Expr claim = negated ? fact->arg(0) : fact;
    if (claim->op == Op::Math && claim->math_fn() == MathFn::IsNan) {
        const int others = C::kAnyFloat & ~C::kNan;
        eval.know(claim->arg(0), FloatClass{negated ? mask_of(others) : Mask{C::kNan}});
        return;
    }
    const OpClass kind = op_info(fact->op).op_class;
    if (kind != OpClass::Comparison || !fact->arg(0)->type.is_float()) return;
    const Mask a = eval(fact->arg(0)).mask;
    const Mask b = eval(fact->arg(1)).mask;
    const Mask left = possible(fact->op, a, b, true);
    const Mask right = possible(fact->op, b, a, false);
    if (left != 0 && !is_const(fact->arg(0))) eval.know(fact->arg(0), FloatClass{left});
    if (right != 0 && !is_const(fact->arg(1))) eval.know(fact->arg(1), FloatClass{right});
}

}  // namespace proviso::ir
