// Bit operations on exact integers, in normal form. What is known of bits is ir/domains/number.h;
// here is which linear forms bit operations are:
//   x & 12        = 4 * (x // 4) - 16 * (x // 16)     any constant, a run of ones at a time
//   x | c         = x - (x & c) + c                   x ^ c = x - 2 * (x & c) + c
//   x | y = x ^ y = x + y                             when no bit can be 1 in both
//   x | y         = x + y - (x & y)                   x ^ y = x + y - 2 * (x & y)
//   x ^ y ^ x     = y
//   x ^ m         = 8 * (x // 8) + ((x % 8) ^ m)      when 0 <= m < 8: only low bits change
// Operands must be known to be in their type's range: elsewhere the value is unspecified.
#include <algorithm>
#include <array>

#include "analysis/cheap/knowledge.h"
#include "ir/domains/number.h"

namespace proviso::analysis::cheap {

using ir::Expr;
using ir::KnownBits;
using ir::Number;
using ir::Op;

namespace {

constexpr int kDeepest = 6;
constexpr int kMostRuns = 6;
constexpr std::size_t kMostOperands = 16;
constexpr unsigned kWidest = 62;

ir::Interval to_ir(const Interval& a) {
    ir::Interval out;
    if (a.lo) out.lo = *a.lo;
    if (a.hi) out.hi = *a.hi;
    return out;
}

Interval from_ir(const ir::Interval& a) {
    Interval out;
    if (a.lo) out.lo = a.lo->to_int128();
    if (a.hi) out.hi = a.hi->to_int128();
    return out;
}

// How many bits can be other than 0, for values that are not negative.
std::optional<unsigned> width_of(const KnownBits& bits) {
    const std::optional<Int128> highest = bits.highest();
    if (!highest || *bits.lowest() < 0) return std::nullopt;
    const auto width = static_cast<unsigned>(ir::Integer(*highest).bit_length());
    return width <= kWidest ? std::optional<unsigned>(width) : std::nullopt;
}

bool is_bitwise(Op op) {
    return op == Op::BitAnd || op == Op::BitOr || op == Op::BitXor;
}

// One operator applied to two values of which the bits are known.
KnownBits apply(Op op, const KnownBits& a, const KnownBits& b) {
    switch (op) {
        case Op::BitAnd: return {a.zeros | b.zeros, a.ones & b.ones};
        case Op::BitOr: return {a.zeros & b.zeros, a.ones | b.ones};
        default:
            return {(a.zeros & b.zeros) | (a.ones & b.ones),
                    (a.zeros & b.ones) | (a.ones & b.zeros)};
    }
}

}  // namespace

// What is known of the numbers that a form can be.
Number Knowledge::number_of_form(const Form& form) {
    const Number plain{to_ir(bounds_of(form)), ir::Congruence::of(form.content(), form.constant),
                       KnownBits::all()};
    return ir::reduced(plain).value_or(plain);
}

// The same of a term, also by what its operators do to bits.
Number Knowledge::number_of_term(Expr e, int depth) {
    q_->step();
    Number out = number_of_form(form_of(e));
    if (depth == 0) return out;
    switch (e->op) {
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr:
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::FloorDiv:
        case Op::FloorMod: break;
        default: return out;
    }
    const std::array<Number, 2> args = {number_of_term(e->arg(0), depth - 1),
                                        number_of_term(e->arg(1), depth - 1)};
    const Number more = ir::NumberDomain::apply(*e, args, ir::Reading::Formula);
    return ir::meet(out, more).value_or(out);
}

// x & mask for a constant mask.
std::optional<Form> Knowledge::masked(const Form& x, Int128 mask, const Quotient& quotient) {
    Form out;
    int ends = 0;
    for (unsigned k = 0; k <= kWidest + 1; ++k) {
        const bool one = ((mask >> k) & 1) != 0;
        const bool before = k > 0 && ((mask >> (k - 1)) & 1) != 0;
        if (one == before) continue;
        if (k > kWidest || ++ends > 2 * kMostRuns) return std::nullopt;
        const Int128 weight = Int128{1} << k;
        out.add(k == 0 ? x : quotient(x, weight), one ? weight : -weight);
    }
    return out;
}

// x | y is x + y less the bits that both have, x ^ y less twice those, whatever the signs.
Knowledge::BitTerm Knowledge::by_common_bits(Op op, const BitTerm& a, const BitTerm& b,
                                             const Quotient& quotient) {
    const KnownBits bits = apply(op, a.bits, b.bits);
    Form out = a.form;
    out.add(b.form);
    out.add(bit_pair(Op::BitAnd, a, b, quotient).form, op == Op::BitOr ? -1 : -2);
    const Interval known = from_ir(ir::interval(bits));
    if (known.lo) assume_ge(difference(out, Form::of_constant(*known.lo)));
    if (known.hi) assume_ge(difference(Form::of_constant(*known.hi), out));
    return {out, bits};
}

// a op b, neither of them a constant.
Knowledge::BitTerm Knowledge::bit_pair(Op op, BitTerm a, BitTerm b, const Quotient& quotient) {
    const KnownBits bits = apply(op, a.bits, b.bits);
    if (bits.is_constant()) return {Form::of_constant(bits.ones), bits};
    if (a.form == b.form) return op == Op::BitXor ? BitTerm{{}, KnownBits::at(0)} : a;
    if (ir::disjoint(a.bits, b.bits) && op != Op::BitAnd) {
        Form sum = a.form;
        sum.add(b.form);
        return {sum, bits};
    }
    // Let b be the shorter one: above its width the result is a's, or nothing.
    std::optional<unsigned> width = width_of(b.bits);
    const std::optional<unsigned> width_a = width_of(a.bits);
    if (width_a && (!width || *width_a < *width)) {
        std::swap(a, b);
        width = width_a;
    }
    if (!width && op != Op::BitAnd) return by_common_bits(op, a, b, quotient);
    Form upper;
    Form rest = a.form;
    KnownBits low_bits = bits;
    if (width) {
        const Int128 weight = Int128{1} << *width;
        const Form q = quotient(a.form, weight);
        rest.add(q, -weight);
        if (op != Op::BitAnd) upper.add(q, weight);
        low_bits.ones &= weight - 1;
        low_bits.zeros |= ~(weight - 1);
    }
    Form first = rest;
    Form second = b.form;
    AtomTable::Key key_a;
    AtomTable::Key key_b;
    AtomTable::append(key_a, first);
    AtomTable::append(key_b, second);
    if (key_b < key_a) std::swap(key_a, key_b);
    AtomTable::Key key{static_cast<std::int64_t>(op), -1};
    key.insert(key.end(), key_a.begin(), key_a.end());
    key.push_back(-1);
    key.insert(key.end(), key_b.begin(), key_b.end());
    const int atom = q_->atoms.node(key, nullptr, {});
    narrow(atom, from_ir(ir::interval(low_bits)), Method::KnownBits);
    if (width) bound_pair(op, Form::of_atom(atom), first, second);
    upper.add(Form::of_atom(atom));
    return {upper, bits};
}

// For naturals:  a & b <= a, b <= a | b <= a + b  and  a ^ b <= a + b.
void Knowledge::bound_pair(Op op, const Form& result, const Form& a, const Form& b) {
    if (op == Op::BitAnd) {
        assume_ge(difference(a, result));
        assume_ge(difference(b, result));
        return;
    }
    Form sum = a;
    sum.add(b);
    assume_ge(difference(sum, result));
    if (op == Op::BitOr) {
        assume_ge(difference(result, a));
        assume_ge(difference(result, b));
    }
}

// The operands of a tree of one operator; constants are gathered. False: too many, or one may be
// out of range.
bool Knowledge::bit_operands(Op op, Expr e, std::vector<BitTerm>& terms, Int128& constant) {
    if (e->op == op) {
        return bit_operands(op, e->arg(0), terms, constant) &&
               bit_operands(op, e->arg(1), terms, constant);
    }
    if (terms.size() == kMostOperands) return false;
    const Form form = form_of(e);
    const Number known = number_of_term(e, kDeepest);
    if (!known.range.within(ir::Interval::of(e->type))) return false;
    if (form.is_constant()) {
        if (op == Op::BitAnd) constant &= form.constant;
        if (op == Op::BitOr) constant |= form.constant;
        if (op == Op::BitXor) constant ^= form.constant;
        return true;
    }
    const auto same =
        std::find_if(terms.begin(), terms.end(), [&](const BitTerm& t) { return t.form == form; });
    if (same == terms.end()) {
        terms.push_back({form, known.bits});
    } else if (op == Op::BitXor) {
        terms.erase(same);
    }
    return true;
}

std::optional<Form> Knowledge::bitwise_form(Expr e, const Quotient& quotient) {
    if (!is_bitwise(e->op)) return std::nullopt;
    std::vector<BitTerm> terms;
    const Int128 neutral = e->op == Op::BitAnd ? -1 : 0;
    Int128 constant = neutral;
    if (!bit_operands(e->op, e, terms, constant)) return std::nullopt;
    if (terms.empty()) return Form::of_constant(constant);
    BitTerm all = terms[0];
    for (std::size_t i = 1; i < terms.size(); ++i) {
        all = bit_pair(e->op, all, terms[i], quotient);
    }
    if (constant == neutral) return all.form;
    if (e->op == Op::BitAnd) return masked(all.form, constant, quotient);
    // x | c = x - (x & c) + c, and x ^ c takes the common bits twice.
    const std::optional<Form> common = masked(all.form, constant, quotient);
    if (!common) return std::nullopt;
    Form out = all.form;
    out.add(*common, e->op == Op::BitOr ? -1 : -2);
    out.constant = checked_add(out.constant, constant);
    return out;
}

}  // namespace proviso::analysis::cheap
