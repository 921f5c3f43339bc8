// The table of operators on concrete values: one small function a family, one switch over Op.
#include <cmath>
#include <cstdint>

#include "ir/domains/value.h"
#include "ir/planted.h"

namespace proviso::ir {

namespace {

// A product beyond this many bits is refused as a step limit: shared terms such as x * x, squared
// again and again, would otherwise grow beyond memory.
constexpr std::size_t kMaxProductBits = 1U << 20;

Value wrapped(ScalarType type, Integer value) {
    return Value::of_int(type.is_wrapping_int() ? value.wrap(type) : std::move(value));
}

template <typename F>
Value float_result(ScalarType type, double a, double b, F operation) {
    if (type == kFloat32) {
        const float r = operation(static_cast<float>(a), static_cast<float>(b));
        return Value::of_float(static_cast<double>(r));
    }
    return Value::of_float(type, operation(a, b));
}

// What an operator whose result no range holds gives where an operand is `indet`: some definite
// value in its place could leave the type's range (docs/semantics.md, "undef, indet, assume").
Evaluated of_indet(ScalarType type) {
    if (type.is_exact_int() && !planted("semantics:indet-arithmetic")) return FaultKind::IndetUse;
    return Value::indet();
}

Evaluated arithmetic(Op op, ScalarType type, const Value& a, const Value& b) {
    if (a.is_indet() || b.is_indet()) return of_indet(type);
    if (type.is_float()) {
        const double x = a.real();
        const double y = b.real();
        return float_result(type, x, y, [op](auto p, auto q) {
            if (op == Op::Add) return p + q;
            if (op == Op::Sub) return p - q;
            return op == Op::Mul ? p * q : p / q;
        });
    }
    const Integer& x = a.integer();
    const Integer& y = b.integer();
    if (op == Op::Add) return wrapped(type, x + y);
    if (op == Op::Sub) return wrapped(type, x - y);
    const bool huge = !x.to_int128() || !y.to_int128();
    if (huge && x.bit_length() + y.bit_length() > kMaxProductBits) return FaultKind::StepLimit;
    return wrapped(type, x * y);
}

Evaluated division(Op op, ScalarType type, const Value& a, const Value& b) {
    if (!observable(type, a) || !observable(type, b)) return FaultKind::OutOfRange;
    if (b.is_indet()) return FaultKind::IndetUse;
    if (b.integer().is_zero()) return FaultKind::ZeroDivisor;
    if (a.is_indet()) {
        // It could be the MIN of MIN // -1.
        const bool may_leave = type.is_signed() && b.integer() == Integer(-1);
        if (may_leave && !planted("semantics:indet-quotient")) return FaultKind::IndetUse;
        return Value::indet();
    }
    const Integer& x = a.integer();
    const Integer& y = b.integer();
    const bool floor = op == Op::FloorDiv || op == Op::FloorMod;
    Integer quotient = floor ? floordiv(x, y) : truncdiv(x, y);
    if (!quotient.in_range(type)) return FaultKind::QuotientOutOfRange;
    if (op == Op::FloorDiv || op == Op::TruncDiv) return Value::of_int(std::move(quotient));
    return Value::of_int(x - quotient * y);
}

// y < x ? y : x for Min, x < y ? y : x for Max, on all numbers.
Evaluated extremum(Op op, ScalarType type, const Value& a, const Value& b) {
    if (!observable(type, a) || !observable(type, b)) return FaultKind::OutOfRange;
    if (a.is_indet() || b.is_indet()) return Value::indet();
    const Value& less = op == Op::Min ? b : a;
    const Value& more = op == Op::Min ? a : b;
    const bool take_second =
        type.is_float() ? less.real() < more.real() : less.integer() < more.integer();
    return take_second ? b : a;
}

Evaluated comparison(Op op, ScalarType type, const Value& a, const Value& b) {
    if (op == Op::Same) {
        if (a.is_indet() || b.is_indet()) return Value::indet();
        return Value::of_bool(a == b);
    }
    if (!observable(type, a) || !observable(type, b)) return FaultKind::OutOfRange;
    if (a.is_indet() || b.is_indet()) return Value::indet();
    const auto compare = [op](const auto& x, const auto& y) {
        if (op == Op::Eq || op == Op::Ne) return (x == y) == (op == Op::Eq);
        return op == Op::Lt ? x < y : x <= y;
    };
    return Value::of_bool(type.is_float() ? compare(a.real(), b.real())
                                          : compare(a.integer(), b.integer()));
}

Evaluated bits(Op op, ScalarType type, const Value& a, const Value& b) {
    if (!observable(type, a) || !observable(type, b)) return FaultKind::OutOfRange;
    const bool is_shift = op == Op::Shl || op == Op::Shr;
    if (is_shift && b.is_indet() && !planted("semantics:indet-shift")) return FaultKind::IndetUse;
    if (is_shift && !b.is_indet() && (b.integer() < 0 || b.integer() >= Integer(type.bits))) {
        return FaultKind::Shift;
    }
    if (op == Op::Shl && a.is_indet()) return of_indet(type);
    if (a.is_indet() || b.is_indet()) return Value::indet();
    // Observed, so both fit.
    const Int128 x = *a.integer().to_int128();
    const Int128 y = *b.integer().to_int128();
    if (op == Op::BitAnd) return Value::of_int(x & y);
    if (op == Op::BitOr) return Value::of_int(x | y);
    if (op == Op::BitXor) return Value::of_int(x ^ y);
    if (op == Op::Shr) return Value::of_int(x >> static_cast<int>(y));
    return wrapped(type, Integer(x) * Integer::power_of_two(static_cast<unsigned>(y)));
}

// An integer of at most 64 bits of magnitude, rounded once to a float type. A double would round it
// a first time; rounding to odd keeps what the second rounding needs (Boldo and Melquiond 2008).
double integer_to_float(ScalarType type, Int128 value) {
    const bool negative = value < 0;
    const auto magnitude = static_cast<std::uint64_t>(negative ? -value : value);
    double result = 0;
    if (type == kFloat64) {
        result = static_cast<double>(magnitude);
    } else if ((magnitude >> 53) == 0) {
        result = round_to_type(type, static_cast<double>(magnitude));
    } else {
        constexpr int shift = 11;  // 64 bits to 53
        std::uint64_t kept = magnitude >> shift;
        if ((kept << shift) != magnitude) kept |= 1;
        result = round_to_type(type, std::ldexp(static_cast<double>(kept), shift));
    }
    return negative ? -result : result;
}

Evaluated cast(ScalarType from, ScalarType to, const Value& a) {
    if (!observable(from, a)) return FaultKind::OutOfRange;
    if (a.is_indet()) {
        const bool may_not_fit = from.is_float() && to.is_int();
        if (may_not_fit && !planted("semantics:indet-cast")) return FaultKind::IndetUse;
        return Value::indet();
    }
    if (to.is_bool()) {
        return Value::of_bool(from.is_float() ? a.real() != 0.0 : !a.integer().is_zero());
    }
    if (to.is_float()) {
        if (from.is_float()) return Value::of_float(to, a.real());
        return Value::of_float(integer_to_float(to, *a.integer().to_int128()));
    }
    if (!from.is_float()) return Value::of_int(a.integer().wrap(to));
    const double truncated = std::trunc(a.real());
    if (!(std::fabs(truncated) < 0x1p100)) return FaultKind::Cast;  // infinities and NaN too
    const auto integer = static_cast<Int128>(truncated);
    if (!to.contains(integer)) return FaultKind::Cast;
    return Value::of_int(integer);
}

Evaluated negation(ScalarType type, const Value& a) {
    if (a.is_indet()) return of_indet(type);
    if (type.is_float()) return Value::of_float(-a.real());
    return wrapped(type, -a.integer());
}

double inexact_math(MathFn fn, double x, double y) {
    switch (fn) {
        case MathFn::Exp: return std::exp(x);
        case MathFn::Exp2: return std::exp2(x);
        case MathFn::Log: return std::log(x);
        case MathFn::Log2: return std::log2(x);
        case MathFn::Sin: return std::sin(x);
        case MathFn::Cos: return std::cos(x);
        case MathFn::Tanh: return std::tanh(x);
        case MathFn::Sigmoid: return 1.0 / (1.0 + std::exp(-x));
        case MathFn::Erf: return std::erf(x);
        case MathFn::Pow: return std::pow(x, y);
        default: PROVISO_CHECK(false, "an exact function among the inexact ones");
    }
}

Evaluated math(MathFn fn, ScalarType type, std::span<const Value> args) {
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (!observable(type, args[i])) return FaultKind::OutOfRange;
    }
    for (const Value& a : args) {
        if (a.is_indet()) return of_indet(type);  // abs(MIN) is out of range, too
    }
    if (!type.is_float()) return wrapped(type, abs(args[0].integer()));  // Abs
    const double x = args[0].real();
    switch (fn) {
        case MathFn::Abs: return Value::of_float(std::fabs(x));
        case MathFn::Sqrt: return Value::of_float(type, std::sqrt(x));
        case MathFn::Floor: return Value::of_float(std::floor(x));
        case MathFn::Ceil: return Value::of_float(std::ceil(x));
        case MathFn::Trunc: return Value::of_float(std::trunc(x));
        case MathFn::Round: return Value::of_float(std::nearbyint(x));
        case MathFn::IsNan: return Value::of_bool(std::isnan(x));
        default: break;
    }
    return Value::of_float(type, inexact_math(fn, x, args.size() > 1 ? args[1].real() : 0.0));
}

// An indeterminate condition could choose either arm, so both are observed.
Evaluated select(ScalarType type, std::span<const Value> args) {
    if (!args[0].is_indet()) return args[0].truth() ? args[1] : args[2];
    const bool fit = observable(type, args[1]) && observable(type, args[2]);
    if (!fit && !planted("semantics:indet-choice")) return FaultKind::IndetUse;
    return Value::indet();
}

// And stops at a false left side, Or at a true one.
Evaluated logic(Op op, std::span<const Value> args) {
    if (args[0].is_indet()) return FaultKind::IndetUse;
    const bool decided = op == Op::And ? !args[0].truth() : args[0].truth();
    return decided ? args[0] : args[1];
}

}  // namespace

Evaluated eval_op(const ExprNode& e, std::span<const Value> args) {
    PROVISO_CHECK(args.size() == e.args.size(), "eval_op: other number of arguments");
    const ScalarType type = e.args.empty() ? e.type : e.arg(0)->type;
    switch (e.op) {
        case Op::IntImm: return Value::of_int(e.int_value());
        case Op::FloatImm: return Value::of_float(e.float_value());
        case Op::Undef: return Value::indet();
        case Op::Neg: return negation(type, args[0]);
        case Op::Not:
            if (args[0].is_indet()) return Value::indet();
            return Value::of_bool(!args[0].truth());
        case Op::Cast: return cast(type, e.type, args[0]);
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Div: return arithmetic(e.op, type, args[0], args[1]);
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return division(e.op, type, args[0], args[1]);
        case Op::Min:
        case Op::Max: return extremum(e.op, type, args[0], args[1]);
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le:
        case Op::Same: return comparison(e.op, type, args[0], args[1]);
        case Op::And:
        case Op::Or: return logic(e.op, args);
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr: return bits(e.op, type, args[0], args[1]);
        case Op::Select: return select(e.type, args);
        case Op::IfThenElse:
            if (args[0].is_indet()) return FaultKind::IndetUse;
            return args[0].truth() ? args[1] : args[2];
        case Op::Math: return math(e.math_fn(), type, args);
        case Op::Defined: return Value::of_bool(!args[0].is_indet());
        case Op::Var:
        case Op::Let:
        case Op::Load:
        case Op::CallExtern: break;
    }
    PROVISO_CHECK(false, "eval_op: the operator needs an environment");
}

}  // namespace proviso::ir
