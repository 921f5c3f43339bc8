#include "ir/domains/number.h"

#include <array>

namespace proviso::ir {

namespace {

constexpr unsigned kTop = 127;
constexpr int kRounds = 4;

std::optional<Int128> small(const std::optional<Integer>& end) {
    return end ? end->to_int128() : std::nullopt;
}

// The ends moved inwards to values of the congruence; none: there is no value between them.
std::optional<Interval> aligned(const Interval& range, const Congruence& rest) {
    if (rest.is_constant()) {
        if (!range.contains(rest.remainder)) return std::nullopt;
        return Interval::at(rest.remainder);
    }
    Interval out = range;
    if (out.lo) out.lo = *out.lo + floormod(rest.remainder - *out.lo, rest.modulus);
    if (out.hi) out.hi = *out.hi - floormod(*out.hi - rest.remainder, rest.modulus);
    if (out.lo && out.hi && *out.hi < *out.lo) return std::nullopt;
    return out;
}

bool is_integer(ScalarType type) {
    return !type.is_float();
}

}  // namespace

Number Number::of(ScalarType type) {
    if (!is_integer(type)) return all();
    return {Interval::of(type), Congruence::all(), KnownBits::of(type)};
}

Number Number::of(const Interval& range) {
    const Number plain{range, Congruence::all(), KnownBits::all()};
    return reduced(plain).value_or(plain);
}

std::string Number::str() const {
    return range.str() + ", " + rest.str() + ", " + bits.str();
}

// The bits above the highest one in which the ends differ.
KnownBits known_bits(const Interval& range) {
    const std::optional<Int128> lo = small(range.lo);
    const std::optional<Int128> hi = small(range.hi);
    if (!lo || !hi || (*lo < 0) != (*hi < 0)) return KnownBits::all();
    const Int128 differ = *lo ^ *hi;
    const auto width = static_cast<unsigned>(Integer(differ).bit_length());
    const Int128 upper = width >= kTop ? 0 : ~((Int128{1} << width) - 1);
    return {~*lo & upper, *lo & upper};
}

KnownBits known_bits(const Congruence& rest) {
    if (rest.is_constant()) return KnownBits::at(rest.remainder);
    unsigned width = 0;
    Integer odd = rest.modulus;
    while (width < kTop && floormod(odd, 2).is_zero()) {
        odd = floordiv(odd, 2);
        ++width;
    }
    if (width == 0) return KnownBits::all();
    const Int128 value = *floormod(rest.remainder, Integer::power_of_two(width)).to_int128();
    const Int128 kept = width == kTop ? ~(Int128{1} << kTop) : (Int128{1} << width) - 1;
    return {~value & kept, value & kept};
}

Interval interval(const KnownBits& bits) {
    const std::optional<Int128> lo = bits.lowest();
    const std::optional<Int128> hi = bits.highest();
    if (!lo || !hi) return Interval::all();
    return Interval::between(*lo, *hi);
}

Congruence congruence(const KnownBits& bits) {
    if (bits.is_constant()) return Congruence::at(bits.ones);
    const unsigned width = bits.known_low_bits();
    if (width == 0 || width >= kTop) return Congruence::all();
    return Congruence::of(Integer::power_of_two(width), bits.ones);
}

std::optional<Number> reduced(Number a) {
    for (int round = 0; round < kRounds; ++round) {
        const Number before = a;
        const std::optional<Congruence> rest = meet(a.rest, congruence(a.bits));
        if (!rest) return std::nullopt;
        a.rest = *rest;
        const std::optional<Interval> range = meet(a.range, interval(a.bits));
        if (!range) return std::nullopt;
        const std::optional<Interval> inner = aligned(*range, a.rest);
        if (!inner) return std::nullopt;
        a.range = *inner;
        if (a.range.is_constant()) a.rest = Congruence::at(*a.range.lo);
        for (const KnownBits& more : {known_bits(a.range), known_bits(a.rest)}) {
            const std::optional<KnownBits> bits = meet(a.bits, more);
            if (!bits) return std::nullopt;
            a.bits = *bits;
        }
        if (a == before) break;
    }
    return a;
}

Number join(const Number& a, const Number& b) {
    return {join(a.range, b.range), join(a.rest, b.rest), join(a.bits, b.bits)};
}

std::optional<Number> meet(const Number& a, const Number& b) {
    const std::optional<Interval> range = meet(a.range, b.range);
    const std::optional<Congruence> rest = meet(a.rest, b.rest);
    const std::optional<KnownBits> bits = meet(a.bits, b.bits);
    if (!range || !rest || !bits) return std::nullopt;
    return reduced({*range, *rest, *bits});
}

Number NumberDomain::constant(ScalarType type, const ir::Value& value) {
    if (!is_integer(type)) return Number::all();
    const Integer& v = value.integer();
    return {Interval::at(v), Congruence::at(v), KnownBits::at(v)};
}

Number NumberDomain::apply(const ExprNode& e, std::span<const Number> args, Reading reading) {
    std::array<Interval, 3> ranges;
    std::array<Congruence, 3> rests;
    std::array<KnownBits, 3> bits;
    const std::size_t count = args.size();
    bool in_range = true;
    for (std::size_t i = 0; i < count; ++i) {
        ranges[i] = args[i].range;
        rests[i] = args[i].rest;
        bits[i] = args[i].bits;
        in_range = in_range && args[i].range.within(Interval::of(e.arg(i)->type));
    }
    // Bits alone cannot say that a value of unknown sign is in its type's range; the interval can.
    const bool observes = op_info(e.op).op_class == OpClass::Bits || e.op == Op::Cast;
    const Reading for_bits = observes && in_range ? Reading::Program : reading;
    Number out = {IntervalDomain::apply(e, std::span(ranges).first(count), reading),
                  CongruenceDomain::apply(e, std::span(rests).first(count), reading),
                  KnownBitsDomain::apply(e, std::span(bits).first(count), for_bits)};
    const bool joins = e.op == Op::BitOr || e.op == Op::BitXor;
    if (joins && in_range && disjoint(bits[0], bits[1])) {
        ExprNode sum = e;
        sum.op = Op::Add;
        const Number added = {IntervalDomain::apply(sum, std::span(ranges).first(count), reading),
                              CongruenceDomain::apply(sum, std::span(rests).first(count), reading),
                              KnownBitsDomain::apply(sum, std::span(bits).first(count), reading)};
        if (const std::optional<Number> both = ir::meet(out, added)) out = *both;
    }
    return e.type.is_float() ? out : reduced(out).value_or(out);
}

namespace {

// Comparisons of wrapping integers bound the operands themselves.
void learn_wrapping(NumberEval& eval, Expr fact) {
    const bool is_comparison = fact->op == Op::Eq || fact->op == Op::Lt || fact->op == Op::Le;
    if (!is_comparison || !fact->arg(0)->type.is_wrapping_int()) return;
    const Number a = eval(fact->arg(0));
    const Number b = eval(fact->arg(1));
    if (fact->op == Op::Eq) {
        if (!is_const(fact->arg(0))) eval.know(fact->arg(0), b);
        if (!is_const(fact->arg(1))) eval.know(fact->arg(1), a);
        return;
    }
    const Integer gap = fact->op == Op::Lt ? 1 : 0;
    const Interval range = Interval::of(fact->arg(0)->type);
    const std::optional<Interval> below = meet(range, {std::nullopt, *b.range.hi - gap});
    const std::optional<Interval> above = meet(range, {*a.range.lo + gap, std::nullopt});
    if (below && !is_const(fact->arg(0))) eval.know(fact->arg(0), Number::of(*below));
    if (above && !is_const(fact->arg(1))) eval.know(fact->arg(1), Number::of(*above));
}

}  // namespace

void learn(NumberEval& eval, Expr fact) {
    if (fact->op == Op::And) {
        learn(eval, fact->arg(0));
        learn(eval, fact->arg(1));
        return;
    }
    bounds_of_fact(
        fact, [&](Expr e) { return eval(e).range; },
        [&](Expr e, const Interval& bound) { eval.know(e, Number::of(bound)); });
    congruences_of_fact(
        fact, [&](Expr e) { return eval(e).rest; },
        [&](Expr e, const Congruence& rest) {
            eval.know(e, {Interval::all(), rest, known_bits(rest)});
        });
    learn_wrapping(eval, fact);
    if (fact->op != Op::Eq || fact->arg(0)->op != Op::BitAnd) return;
    // x & mask == value: the bits of the mask are the value's.
    const Number value = eval(fact->arg(1));
    const Number mask = eval(fact->arg(0)->arg(1));
    if (!value.is_constant() || !mask.is_constant()) return;
    // As a formula, a term out of its type's range has no bits to speak of.
    const Number before = eval(fact->arg(0)->arg(0));
    if (!before.range.within(Interval::of(fact->arg(0)->type))) return;
    const Int128 kept = mask.bits.ones;
    if ((value.bits.ones & ~kept) != 0) return;
    const KnownBits bits{~value.bits.ones & kept, value.bits.ones & kept};
    eval.know(fact->arg(0)->arg(0), {interval(bits), congruence(bits), bits});
}

}  // namespace proviso::ir
