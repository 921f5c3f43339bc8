#include "ir/domains/congruence.h"

namespace proviso::ir {

namespace {

Congruence add(const Congruence& a, const Congruence& b) {
    return Congruence::of(gcd(a.modulus, b.modulus), a.remainder + b.remainder);
}

Congruence negate(const Congruence& a) {
    return Congruence::of(a.modulus, -a.remainder);
}

// (m k + r)(n l + s) = mn kl + ms k + nr l + rs
Congruence multiply(const Congruence& a, const Congruence& b) {
    const Integer cross = gcd(a.modulus * b.remainder, b.modulus * a.remainder);
    return Congruence::of(gcd(a.modulus * b.modulus, cross), a.remainder * b.remainder);
}

// Wrapping adds a multiple of 2^bits.
Congruence wrap(ScalarType type, const Congruence& a) {
    if (a.is_constant()) return Congruence::at(a.remainder.wrap(type));
    return Congruence::of(gcd(a.modulus, Integer::power_of_two(type.bits)), a.remainder);
}

Congruence ring_result(ScalarType type, const Congruence& a) {
    return type.is_wrapping_int() ? wrap(type, a) : a;
}

// x = m k + r with c | m: floordiv(x, c) = (m / c) k + floordiv(r, c), and floormod(x, c) is
// floormod(r, c). Truncating division agrees with it where the division is exact.
Congruence divide_by(const ExprNode& e, const Congruence& a, const Integer& c) {
    const bool quotient = e.op == Op::FloorDiv || e.op == Op::TruncDiv;
    const bool floors = e.op == Op::FloorDiv || e.op == Op::FloorMod;
    const bool exact = a.divisible_by(c);
    const bool known = exact || (floors && floormod(a.modulus, c).is_zero());
    if (!quotient) {
        // The remainder is x less a multiple of c.
        if (known) return Congruence::at(floormod(a.remainder, c));
        return Congruence::of(gcd(a.modulus, c), a.remainder);
    }
    if (!known) return Congruence::all();
    const Congruence out = Congruence::of(truncdiv(a.modulus, c), floordiv(a.remainder, c));
    // MIN // -1 as a formula.
    return c == -1 ? ring_result(e.type, out) : out;
}

Congruence division(const ExprNode& e, const Congruence& a, const Congruence& b) {
    if (b.contains(0)) {
        // As a program, the divisor is one of the others; as a formula, nothing is known.
        return Congruence::all();
    }
    if (b.is_constant()) return divide_by(e, a, b.remainder);
    if (e.op == Op::FloorDiv || e.op == Op::TruncDiv) return Congruence::all();
    // Every divisor is a multiple of g, so the remainder is x less a multiple of g.
    return Congruence::of(gcd(a.modulus, gcd(b.modulus, b.remainder)), a.remainder);
}

// x & (2^k - 1) is floormod(x, 2^k).
std::optional<Integer> mask_modulus(ScalarType type, const Congruence& mask) {
    if (!mask.is_constant() || mask.remainder.sign() < 0) return std::nullopt;
    const auto width = static_cast<unsigned>(mask.remainder.bit_length());
    if (width >= type.bits || mask.remainder + 1 != Integer::power_of_two(width)) {
        return std::nullopt;
    }
    return Integer::power_of_two(width);
}

Congruence bits(const ExprNode& e, const Congruence& a, const Congruence& b) {
    if (e.op == Op::BitAnd) {
        for (const auto& [value, mask] : {std::pair(a, b), std::pair(b, a)}) {
            const std::optional<Integer> m = mask_modulus(e.type, mask);
            if (!m) continue;
            if (floormod(value.modulus, *m).is_zero()) {
                return Congruence::at(floormod(value.remainder, *m));
            }
            return Congruence::of(gcd(value.modulus, *m), value.remainder);
        }
        return Congruence::all();
    }
    const bool is_shift = e.op == Op::Shl || e.op == Op::Shr;
    if (!is_shift || !b.is_constant() || b.remainder.sign() < 0 || b.remainder >= e.type.bits) {
        return Congruence::all();
    }
    const Integer factor = Integer::power_of_two(static_cast<unsigned>(*b.remainder.to_int128()));
    if (e.op == Op::Shl) return ring_result(e.type, multiply(a, Congruence::at(factor)));
    if (!floormod(a.modulus, factor).is_zero()) return Congruence::all();
    return Congruence::of(truncdiv(a.modulus, factor), floordiv(a.remainder, factor));
}

// y with a * y = 1 modulo `modulus`, for coprime numbers (Euclid).
Integer inverse(const Integer& a, const Integer& modulus) {
    Integer r0 = modulus;
    Integer r1 = floormod(a, modulus);
    Integer s0 = 0;
    Integer s1 = 1;
    while (!r1.is_zero()) {
        const Integer q = floordiv(r0, r1);
        Integer r2 = r0 - q * r1;
        Integer s2 = s0 - q * s1;
        r0 = std::move(r1);
        r1 = std::move(r2);
        s0 = std::move(s1);
        s1 = std::move(s2);
    }
    return floormod(s0, modulus);
}

Congruence truth(bool value) {
    return Congruence::at(value ? 1 : 0);
}

Congruence equality(const ExprNode& e, const Congruence& a, const Congruence& b) {
    if (e.arg(0)->type.is_float()) return Congruence::all();
    const bool when_equal = e.op != Op::Ne;
    if (same_operand(e)) return truth(when_equal);
    return meet(a, b) ? Congruence::all() : truth(!when_equal);
}

Congruence logic(Op op, const Congruence& a, const Congruence& b) {
    Congruence decisive = truth(op == Op::Or);
    if (a == decisive || b == decisive) return decisive;
    return a.is_constant() && b.is_constant() ? a : Congruence::all();
}

Congruence cast(ScalarType from, ScalarType to, const Congruence& a) {
    if (from.is_float() || to.is_float()) return Congruence::all();
    if (to.is_bool()) return a.contains(0) ? Congruence::all() : truth(true);
    return wrap(to, a);
}

}  // namespace

Congruence Congruence::of(const Integer& modulus, const Integer& remainder) {
    const Integer m = abs(modulus);
    if (m.is_zero()) return at(remainder);
    return {m, floormod(remainder, m)};
}

bool Congruence::contains(const Integer& value) const {
    if (is_constant()) return value == remainder;
    return floormod(value - remainder, modulus).is_zero();
}

bool Congruence::divisible_by(const Integer& divisor) const {
    return floormod(modulus, divisor).is_zero() && floormod(remainder, divisor).is_zero();
}

std::string Congruence::str() const {
    if (is_constant()) return remainder.str();
    if (modulus == 1) return "any";
    return modulus.str() + "k" + (remainder.is_zero() ? "" : " + " + remainder.str());
}

Congruence join(const Congruence& a, const Congruence& b) {
    const Integer difference = a.remainder - b.remainder;
    return Congruence::of(gcd(gcd(a.modulus, b.modulus), difference), a.remainder);
}

std::optional<Congruence> meet(const Congruence& a, const Congruence& b) {
    if (a.is_constant() || b.is_constant()) {
        const Congruence& constant = a.is_constant() ? a : b;
        const Congruence& other = a.is_constant() ? b : a;
        if (!other.contains(constant.remainder)) return std::nullopt;
        return constant;
    }
    const Integer common = gcd(a.modulus, b.modulus);
    if (!floormod(a.remainder - b.remainder, common).is_zero()) return std::nullopt;
    // The exact answer has modulus lcm(a, b). Where that is too big to carry on with, the finer of
    // the two is true as well.
    constexpr std::size_t most_bits = 120;
    const Integer period = floordiv(b.modulus, common);
    if (a.modulus.bit_length() + period.bit_length() > most_bits) {
        return a.modulus < b.modulus ? b : a;
    }
    // a.remainder + a.modulus * k is b.remainder, modulo b.modulus.
    const Integer gap = floordiv(b.remainder - a.remainder, common);
    const Integer k = floormod(gap * inverse(floordiv(a.modulus, common), period), period);
    return Congruence::of(a.modulus * period, a.remainder + a.modulus * k);
}

Congruence CongruenceDomain::constant(ScalarType type, const ir::Value& value) {
    return type.is_float() ? Congruence::all() : Congruence::at(value.integer());
}

std::optional<ir::Value> CongruenceDomain::as_constant(const Congruence& a) {
    if (!a.is_constant()) return std::nullopt;
    return ir::Value::of_int(a.remainder);
}

Congruence CongruenceDomain::apply(const ExprNode& e, std::span<const Congruence> args,
                                   Reading /*reading*/) {
    const ScalarType type = e.arg(0)->type;
    if (type.is_float()) return Congruence::all();
    switch (e.op) {
        case Op::Neg: return ring_result(type, negate(args[0]));
        case Op::Cast: return cast(type, e.type, args[0]);
        case Op::Add: return ring_result(type, add(args[0], args[1]));
        case Op::Sub:
            if (same_operand(e)) return Congruence::at(0);
            return ring_result(type, add(args[0], negate(args[1])));
        case Op::Mul: return ring_result(type, multiply(args[0], args[1]));
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return division(e, args[0], args[1]);
        case Op::Min:
        case Op::Max: return join(args[0], args[1]);
        case Op::Eq:
        case Op::Ne:
        case Op::Same: return equality(e, args[0], args[1]);
        case Op::And:
        case Op::Or: return logic(e.op, args[0], args[1]);
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr: return bits(e, args[0], args[1]);
        case Op::Select:
        case Op::IfThenElse:
            if (args[0].is_constant()) return args[args[0].remainder.is_zero() ? 2 : 1];
            return join(args[1], args[2]);
        case Op::Math:  // Abs: x or -x
            return ring_result(type, join(args[0], negate(args[0])));
        case Op::Not:
        case Op::Lt:
        case Op::Le:
        case Op::Div:
        case Op::Defined: return Congruence::all();
        case Op::IntImm:
        case Op::FloatImm:
        case Op::Var:
        case Op::Undef:
        case Op::Let:
        case Op::Load:
        case Op::CallExtern: break;
    }
    PROVISO_CHECK(false, "congruence: the operator is the evaluator's");
}

void congruences_of_fact(Expr fact, const std::function<Congruence(Expr)>& value,
                         const std::function<void(Expr, const Congruence&)>& know) {
    if (fact->op != Op::Eq || fact->arg(0)->type.is_float()) return;
    Expr a = fact->arg(0);
    Expr b = fact->arg(1);
    const Congruence known_a = value(a);
    const Congruence known_b = value(b);
    if (!is_const(a)) know(a, known_b);
    if (!is_const(b)) know(b, known_a);
    for (const auto& [remainder, other] : {std::pair(a, known_b), std::pair(b, known_a)}) {
        const bool is_remainder = remainder->op == Op::FloorMod || remainder->op == Op::TruncMod;
        if (!is_remainder || !other.is_constant()) continue;
        const Congruence divisor = value(remainder->arg(1));
        if (!divisor.is_constant() || divisor.remainder.is_zero()) continue;
        know(remainder->arg(0), Congruence::of(divisor.remainder, other.remainder));
    }
}

void learn(CongruenceEval& eval, Expr fact) {
    if (fact->op == Op::And) {
        learn(eval, fact->arg(0));
        learn(eval, fact->arg(1));
        return;
    }
    congruences_of_fact(
        fact, [&](Expr e) { return eval(e); },
        [&](Expr e, const Congruence& rest) { eval.know(e, rest); });
}

}  // namespace proviso::ir
