// Ranges of integer expressions under a set of facts.
#include <algorithm>

#include "rewrite/simplify/surroundings.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;
using ir::ScalarType;

namespace {

// What a computed range becomes as a value of the type: exact integers keep it, where an operation
// wraps it must fit.
Range settled(ScalarType type, const Range& r) {
    if (type.is_exact_int()) return r;
    const Range all = Range::of(type);
    return r.within(all) ? r : all;
}

}  // namespace

Range Surroundings::range(FactSet& s, Expr e) {
    if (e->op == Op::IntImm) return Range::point(e->int_value());
    if (!e->type.is_int() && !e->type.is_bool()) return {};
    const std::uint32_t number = s.memory.number_of(e);
    if (const FactSet::Memory& known = s.memory.at(number); known.has_range) {
        return s.range_in(known, e);
    }
    // A term within itself cannot be: expressions are finite.
    Range out = compute_range(s, e);
    // Bounds of what is no leaf count as facts that relate.
    if (s.occurring != 0 || e->op == Op::Var || e->op == Op::Load) {
        const Range both = meet(out, known_bounds(s, e));
        if (!both.is_empty()) out = both;
    }
    s.set_range(s.memory.at(number), e, out);
    return out;
}

void Surroundings::keeps_range(FactSet& s, Expr before, Expr after) {
    const FactSet::Memory* known = s.memory.find(before);
    if (known == nullptr || !known->has_range || after->args.empty()) return;
    const Range range = s.range_in(*known, before);
    s.set_range(s.memory.at(s.memory.number_of(after)), after, range);
}

// The same in 64 bits, which nearly all forms are: false where some number leaves them.
bool Surroundings::near_range(FactSet& s, const LinearForm& form, Range& out) {
    if (!is_narrow(form.constant)) return false;
    auto lo = static_cast<std::int64_t>(form.constant);
    std::int64_t hi = lo;
    bool far = false;
    for (const LinearTerm& t : form.terms) {
        far |= !add_near(s, t, lo, hi);
    }
    if (far) return false;
    out = {lo, hi};
    return true;
}

// Adds a term's range, in 64 bits; false where that does not do.
bool Surroundings::add_near(FactSet& s, const LinearTerm& t, std::int64_t& lo, std::int64_t& hi) {
    const FactSet::Memory* known = s.memory.find(t.monomial);
    if (known == nullptr || !known->has_range) {
        range(s, t.monomial);
        known = s.memory.find(t.monomial);
        if (known == nullptr) return false;
    }
    if (known->is_far || !is_narrow(t.coefficient)) return false;
    const auto k = static_cast<std::int64_t>(t.coefficient);
    std::int64_t low = 0;
    std::int64_t high = 0;
    bool far = __builtin_mul_overflow(k < 0 ? known->hi : known->lo, k, &low);
    far |= __builtin_mul_overflow(k < 0 ? known->lo : known->hi, k, &high);
    far |= __builtin_add_overflow(lo, low, &lo);
    far |= __builtin_add_overflow(hi, high, &hi);
    return !far;
}

Range Surroundings::range_of_rest(FactSet& s, const LinearForm& form, Int128 divisor) {
    if (s.relations_count == 0 && is_narrow(form.constant) && is_narrow(divisor)) {
        auto lo = static_cast<std::int64_t>(floor_mod(form.constant, divisor));
        std::int64_t hi = lo;
        bool far = false;
        for (const LinearTerm& t : form.terms) {
            if (!is_multiple(t.coefficient, divisor)) far |= !add_near(s, t, lo, hi);
        }
        if (!far) return {lo, hi};
    }
    return range(s, split_by(form, divisor).rest);
}

Range Surroundings::range(FactSet& s, const LinearForm& form) {
    Range out;
    if (!near_range(s, form, out)) {
        out = Range::point(form.constant);
        for (const LinearTerm& t : form.terms) {
            out = sum(out, scaled(range(s, t.monomial), t.coefficient));
        }
    }
    if (out.lo < -Range::kInfinite) out.lo = -Range::kInfinite;
    if (out.hi > Range::kInfinite) out.hi = Range::kInfinite;
    if (form.terms.size() < 2 || s.relations_count == 0) return out;
    LinearForm normal = form;
    normal.constant = 0;
    Int128 content = normal.content();
    if (normal.terms[0].coefficient < 0) content = -content;
    for (LinearTerm& t : normal.terms) t.coefficient /= content;
    for (const FactSet* at = &s; at != nullptr; at = at->parent) {
        const FactSet::Relation* known = relation(*at, normal);
        if (known == nullptr) continue;
        const Range told = sum(scaled(known->range, content), Range::point(form.constant));
        const Range both = meet(out, told);
        if (!both.is_empty()) out = both;
    }
    return out;
}

Range Surroundings::compute_range(FactSet& s, Expr e) {
    const ScalarType type = e->type;
    const Range all = Range::of(type);
    switch (e->op) {
        case Op::Add:
        case Op::Sub:
        case Op::Neg:
        case Op::Mul: {
            if (type.is_exact_int()) {
                if (e->op == Op::Mul) {
                    const Range r = product(range(s, e->arg(0)), range(s, e->arg(1)));
                    if (e->arg(0) == e->arg(1)) return meet(r, {0, Range::kInfinite});
                    return r;
                }
                try {
                    return range(s, forms_.plain(e));
                } catch (const TooLarge&) {
                    return {};
                }
            }
            const Range a = range(s, e->arg(0));
            if (e->op == Op::Neg) return settled(type, scaled(a, -1));
            const Range b = range(s, e->arg(1));
            if (e->op == Op::Add) return settled(type, sum(a, b));
            if (e->op == Op::Sub) return settled(type, sum(a, scaled(b, -1)));
            return settled(type, product(a, b));
        }
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return range_of_division(s, e);
        case Op::Min:
        case Op::Max: {
            const Range a = range(s, e->arg(0));
            const Range b = range(s, e->arg(1));
            const Range r = e->op == Op::Min ? Range{std::min(a.lo, b.lo), std::min(a.hi, b.hi)}
                                             : Range{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
            const Range both = meet(r, all);  // both operands are observed
            return both.is_empty() ? all : both;
        }
        case Op::Select:
        case Op::IfThenElse: return hull(range(s, e->arg(1)), range(s, e->arg(2)));
        case Op::Cast: return range_of_cast(s, e);
        case Op::BitAnd:
        case Op::Shl:
        case Op::Shr: return range_of_bits(s, e);
        case Op::Undef:
        case Op::Let: return type.is_exact_int() ? Range{} : all;
        case Op::Math: return type.is_exact_int() ? Range{} : all;
        case Op::BitOr:
        case Op::BitXor: {
            const Range a = range(s, e->arg(0));
            const Range b = range(s, e->arg(1));
            if (a.lo < 0 || b.lo < 0) return all;
            // No bit above the highest of either.
            Int128 bits = 1;
            while (bits <= a.hi || bits <= b.hi) bits *= 2;
            const Int128 least = e->op == Op::BitOr ? std::max(a.lo, b.lo) : 0;
            return meet({least, bits - 1}, all);
        }
        default: return all;
    }
}

namespace {

// Floor quotients and remainders by a literal of what is near, as nearly all are; false for others.
bool near_division(Expr e, const Range& a, Range& out) {
    if (e->op != Op::FloorDiv && e->op != Op::FloorMod) return false;
    const bool literal = e->arg(1)->op == Op::IntImm && e->type.is_signed();
    if (!literal || e->arg(1)->bits <= 0 || !is_narrow(a.lo) || !is_narrow(a.hi)) return false;
    const auto lo = static_cast<std::int64_t>(a.lo);
    const auto hi = static_cast<std::int64_t>(a.hi);
    const std::int64_t c = e->arg(1)->bits;
    const auto quotient = [c](std::int64_t n) { return n / c - (n % c < 0 ? 1 : 0); };
    const std::int64_t low = quotient(lo);
    const std::int64_t high = quotient(hi);
    if (e->op == Op::FloorDiv) {
        out = {low, high};
    } else if (low == high) {
        const Int128 whole = Int128{low} * c;
        out = {lo - whole, hi - whole};
    } else {
        out = {0, lo >= 0 ? std::min(hi, c - 1) : c - 1};
    }
    return true;
}

}  // namespace

Range Surroundings::range_of_division(FactSet& s, Expr e) {
    const Range all = Range::of(e->type);
    const Range a = range(s, e->arg(0));
    if (Range near; near_division(e, a, near)) {
        const Range r = meet(near, all);
        return r.is_empty() ? all : r;
    }
    const Range d = range(s, e->arg(1));
    const bool floors = e->op == Op::FloorDiv || e->op == Op::FloorMod;
    const bool quotient = e->op == Op::FloorDiv || e->op == Op::TruncDiv;
    if (d.lo <= 0 && d.hi >= 0) return all;
    // By a negative number: the opposite of both has the same quotient, and the opposite remainder.
    const bool negative = d.hi < 0;
    const Range n = negative ? scaled(a, -1) : a;
    const Range by = negative ? scaled(d, -1) : d;
    Range r;
    if (floors || n.lo >= 0) {
        r = quotient ? floor_quotient(n, by) : floor_remainder(n, by);
    } else {
        r = quotient ? truncated_quotient(n, by) : truncated_remainder(n, by);
    }
    if (negative && !quotient) r = scaled(r, -1);
    r = meet(r, all);
    return r.is_empty() ? all : r;
}

Range Surroundings::range_of_bits(FactSet& s, Expr e) {
    const Range all = Range::of(e->type);
    const Range a = range(s, e->arg(0));
    const Range b = range(s, e->arg(1));
    if (e->op == Op::BitAnd) {
        Range out = all;
        if (a.lo >= 0) out = {0, std::min(out.hi, a.hi)};
        if (b.lo >= 0) out = {0, std::min(out.hi, b.hi)};
        return out;
    }
    if (b.lo < 0 || b.hi >= e->type.bits) return all;
    if (e->op == Op::Shr) {
        const Range r = meet(floor_quotient(a, {Int128{1} << b.lo, Int128{1} << b.hi}), all);
        return r.is_empty() ? all : r;
    }
    const Range r = product(a, {Int128{1} << b.lo, Int128{1} << b.hi});
    return r.within(all) ? r : (e->type.is_exact_int() ? Range{} : all);
}

Range Surroundings::range_of_cast(FactSet& s, Expr e) {
    const Range all = Range::of(e->type);
    Expr x = e->arg(0);
    if (x->type.is_float()) return all;
    const Range a = range(s, x);
    if (e->type.is_bool()) {
        if (a.is_point()) return Range::point(a.lo == 0 ? 0 : 1);
        return a.lo > 0 || a.hi < 0 ? Range::point(1) : all;
    }
    return a.within(all) ? a : all;
}

}  // namespace proviso::rewrite
