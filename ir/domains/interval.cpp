#include "ir/domains/interval.h"

#include "ir/planted.h"

#include <initializer_list>

namespace proviso::ir {

namespace {

// An end of an interval: an integer, or infinite (-1, +1).
struct End {
    int infinite = 0;
    Integer value;

    int sign() const { return infinite != 0 ? infinite : value.sign(); }
    End operator-() const { return infinite != 0 ? End{-infinite, 0} : End{0, -value}; }
};

bool less(const End& a, const End& b) {
    if (a.infinite != 0 || b.infinite != 0) return a.infinite < b.infinite;
    return a.value < b.value;
}

End lower(const Interval& a) {
    return a.lo ? End{0, *a.lo} : End{-1, 0};
}
End upper(const Interval& a) {
    return a.hi ? End{0, *a.hi} : End{1, 0};
}

Interval from_ends(const End& lo, const End& hi) {
    Interval out;
    if (lo.infinite == 0) out.lo = lo.value;
    if (hi.infinite == 0) out.hi = hi.value;
    return out;
}

Interval hull(std::initializer_list<End> ends) {
    End lo = *ends.begin();
    End hi = lo;
    for (const End& e : ends) {
        if (less(e, lo)) lo = e;
        if (less(hi, e)) hi = e;
    }
    return from_ends(lo, hi);
}

Interval add(const Interval& a, const Interval& b) {
    Interval out;
    if (a.lo && b.lo) out.lo = *a.lo + *b.lo;
    if (a.hi && b.hi) out.hi = *a.hi + *b.hi;
    return out;
}

Interval negate(const Interval& a) {
    return from_ends(-upper(a), -lower(a));
}

End times(const End& a, const End& b) {
    const int sign = a.sign() * b.sign();
    if (sign == 0) return {};
    if (a.infinite != 0 || b.infinite != 0) return {sign, 0};
    return {0, a.value * b.value};
}

Interval multiply(const Interval& a, const Interval& b) {
    return hull({times(lower(a), lower(b)), times(lower(a), upper(b)), times(upper(a), lower(b)),
                 times(upper(a), upper(b))});
}

std::optional<Interval> join(const std::optional<Interval>& a, const std::optional<Interval>& b) {
    if (!a) return b;
    if (!b) return a;
    return ir::join(*a, *b);
}

// Division. The divisor is split at 0; a negative one is turned round together with the dividend.

End quotient(const End& x, const End& y, bool floors) {
    const bool rounds_below_zero = floors && x.sign() < 0;
    if (y.infinite != 0) return {0, rounds_below_zero ? -1 : 0};  // the limit
    if (x.infinite != 0) return x;
    return {0, floors ? floordiv(x.value, y.value) : truncdiv(x.value, y.value)};
}

// For a positive divisor the quotient is monotone in the dividend, and in the divisor for each sign
// of the dividend: its extremes are at the corners.
Interval divide_by_positive(const Interval& a, const Interval& b, bool floors) {
    return hull({quotient(lower(a), lower(b), floors), quotient(lower(a), upper(b), floors),
                 quotient(upper(a), lower(b), floors), quotient(upper(a), upper(b), floors)});
}

Interval floormod_positive(const Interval& a, const Interval& b) {
    if (b.is_constant() && a.lo && a.hi && floordiv(*a.lo, *b.lo) == floordiv(*a.hi, *b.lo)) {
        return {floormod(*a.lo, *b.lo), floormod(*a.hi, *b.lo)};
    }
    Interval out{Integer(0), std::nullopt};
    if (b.hi) out.hi = *b.hi - 1;
    if (a.lo && a.lo->sign() >= 0) {
        if (a.hi && *a.hi < *b.lo) return a;
        if (a.hi && (!out.hi || *a.hi < *out.hi)) out.hi = *a.hi;
    }
    return out;
}

// The remainder has the dividend's sign and is smaller than the divisor.
Interval truncmod_positive(const Interval& a, const Interval& b) {
    const auto above = meet(a, Interval{Integer(0), std::nullopt});
    const auto below = meet(a, Interval{std::nullopt, Integer(-1)});
    std::optional<Interval> out;
    if (above) out = floormod_positive(*above, b);
    if (below) out = join(out, negate(floormod_positive(negate(*below), b)));
    return *out;
}

Interval divide_by_positive(Op op, const Interval& a, const Interval& b) {
    switch (op) {
        case Op::FloorDiv: return divide_by_positive(a, b, true);
        case Op::TruncDiv: return divide_by_positive(a, b, false);
        case Op::FloorMod: return floormod_positive(a, b);
        default: return truncmod_positive(a, b);
    }
}

// None when every divisor is 0.
std::optional<Interval> divide(Op op, const Interval& a, const Interval& b) {
    const auto above = meet(b, Interval{Integer(1), std::nullopt});
    const auto below = meet(b, Interval{std::nullopt, Integer(-1)});
    std::optional<Interval> out;
    if (above) out = divide_by_positive(op, a, *above);
    if (!below) return out;
    Interval turned = divide_by_positive(op, negate(a), negate(*below));
    if (op == Op::FloorMod || op == Op::TruncMod) turned = negate(turned);
    return join(out, turned);
}

// The values that `a` wraps to: shifted as a whole if it lies in one window of the type's width.
Interval wrap(ScalarType type, const Interval& a) {
    if (!a.lo || !a.hi) return Interval::of(type);
    const Integer modulus = Integer::power_of_two(type.bits);
    const Integer lowest = type.min_value();
    if (floordiv(*a.lo - lowest, modulus) != floordiv(*a.hi - lowest, modulus)) {
        return Interval::of(type);
    }
    return {a.lo->wrap(type), a.hi->wrap(type)};
}

Interval ring_result(ScalarType type, const Interval& a) {
    return type.is_wrapping_int() ? wrap(type, a) : a;
}

// What is left of a value after it was observed. A value that is certainly out of range faults, and
// then anything may be said.
Interval observed(ScalarType type, const Interval& a, Reading reading) {
    if (reading == Reading::Formula || !type.is_exact_int()) return a;
    return meet(a, Interval::of(type)).value_or(Interval::of(type));
}

// A value that no rule speaks of.
Interval unspecified(ScalarType type) {
    return type.is_exact_int() || type.is_float() ? Interval::all() : Interval::of(type);
}

Interval division(const ExprNode& e, const Interval& a, const Interval& b, Reading reading) {
    if (reading == Reading::Formula && b.contains(0)) return unspecified(e.type);
    const std::optional<Interval> out = divide(e.op, a, b);
    if (!out) return unspecified(e.type);
    if (e.type.is_wrapping_int() && !out->within(Interval::of(e.type))) return Interval::of(e.type);
    return observed(e.type, *out, reading);
}

Interval shift(const ExprNode& e, const Interval& a, const Interval& amount, Reading reading) {
    const auto good = meet(amount, Interval::between(0, e.type.bits - 1));
    if (!good || (reading == Reading::Formula && *good != amount)) return unspecified(e.type);
    const Interval factor = {Integer::power_of_two(static_cast<unsigned>(*good->lo->to_int128())),
                             Integer::power_of_two(static_cast<unsigned>(*good->hi->to_int128()))};
    if (e.op == Op::Shl) return ring_result(e.type, multiply(a, factor));
    return divide_by_positive(a, factor, true);
}

// Bits of two's complement. `a` and `b` are in the type's range.
Interval bitwise(Op op, const Interval& a, const Interval& b) {
    const bool a_natural = a.lo->sign() >= 0;
    const bool b_natural = b.lo->sign() >= 0;
    if (op == Op::BitAnd && (a_natural || b_natural)) {
        // A natural operand bounds the result; so does the other one if it is natural too.
        if (a_natural && b_natural) return {Integer(0), min(*a.hi, *b.hi)};
        return {Integer(0), a_natural ? *a.hi : *b.hi};
    }
    unsigned width = 0;  // all of a and b lie in [-2^width, 2^width)
    for (const Integer* end : {&*a.lo, &*a.hi, &*b.lo, &*b.hi}) {
        const Integer magnitude = end->sign() < 0 ? -*end - 1 : *end;
        width = std::max(width, static_cast<unsigned>(magnitude.bit_length()));
    }
    const Integer limit = Integer::power_of_two(width);
    if (!a_natural || !b_natural) return {-limit, limit - 1};
    return {op == Op::BitOr ? max(*a.lo, *b.lo) : Integer(0), limit - 1};
}

Interval bits(const ExprNode& e, const Interval& a, const Interval& b, Reading reading) {
    if (e.op == Op::Shl || e.op == Op::Shr) return shift(e, a, b, reading);
    Interval range = Interval::of(e.type);
    if (!a.within(range) || !b.within(range)) return range;
    return bitwise(e.op, a, b);
}

Interval truth(bool value) {
    return Interval::at(value ? 1 : 0);
}
Interval opposite(const Interval& a) {
    return {1 - *a.hi, 1 - *a.lo};
}

Interval comparison(const ExprNode& e, const Interval& a, const Interval& b) {
    Interval unknown = Interval::of(kBool);
    if (e.arg(0)->type.is_float()) return unknown;
    const bool same = same_operand(e);
    switch (e.op) {
        case Op::Same:
        case Op::Eq:
            if (same || (a.is_constant() && a == b)) return truth(true);
            return meet(a, b) ? unknown : truth(false);
        case Op::Ne:
            if (same || (a.is_constant() && a == b)) return truth(false);
            return meet(a, b) ? unknown : truth(true);
        case Op::Lt:
            if (a.hi && b.lo && *a.hi < *b.lo) return truth(true);
            return same || (a.lo && b.hi && *a.lo >= *b.hi) ? truth(false) : unknown;
        default:
            if (same || (a.hi && b.lo && *a.hi <= *b.lo)) return truth(true);
            return a.lo && b.hi && *a.lo > *b.hi ? truth(false) : unknown;
    }
}

Interval extremum(Op op, const Interval& a, const Interval& b) {
    const auto pick = [&](const End& x, const End& y) {
        return less(y, x) == (op == Op::Min) ? y : x;
    };
    return from_ends(pick(lower(a), lower(b)), pick(upper(a), upper(b)));
}

Interval cast(ScalarType from, ScalarType to, const Interval& a, Reading reading) {
    if (to.is_bool()) {
        if (from.is_float() || (a.contains(0) && !a.is_constant())) return Interval::of(kBool);
        return truth(!a.contains(0));
    }
    if (to.is_float()) return Interval::all();
    if (from.is_float()) return reading == Reading::Formula ? unspecified(to) : Interval::of(to);
    const Interval operand = observed(from, a, reading);
    if (!operand.within(Interval::of(from))) return unspecified(to);
    return wrap(to, operand);
}

Interval absolute(ScalarType type, const Interval& a) {
    Interval out = a;
    if (!a.lo || a.lo->sign() < 0) {
        const Interval turned = negate(a);
        out = a.hi && a.hi->sign() <= 0 ? turned : Interval{Integer(0), join(a, turned).hi};
    }
    return ring_result(type, out);
}

Interval arithmetic(const ExprNode& e, const Interval& a, const Interval& b) {
    if (e.type.is_float()) return Interval::all();
    switch (e.op) {
        case Op::Add: return ring_result(e.type, add(a, b));
        case Op::Sub:
            if (same_operand(e)) return Interval::at(0);
            return ring_result(e.type, add(a, planted("domains:interval-sub") ? b : negate(b)));
        default: return ring_result(e.type, multiply(a, b));
    }
}

}  // namespace

Interval Interval::of(ScalarType type) {
    if (type.is_float()) return all();
    return {Integer(type.min_value()), Integer(type.max_value())};
}

std::string Interval::str() const {
    return "[" + (lo ? lo->str() : std::string("-inf")) + ", " +
           (hi ? hi->str() : std::string("inf")) + "]";
}

Interval join(const Interval& a, const Interval& b) {
    Interval out;
    if (a.lo && b.lo) out.lo = min(*a.lo, *b.lo);
    if (a.hi && b.hi) out.hi = max(*a.hi, *b.hi);
    return out;
}

std::optional<Interval> meet(const Interval& a, const Interval& b) {
    Interval out = a;
    if (b.lo && (!out.lo || *out.lo < *b.lo)) out.lo = b.lo;
    if (b.hi && (!out.hi || *b.hi < *out.hi)) out.hi = b.hi;
    if (out.lo && out.hi && *out.hi < *out.lo) return std::nullopt;
    return out;
}

Interval IntervalDomain::constant(ScalarType type, const ir::Value& value) {
    return type.is_float() ? Interval::all() : Interval::at(value.integer());
}

std::optional<ir::Value> IntervalDomain::as_constant(const Interval& a) {
    if (!a.is_constant()) return std::nullopt;
    return ir::Value::of_int(*a.lo);
}

Interval IntervalDomain::apply(const ExprNode& e, std::span<const Interval> args, Reading reading) {
    const ScalarType type = e.arg(0)->type;
    const auto operand = [&](std::size_t i) { return observed(e.arg(i)->type, args[i], reading); };
    switch (e.op) {
        case Op::Neg: return type.is_float() ? Interval::all() : ring_result(type, negate(args[0]));
        case Op::Not: return opposite(args[0]);
        case Op::Cast: return cast(type, e.type, args[0], reading);
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Div: return arithmetic(e, args[0], args[1]);
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return division(e, operand(0), operand(1), reading);
        case Op::Min:
        case Op::Max:
            return type.is_float() ? Interval::all() : extremum(e.op, operand(0), operand(1));
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le: return comparison(e, operand(0), operand(1));
        case Op::Same: return comparison(e, args[0], args[1]);
        case Op::And: return {min(*args[0].lo, *args[1].lo), min(*args[0].hi, *args[1].hi)};
        case Op::Or: return {max(*args[0].lo, *args[1].lo), max(*args[0].hi, *args[1].hi)};
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr: return bits(e, operand(0), operand(1), reading);
        case Op::Select:
        case Op::IfThenElse:
            if (args[0].is_constant()) return args[0].is_true() ? args[1] : args[2];
            return join(args[1], args[2]);
        case Op::Math: return type.is_float() ? Interval::of(e.type) : absolute(type, operand(0));
        case Op::Defined: return Interval::of(kBool);
        case Op::IntImm:
        case Op::FloatImm:
        case Op::Var:
        case Op::Undef:
        case Op::Let:
        case Op::Load:
        case Op::CallExtern: break;
    }
    PROVISO_CHECK(false, "interval: the operator is the evaluator's");
}

namespace {

using Know = std::function<void(Expr, const Interval&)>;

// `e` lies in `bound`. Follows `+`, `-` and `*` by constants down to what they are made of.
void learn_bound(const Know& know, Expr e, const Interval& bound) {
    if (is_const(e)) return;
    know(e, bound);
    const auto constant = [&](Expr c) {
        return is_int_const(c) ? std::optional<Integer>(c->int_value()) : std::nullopt;
    };
    if (e->op == Op::Neg) return learn_bound(know, e->arg(0), negate(bound));
    if (e->op == Op::Add) {
        if (const auto c = constant(e->arg(1))) {
            learn_bound(know, e->arg(0), add(bound, Interval::at(-*c)));
        } else if (const auto d = constant(e->arg(0))) {
            learn_bound(know, e->arg(1), add(bound, Interval::at(-*d)));
        }
    } else if (e->op == Op::Sub) {
        if (const auto c = constant(e->arg(1))) {
            learn_bound(know, e->arg(0), add(bound, Interval::at(*c)));
        } else if (const auto d = constant(e->arg(0))) {
            learn_bound(know, e->arg(1), negate(add(bound, Interval::at(-*d))));
        }
    } else if (e->op == Op::Mul) {
        const auto c = constant(e->arg(1)) ? constant(e->arg(1)) : constant(e->arg(0));
        if (!c || c->is_zero()) return;
        Expr factor = constant(e->arg(1)) ? e->arg(0) : e->arg(1);
        const Interval turned = c->sign() < 0 ? negate(bound) : bound;
        const Integer by = abs(*c);
        Interval quotient;  // lo <= by * x <= hi
        if (turned.lo) quotient.lo = -floordiv(-*turned.lo, by);
        if (turned.hi) quotient.hi = floordiv(*turned.hi, by);
        if (quotient.lo && quotient.hi && *quotient.hi < *quotient.lo) return;
        learn_bound(know, factor, quotient);
    }
}

}  // namespace

void bounds_of_fact(Expr fact, const std::function<Interval(Expr)>& value, const Know& know) {
    const bool is_comparison = fact->op == Op::Eq || fact->op == Op::Lt || fact->op == Op::Le;
    if (!is_comparison || !fact->arg(0)->type.is_exact_int()) return;
    Expr a = fact->arg(0);
    Expr b = fact->arg(1);
    const Interval known_a = value(a);
    const Interval known_b = value(b);
    if (fact->op == Op::Eq) {
        learn_bound(know, a, known_b);
        learn_bound(know, b, known_a);
        return;
    }
    const Integer gap = fact->op == Op::Lt ? 1 : 0;
    Interval below;
    if (known_b.hi) below.hi = *known_b.hi - gap;
    Interval above;
    if (known_a.lo) above.lo = *known_a.lo + gap;
    learn_bound(know, a, below);
    learn_bound(know, b, above);
}

void learn(IntervalEval& eval, Expr fact) {
    if (fact->op == Op::And) {
        learn(eval, fact->arg(0));
        learn(eval, fact->arg(1));
        return;
    }
    bounds_of_fact(
        fact, [&](Expr e) { return eval(e); },
        [&](Expr e, const Interval& bound) { eval.know(e, bound); });
}

}  // namespace proviso::ir
