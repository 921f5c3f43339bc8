#include "ir/domains/known_bits.h"

#include <algorithm>

#include "ir/planted.h"

namespace proviso::ir {

namespace {

__extension__ typedef unsigned __int128 UInt128;

constexpr unsigned kTop = 127;

UInt128 word(Int128 mask) {
    return static_cast<UInt128>(mask);
}
Int128 mask_of(UInt128 bits) {
    return static_cast<Int128>(bits);
}
Int128 bit(unsigned k) {
    return mask_of(UInt128{1} << k);
}
// Bits 0 .. k-1, and all bits from k on.
Int128 low(unsigned k) {
    return k > kTop ? Int128{-1} : mask_of((UInt128{1} << k) - 1);
}
Int128 from(unsigned k) {
    return ~low(k);
}

unsigned trailing_ones(Int128 mask) {
    unsigned k = 0;
    while (k < 128 && (mask & bit(k)) != 0) ++k;
    return k;
}

KnownBits truth(bool value) {
    return KnownBits::at(value ? 1 : 0);
}

// A value that no rule speaks of.
KnownBits unspecified(ScalarType type) {
    return type.is_exact_int() || type.is_float() ? KnownBits::all() : KnownBits::of(type);
}

// The value is in the type's range: all bits from the sign bit on are equal. Where that cannot be,
// there is no such value, and `a` will do.
KnownBits in_range_of(ScalarType type, const KnownBits& a) {
    if (type.is_float()) return a;
    KnownBits out = a;
    const Int128 upper = from(type.is_signed() ? type.bits - 1U : type.bits);
    const bool zero = !type.is_signed() || (a.zeros & upper) != 0;
    const bool one = (a.ones & upper) != 0;
    if (zero && one) return a;
    if (zero) out.zeros |= upper;
    if (one) out.ones |= upper;
    return out;
}

KnownBits observed(ScalarType type, const KnownBits& a, Reading reading) {
    const bool is_exact = type.is_exact_int();
    return reading == Reading::Formula && is_exact ? a : in_range_of(type, a);
}

// All values are known to be in the type's range.
bool is_in_range(ScalarType type, const KnownBits& a) {
    const Int128 upper = from(type.is_signed() ? type.bits - 1U : type.bits);
    return (a.zeros & upper) == upper || (type.is_signed() && (a.ones & upper) == upper);
}

KnownBits wrap(ScalarType type, const KnownBits& a) {
    if (is_in_range(type, a)) return a;
    const Int128 kept = low(type.bits);
    return in_range_of(type, {a.zeros & kept, a.ones & kept});
}

KnownBits ring_result(ScalarType type, const KnownBits& a) {
    return type.is_wrapping_int() ? wrap(type, a) : a;
}

KnownBits complement(const KnownBits& a) {
    return {a.ones, a.zeros};
}

// |value| <= 2^126: sums of two such have their sign in bit 127.
bool has_headroom(const KnownBits& a) {
    const Int128 upper = from(kTop - 1);
    return (a.zeros & upper) == upper || (a.ones & upper) == upper;
}

// a + b + carry. A bit of the sum is known where both bits and the carry into it are; the carry is
// known where the smallest and the largest sum agree on it.
KnownBits add(const KnownBits& a, const KnownBits& b, unsigned carry) {
    const UInt128 most = ~word(a.zeros) + ~word(b.zeros) + carry;
    const UInt128 least = word(a.ones) + word(b.ones) + carry;
    const UInt128 carry_zero = ~(most ^ word(a.zeros) ^ word(b.zeros));
    const UInt128 carry_one = least ^ word(a.ones) ^ word(b.ones);
    Int128 known = (a.zeros | a.ones) & (b.zeros | b.ones) & mask_of(carry_zero | carry_one);
    if (planted("domains:bits-carry")) known = (a.zeros | a.ones) & (b.zeros | b.ones);
    if (!has_headroom(a) || !has_headroom(b)) known &= low(kTop);
    return {mask_of(~most) & known, mask_of(least) & known};
}

KnownBits subtract(const KnownBits& a, const KnownBits& b) {
    return add(a, complement(b), 1);
}
KnownBits negate(const KnownBits& a) {
    return subtract(KnownBits::at(0), a);
}

KnownBits shift_left(const KnownBits& a, unsigned k) {
    const auto shifted = [&](Int128 mask) {
        const Int128 above = from(kTop - k);  // what ends in bit 127 and beyond
        const Int128 out = mask_of(word(mask) << k) & low(kTop);
        return (mask & above) == above ? out | bit(kTop) : out;
    };
    return {shifted(a.zeros) | low(k), shifted(a.ones)};
}

KnownBits shift_right(const KnownBits& a, unsigned k) {
    return {a.zeros >> k, a.ones >> k};
}

// The low bits of a product follow from the low bits of the factors: of x = 2^s * x' with n bits
// known, n - s bits of x' are; the product has the fewer of these, and all of both 2^s.
KnownBits multiply_low(const KnownBits& a, const KnownBits& b) {
    const unsigned known_a = std::min(a.known_low_bits(), kTop);
    const unsigned known_b = std::min(b.known_low_bits(), kTop);
    const unsigned even_a = std::min(trailing_ones(a.zeros), known_a);
    const unsigned even_b = std::min(trailing_ones(b.zeros), known_b);
    const unsigned even = even_a + even_b;
    const unsigned count = std::min(known_a - even_a, known_b - even_b) + even;
    if (even >= kTop) return {low(kTop), 0};
    const UInt128 product = word(a.ones & low(known_a)) * word(b.ones & low(known_b));
    const Int128 kept = low(std::min(count, kTop));
    return {mask_of(~product) & kept, mask_of(product) & kept};
}

KnownBits multiply(const KnownBits& a, const KnownBits& b) {
    if (!a.is_constant() && b.is_constant()) return multiply(b, a);
    const KnownBits simple = multiply_low(a, b);
    if (!a.is_constant()) return simple;
    if (a.ones == 0) return KnownBits::at(0);
    if (a.ones < 0 && a.ones != bit(kTop)) {
        return meet(negate(multiply(KnownBits::at(-a.ones), b)), simple).value_or(simple);
    }
    constexpr int most_summands = 8;
    KnownBits sum = KnownBits::at(0);
    int summands = 0;
    for (unsigned k = 0; k < kTop; ++k) {
        if ((a.ones & bit(k)) == 0) continue;
        if (++summands > most_summands) return simple;
        sum = add(sum, shift_left(b, k), 0);
    }
    return a.ones < 0 ? simple : meet(sum, simple).value_or(simple);
}

// The exponent when the only value is 2^k.
std::optional<unsigned> exponent_of(const KnownBits& a) {
    if (!a.is_constant() || a.ones <= 0 || (a.ones & (a.ones - 1)) != 0) return std::nullopt;
    return trailing_ones(a.ones - 1);
}

bool is_natural(const KnownBits& a) {
    return (a.zeros & bit(kTop)) != 0;
}

KnownBits remainder(const ExprNode& e, const KnownBits& a, const KnownBits& b) {
    KnownBits out;
    const bool floors = e.op == Op::FloorMod;
    // x less a multiple of the divisor: the bits below the divisor's lowest one are x's.
    const unsigned even = trailing_ones(b.zeros);
    out.zeros = a.zeros & low(even);
    out.ones = a.ones & low(even);
    if (!is_natural(b)) return out;
    // In [0, divisor), and not above the dividend.
    const bool natural = floors || is_natural(a);
    if (!natural) return out;
    const unsigned width = static_cast<unsigned>(Integer(*b.highest() - 1).bit_length());
    out.zeros |= from(width);
    if (is_natural(a)) out.zeros |= from(static_cast<unsigned>(Integer(*a.highest()).bit_length()));
    return out;
}

KnownBits division(const ExprNode& e, const KnownBits& a, const KnownBits& b, Reading reading) {
    const bool maybe_zero = b.contains(0);
    if ((reading == Reading::Formula && maybe_zero) || b == KnownBits::at(0)) {
        return unspecified(e.type);
    }
    if (e.op == Op::FloorMod || e.op == Op::TruncMod) {
        return observed(e.type, remainder(e, a, b), reading);
    }
    const bool floors = e.op == Op::FloorDiv;
    if (const auto k = exponent_of(b)) {
        const bool exact = trailing_ones(a.zeros) >= *k;
        if (floors || exact || is_natural(a)) return shift_right(a, *k);
    }
    KnownBits out;
    if (is_natural(a) && is_natural(b)) {  // no larger than the dividend over the least divisor
        const Int128 divisor = std::max<Int128>(*b.lowest(), 1);
        out.zeros = from(static_cast<unsigned>(Integer(*a.highest() / divisor).bit_length()));
    } else if (e.type.is_wrapping_int()) {
        out = KnownBits::of(e.type);
    }
    return out;
}

KnownBits bitwise(Op op, const KnownBits& a, const KnownBits& b) {
    switch (op) {
        case Op::BitAnd: return {a.zeros | b.zeros, a.ones & b.ones};
        case Op::BitOr: return {a.zeros & b.zeros, a.ones | b.ones};
        default:
            return {(a.zeros & b.zeros) | (a.ones & b.ones),
                    (a.zeros & b.ones) | (a.ones & b.zeros)};
    }
}

// By every amount that is possible.
KnownBits shift(const ExprNode& e, const KnownBits& a, const KnownBits& amount, Reading reading) {
    std::optional<KnownBits> out;
    for (unsigned k = 0; k < e.type.bits; ++k) {
        if (!amount.contains(static_cast<Int128>(k))) continue;
        const KnownBits one = e.op == Op::Shl ? shift_left(a, k) : shift_right(a, k);
        out = out ? join(*out, one) : one;
    }
    const bool may_be_bad = [&] {
        const std::optional<Int128> lo = amount.lowest();
        return !lo || *lo < 0 || *amount.highest() >= e.type.bits;
    }();
    if (!out || (reading == Reading::Formula && may_be_bad)) return unspecified(e.type);
    return e.op == Op::Shl ? ring_result(e.type, *out) : *out;
}

KnownBits bits(const ExprNode& e, const KnownBits& a, const KnownBits& b, Reading reading) {
    if (e.op == Op::Shl || e.op == Op::Shr) return shift(e, a, b, reading);
    if (!is_in_range(e.type, a) || !is_in_range(e.type, b)) {
        // As a formula, operands may be out of range; as a program they are in range, without their
        // sign being known.
        if (reading == Reading::Formula && e.type.is_exact_int()) return KnownBits::all();
    }
    return in_range_of(e.type, bitwise(e.op, a, b));
}

KnownBits comparison(const ExprNode& e, const KnownBits& a, const KnownBits& b) {
    KnownBits unknown = KnownBits::of(kBool);
    if (e.arg(0)->type.is_float()) return unknown;
    const bool same = same_operand(e) || (a.is_constant() && a == b);
    const bool differ = (a.zeros & b.ones) != 0 || (a.ones & b.zeros) != 0;
    if (e.op == Op::Eq || e.op == Op::Same || e.op == Op::Ne) {
        if (same) return truth(e.op != Op::Ne);
        return differ ? truth(e.op == Op::Ne) : unknown;
    }
    const bool strict = e.op == Op::Lt;
    if (same) return truth(!strict);
    const auto a_lo = a.lowest();
    const auto b_lo = b.lowest();
    const auto a_hi = a.highest();
    const auto b_hi = b.highest();
    if (a_hi && b_lo && (strict ? *a_hi < *b_lo : *a_hi <= *b_lo)) return truth(true);
    if (a_lo && b_hi && (strict ? *a_lo >= *b_hi : *a_lo > *b_hi)) return truth(false);
    return unknown;
}

KnownBits extremum(Op op, const KnownBits& a, const KnownBits& b) {
    // One operand is always the one that is taken.
    const auto below = [](const KnownBits& x, const KnownBits& y) {
        return x.highest() && y.lowest() && *x.highest() <= *y.lowest();
    };
    if (below(a, b)) return op == Op::Min ? a : b;
    if (below(b, a)) return op == Op::Min ? b : a;
    return join(a, b);
}

KnownBits cast(ScalarType source, ScalarType to, const KnownBits& a, Reading reading) {
    if (to.is_bool()) {
        if (source.is_float()) return KnownBits::of(kBool);
        if (a.ones != 0) return truth(true);
        return a.is_constant() ? truth(false) : KnownBits::of(kBool);
    }
    if (to.is_float()) return KnownBits::all();
    if (source.is_float()) return reading == Reading::Formula ? unspecified(to) : KnownBits::of(to);
    const bool unknown_range = source.is_exact_int() && !is_in_range(source, a);
    if (reading == Reading::Formula && unknown_range) return unspecified(to);
    return wrap(to, a);
}

KnownBits absolute(ScalarType type, const KnownBits& a) {
    if (is_natural(a)) return a;
    const KnownBits turned = ring_result(type, negate(a));
    return (a.ones & bit(kTop)) != 0 ? turned : join(a, turned);
}

}  // namespace

KnownBits KnownBits::at(const Integer& value) {
    const std::optional<Int128> small = value.to_int128();
    return small ? KnownBits{~*small, *small} : all();
}

KnownBits KnownBits::of(ScalarType type) {
    if (type.is_float() || type.is_signed()) return all();
    return {from(type.bits), 0};
}

bool KnownBits::contains(const Integer& value) const {
    const std::optional<Int128> small = value.to_int128();
    if (small) return (*small & zeros) == 0 && (~*small & ones) == 0;
    // Beyond 128 bits: not all bits from 127 on are equal.
    if (((zeros | ones) & bit(kTop)) != 0) return false;
    const Int128 rest = *floormod(value, Integer::power_of_two(kTop)).to_int128();
    return (rest & zeros) == 0 && (~rest & ones & low(kTop)) == 0;
}

std::optional<Int128> KnownBits::lowest() const {
    if (((zeros | ones) & bit(kTop)) == 0) return std::nullopt;
    return ones;
}

std::optional<Int128> KnownBits::highest() const {
    if (((zeros | ones) & bit(kTop)) == 0) return std::nullopt;
    return ~zeros;
}

unsigned KnownBits::known_low_bits() const {
    return trailing_ones(zeros | ones);
}

std::string KnownBits::str() const {
    const auto symbol = [&](unsigned k) {
        return (zeros & bit(k)) != 0 ? '0' : (ones & bit(k)) != 0 ? '1' : '?';
    };
    unsigned top = kTop;
    while (top > 3 && symbol(top - 1) == symbol(kTop)) --top;
    std::string out = "...";
    for (unsigned k = top + 1; k-- > 0;) out += symbol(k);
    return out;
}

bool disjoint(const KnownBits& a, const KnownBits& b) {
    return (a.zeros | b.zeros) == -1;
}

KnownBits join(const KnownBits& a, const KnownBits& b) {
    return {a.zeros & b.zeros, a.ones & b.ones};
}

std::optional<KnownBits> meet(const KnownBits& a, const KnownBits& b) {
    const KnownBits out{a.zeros | b.zeros, a.ones | b.ones};
    if ((out.zeros & out.ones) != 0) return std::nullopt;
    return out;
}

KnownBits KnownBitsDomain::constant(ScalarType type, const ir::Value& value) {
    return type.is_float() ? KnownBits::all() : KnownBits::at(value.integer());
}

std::optional<ir::Value> KnownBitsDomain::as_constant(const KnownBits& a) {
    if (!a.is_constant()) return std::nullopt;
    return ir::Value::of_int(a.ones);
}

KnownBits KnownBitsDomain::apply(const ExprNode& e, std::span<const KnownBits> args,
                                 Reading reading) {
    const ScalarType type = e.arg(0)->type;
    const auto operand = [&](std::size_t i) { return observed(e.arg(i)->type, args[i], reading); };
    const bool is_float = e.type.is_float();
    switch (e.op) {
        case Op::Neg: return is_float ? KnownBits::all() : ring_result(type, negate(args[0]));
        case Op::Not: return {(args[0].ones & 1) | from(1), args[0].zeros & 1};
        case Op::Cast: return cast(type, e.type, operand(0), reading);
        case Op::Add:
            return is_float ? KnownBits::all() : ring_result(type, add(args[0], args[1], 0));
        case Op::Sub:
            if (is_float) return KnownBits::all();
            if (same_operand(e)) return KnownBits::at(0);
            return ring_result(type, subtract(args[0], args[1]));
        case Op::Mul:
            return is_float ? KnownBits::all() : ring_result(type, multiply(args[0], args[1]));
        case Op::Div: return KnownBits::all();
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return division(e, operand(0), operand(1), reading);
        case Op::Min:
        case Op::Max: return is_float ? KnownBits::all() : extremum(e.op, operand(0), operand(1));
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le: return comparison(e, operand(0), operand(1));
        case Op::Same: return comparison(e, args[0], args[1]);
        case Op::And: return bitwise(Op::BitAnd, args[0], args[1]);
        case Op::Or: return bitwise(Op::BitOr, args[0], args[1]);
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr: return bits(e, operand(0), operand(1), reading);
        case Op::Select:
        case Op::IfThenElse:
            if (args[0].is_constant()) return args[args[0].ones != 0 ? 1 : 2];
            return join(args[1], args[2]);
        case Op::Math: return type.is_float() ? KnownBits::of(e.type) : absolute(type, operand(0));
        case Op::Defined: return KnownBits::of(kBool);
        case Op::IntImm:
        case Op::FloatImm:
        case Op::Var:
        case Op::Undef:
        case Op::Let:
        case Op::Load:
        case Op::CallExtern: break;
    }
    PROVISO_CHECK(false, "known bits: the operator is the evaluator's");
}

}  // namespace proviso::ir
