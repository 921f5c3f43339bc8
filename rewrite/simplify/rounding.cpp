// Orders of sums of quotients, remainders, min and max, by ranges once more: as x // c is
// (x - x % c) / c exactly, a sum times a common multiple of its divisors is a sum in which
// quotients have given way to their numbers, and then terms cancel that the ranges took apart.
//
//   k // 2 <= k       2*k - (k - k % 2)  =  k + k % 2  >=  0      for k >= 0
//
// An integer is at least 0 where m times it is more than -m:
//
//   (k*7 + j) // 32 <= k       25*k - j + (k*7 + j) % 32  >  -32      for 0 <= k, 0 <= j < 32
//
// Quick, and right, but knows less than the prover, which is asked where this gives up.
#include "rewrite/simplify/surroundings.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

constexpr int kMostQuotients = 8;
constexpr int kMostChoices = 4;
constexpr std::size_t kMostTerms = 12;

bool by_literal(Expr e) {
    return ir::is_int_const(e->arg(1)) && e->arg(1)->int_value() > 1;
}

// The largest: what is in outer ones may cancel with others. Null when there is none.
const LinearTerm* find_quotient(const LinearForm& form) {
    const LinearTerm* best = nullptr;
    for (const LinearTerm& t : form.terms) {
        const bool is_one = t.monomial->op == Op::FloorDiv && by_literal(t.monomial);
        if (is_one && (best == nullptr || t.monomial->size > best->monomial->size)) best = &t;
    }
    return best;
}

}  // namespace

// The form, or a positive multiple of it, without quotients by literals; `multiple` is multiplied
// along.
bool Surroundings::multiply_quotients_out(LinearForm& form, Int128& multiple) {
    for (int i = 0; i < kMostQuotients; ++i) {
        const LinearTerm* found = find_quotient(form);
        if (found == nullptr) return true;
        const LinearTerm q = *found;
        Expr x = q.monomial->arg(0);
        const Int128 c = q.monomial->arg(1)->int_value();
        const Int128 g = gcd(q.coefficient, c);
        form.add(q.monomial, -q.coefficient);
        form.scale(c / g);
        multiple = checked_mul(multiple, c / g);
        form.add(forms_.plain(x), q.coefficient / g);
        form.add(ctx_.floormod(x, q.monomial->arg(1)), -(q.coefficient / g));
        if (form.terms.size() > kMostTerms) return false;
    }
    return false;
}

// Where a range does not say so, min and max are taken as one of their arms, and a remainder that
// is taken away as its number, where that is not negative: it is no more than that.
// The form is `multiple` times an integer.
bool Surroundings::at_least_zero(FactSet& s, LinearForm form, Int128 multiple, int choices) {
    if (!multiply_quotients_out(form, multiple)) return false;
    if (range(s, form).lo > -multiple) return true;
    if (choices == 0) return false;
    for (const LinearTerm& t : form.terms) {
        Expr m = t.monomial;
        LinearForm rest = form;
        rest.add(m, -t.coefficient);
        const auto with = [&](Expr arm) {
            LinearForm out = rest;
            out.add(forms_.plain(arm), t.coefficient);
            return at_least_zero(s, std::move(out), multiple, choices - 1);
        };
        if (m->op == Op::Min || m->op == Op::Max) {
            // It is one of its arms, and, taken away, no more than either.
            const bool either = (m->op == Op::Min) == (t.coefficient < 0);
            const bool first = with(m->arg(0));
            return first == either ? either : with(m->arg(1));
        }
        if (m->op == Op::FloorMod && t.coefficient < 0 && by_literal(m) &&
            range(s, m->arg(0)).lo >= 0 && with(m->arg(0))) {
            return true;
        }
    }
    return false;
}

bool Surroundings::holds_rounded(FactSet& s, Expr claim) {
    const bool positive = claim->op != Op::Not;
    if (!positive) claim = claim->arg(0);
    const bool order = claim->op == Op::Lt || claim->op == Op::Le;
    if (!order || !claim->arg(0)->type.is_exact_int()) return false;
    try {
        LinearForm gap = forms_.plain(claim->arg(1));
        gap.add(forms_.plain(claim->arg(0)), -1);
        if (!positive) gap.scale(-1);
        if ((claim->op == Op::Lt) == positive) gap.constant = checked_add(gap.constant, -1);
        return gap.terms.size() <= kMostTerms && at_least_zero(s, std::move(gap), 1, kMostChoices);
    } catch (const TooLarge&) {
        return false;
    }
}

}  // namespace proviso::rewrite
