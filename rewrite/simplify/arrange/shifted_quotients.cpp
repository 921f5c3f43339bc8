#include "rewrite/simplify/arrange/shifted_quotients.h"

#include <algorithm>
#include <optional>

#include "rewrite/simplify/range.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

std::size_t written_cost(const LinearForm& form) {
    std::size_t out = form.constant == 0 ? 0 : 2;
    bool shared = form.terms.size() > 1;
    for (const LinearTerm& t : form.terms) {
        const bool one = magnitude(t.coefficient) == 1;
        out += t.monomial->size + 1 + (one ? 0 : 2);
        shared &= !one;
    }
    if (!shared) return out;
    // A coefficient that all terms have is written once.
    const Int128 content = gcd(form.content(), form.constant);
    if (content == 1) return out;
    for (const LinearTerm& t : form.terms) out -= magnitude(t.coefficient) == content ? 2 : 0;
    return out + 2;
}

namespace {

// (x + offset) // divisor in a form.
struct Shifted {
    Expr quotient = nullptr;
    Expr number = nullptr;  // x + offset
    Expr rest = nullptr;    // as it is spelled: x
    Expr divisor = nullptr;
    Int128 offset = 0;
    Int128 coefficient = 0;

    Int128 by() const { return divisor->int_value(); }
    Int128 residue() const { return floor_mod(offset, by()); }
    Int128 whole() const { return floor_div(offset, by()); }
    bool same_class(const Shifted& o) const { return rest == o.rest && divisor == o.divisor; }
};

bool is_quotient(Expr m) {
    return m->op == Op::FloorDiv && ir::is_int_const(m->arg(1)) && m->arg(1)->int_value() > 1;
}

bool has_offset(Expr n) {
    return (n->op == Op::Add || n->op == Op::Sub) && ir::is_int_const(n->arg(1));
}

Shifted read_shifted(const LinearTerm& t) {
    Expr m = t.monomial;
    Expr n = m->arg(0);
    Shifted out{m, n, n, m->arg(1), 0, t.coefficient};
    if (has_offset(n)) {
        out.rest = n->arg(0);
        out.offset = n->op == Op::Add ? n->arg(1)->int_value() : -n->arg(1)->int_value();
    }
    return out;
}

// Whether two quotients of one class stand in the form: a glance, for most have none.
bool may_join_shifted(const LinearForm::Terms& terms) {
    constexpr std::size_t few = 24;
    if (terms.size() > few) return true;
    const auto rest = [](Expr m) { return has_offset(m->arg(0)) ? m->arg(0)->arg(0) : m->arg(0); };
    for (const LinearTerm& a : terms) {
        if (!is_quotient(a.monomial)) continue;
        for (const LinearTerm* b = &a + 1; b != terms.end(); ++b) {
            if (is_quotient(b->monomial) && a.monomial->arg(1) == b->monomial->arg(1) &&
                rest(a.monomial) == rest(b->monomial)) {
                return true;
            }
        }
    }
    return false;
}

using Group = boost::container::small_vector<Shifted, 8>;

bool is_before(const Shifted& a, const Shifted& b) {
    if (a.rest != b.rest) return compare_structure(a.rest, b.rest) < 0;
    if (a.divisor != b.divisor) return a.by() < b.by();
    return a.residue() != b.residue() ? a.residue() < b.residue() : a.offset < b.offset;
}

// a and b differ by a multiple of the divisor: one of them does for both.
LinearForm with_one_of(const LinearForm& form, const Shifted& kept, const Shifted& other) {
    LinearForm out = form;
    out.add(other.quotient, -other.coefficient);
    out.add(kept.quotient, other.coefficient);
    out.constant =
        checked_add(out.constant, checked_mul(other.coefficient, other.whole() - kept.whole()));
    return out;
}

// All residues of the divisor: their quotients sum up to the number. `times` of them.
LinearForm with_number(ir::Context& ctx, const LinearForm& form, const Shifted* all, Int128 times) {
    LinearForm out = form;
    const Int128 c = all->by();
    for (const Shifted* q = all; q != all + c; ++q) {
        out.add(q->quotient, -times);
        out.constant = checked_add(out.constant, checked_mul(times, q->whole()));
    }
    out.add(linear_form(ctx, all->rest), times);
    return out;
}

// `times` of (x + a) // c - (x + b) // c, which is ((x + b) % c + (a - b)) // c; where that is
// whether the remainder is more than 0, so written. And what is left of both.
std::optional<LinearForm> with_difference(ir::Context& ctx, const LinearForm& form,
                                          const Shifted& a, const Shifted& b, Int128 times) {
    const ir::ScalarType type = form.type;
    const Int128 apart = a.offset - b.offset;
    if (!type.contains(apart + a.by()) || !type.contains(apart - a.by())) return std::nullopt;
    Expr remainder = ctx.floormod(b.number, b.divisor);
    LinearForm sum{type, {}, apart};
    sum.add(remainder, 1);
    Expr number = to_expr(ctx, sum);
    if (number == nullptr) return std::nullopt;
    Expr difference = apart == a.by() - 1 ? ctx.make(Op::Min, {remainder, ctx.int_imm(type, 1)})
                                          : ctx.floordiv(number, b.divisor);
    LinearForm out = form;
    out.add(a.quotient, -times);
    out.add(b.quotient, times);
    out.add(difference, times);
    return out;
}

// Of quotients of one class, by residue.
bool join_class(ir::Context& ctx, LinearForm& form, const Shifted* first, const Shifted* end) {
    for (const Shifted* q = first + 1; q < end; ++q) {
        if (q[-1].residue() != q->residue()) continue;
        form = with_one_of(form, q[-1], *q);
        return true;
    }
    std::optional<LinearForm> best;
    const auto consider = [&](std::optional<LinearForm>&& next) {
        const LinearForm& least = best ? *best : form;
        if (next && written_cost(*next) < written_cost(least)) best = std::move(next);
    };
    if (end - first == first->by()) {
        for (const Shifted* q = first; q != end; ++q) {
            consider(with_number(ctx, form, first, q->coefficient));
        }
    }
    for (const Shifted* a = first; !best && a < end; ++a) {
        for (const Shifted* b = first; b < end; ++b) {
            // As many as there are of the one: 1 of each, as a rule.
            if (a == b || (a->coefficient > 0) == (b->coefficient > 0)) continue;
            if (a->coefficient > 0) consider(with_difference(ctx, form, *a, *b, a->coefficient));
            if (b->coefficient < 0) consider(with_difference(ctx, form, *a, *b, -b->coefficient));
        }
    }
    if (best) form = std::move(*best);
    return best.has_value();
}

}  // namespace

bool join_shifted(ir::Context& ctx, LinearForm& form) {
    if (!may_join_shifted(form.terms)) return false;
    Group found;
    for (const LinearTerm& t : form.terms) {
        if (is_quotient(t.monomial)) found.push_back(read_shifted(t));
    }
    if (found.size() < 2) return false;
    std::sort(found.begin(), found.end(), is_before);
    const Shifted* const last = found.data() + found.size();
    for (const Shifted* first = found.data(); first != last;) {
        const Shifted* end = first + 1;
        while (end != last && end->same_class(*first)) ++end;
        if (end - first > 1 && join_class(ctx, form, first, end)) return true;
        first = end;
    }
    return false;
}

}  // namespace proviso::rewrite
