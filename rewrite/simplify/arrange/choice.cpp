// Sums and divisions around choices, and pairs of min and max in one sum.
//
//   T.Select(p, x + z, y) - z              a term cancels in an arm     T.Select(p, x, y - z)
//   T.Select(p, x * 4, 8) // 4             exact in both arms           T.Select(p, x, 2)
//   T.max(x + 2, y + 5) - T.max(x, y + 3)  the same distance            2
//   T.min(x, y) + T.max(y, x)                                           x + y
#include <algorithm>

#include "rewrite/simplify/arrange/arrange.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

constexpr std::size_t kMostTerms = 24;

bool is_choice(Expr e) {
    return e->op == Op::Select || e->op == Op::IfThenElse;
}

bool is_extremum(Expr e) {
    return e->op == Op::Min || e->op == Op::Max;
}

LinearForm difference(const LinearForm& a, const LinearForm& b) {
    LinearForm out = a;
    out.add(b, -1);
    return out;
}

}  // namespace

Arranged Arranger::sum_into_choice(Expr e) const {
    const LinearForm& form = forms_.plain(e);
    if (form.terms.size() > kMostTerms) return {};
    for (const LinearTerm& t : form.terms) {
        Expr m = t.monomial;
        if (!is_choice(m) || magnitude(t.coefficient) != 1) continue;
        LinearForm arms[] = {forms_.plain(m->arg(1)), forms_.plain(m->arg(2))};
        LinearForm rest = form;
        rest.add(m, -t.coefficient);
        const bool cancels = std::any_of(rest.terms.begin(), rest.terms.end(), [&](const auto& r) {
            const Int128 gone = -r.coefficient * t.coefficient;
            return arms[0].coefficient_of(r.monomial) == gone ||
                   arms[1].coefficient_of(r.monomial) == gone;
        });
        if (!cancels) continue;
        Expr sides[2] = {nullptr, nullptr};
        for (const std::size_t i : {0, 1}) {
            arms[i].scale(t.coefficient);
            arms[i].add(rest);
            sides[i] = to_expr(ctx_, arms[i]);
        }
        if (sides[0] == nullptr || sides[1] == nullptr) continue;
        Expr after = ctx_.make(m->op, {m->arg(0), sides[0], sides[1]});
        if (after->size >= e->size) continue;
        return found("sum-into-choice", e, after, {{"p", m->arg(0)}});
    }
    return {};
}

// A factor that is 1 or 0 by a condition chooses: T.Select(p, 0, 1) * x is T.Select(p, 0, x).
Arranged Arranger::product_into_choice(Expr e) const {
    const auto is_literal = [](Expr x, Int128 value) {
        return ir::is_int_const(x) && x->int_value() == value;
    };
    for (const std::size_t i : {0, 1}) {
        Expr chooses = e->arg(i);
        Expr x = e->arg(1 - i);
        Expr after = nullptr;
        if (is_choice(chooses)) {
            const bool first = is_literal(chooses->arg(1), 1) && is_literal(chooses->arg(2), 0);
            const bool second = is_literal(chooses->arg(1), 0) && is_literal(chooses->arg(2), 1);
            if (!first && !second) continue;
            Expr zero = chooses->arg(first ? 2 : 1);
            after = ctx_.make(chooses->op, {chooses->arg(0), first ? x : zero, first ? zero : x});
        } else if (chooses->op == Op::Cast && chooses->arg(0)->type.is_bool() && is_choice(x) &&
                   x->arg(0) == chooses->arg(0)) {
            // T.Cast("int32", p) * T.Select(p, x, y) is T.Select(p, x, 0).
            after = ctx_.make(x->op, {x->arg(0), x->arg(1), ctx_.int_imm(e->type, 0)});
        }
        if (after == nullptr || after->size >= e->size) continue;
        return found("product-into-choice", e, after, {{"p", after->arg(0)}, {"x", x}});
    }
    return {};
}

// By a literal that is not 0: where it divides both arms, or one and the other is a literal.
Arranged Arranger::division_into_choice(Expr e) const {
    Expr m = e->arg(0);
    const Int128 c = e->arg(1)->int_value();
    const bool floors = e->op == Op::FloorDiv || e->op == Op::FloorMod;
    const bool quotient = e->op == Op::FloorDiv || e->op == Op::TruncDiv;
    if (!is_choice(m) || (floors && c < 0)) return {};
    Expr sides[2] = {nullptr, nullptr};
    for (const std::size_t i : {0, 1}) {
        Expr arm = m->arg(i + 1);
        LinearForm form = forms_.plain(arm);
        if (is_multiple(gcd(form.content(), form.constant), magnitude(c))) {
            if (!quotient) form = LinearForm{e->type, {}, 0};
            for (LinearTerm& t : form.terms) t.coefficient /= c;
            form.constant /= c;
            sides[i] = to_expr(ctx_, form);
        } else if (ir::is_int_const(arm)) {
            const Int128 value = arm->int_value();
            const Int128 q = floors ? floor_div(value, c) : value / c;
            sides[i] = constant(e->type, quotient ? q : value - q * c);
        }
        if (sides[i] == nullptr) return {};
    }
    Expr after = ctx_.make(m->op, {m->arg(0), sides[0], sides[1]});
    if (after->size >= e->size) return {};
    return found("division-into-choice", e, after, {{"p", m->arg(0)}});
}

Arranged Arranger::pair_of_extrema(Expr e) const {
    const LinearForm& form = forms_.plain(e);
    if (form.terms.size() < 2 || form.terms.size() > kMostTerms) return {};
    for (const LinearTerm& t : form.terms) {
        if (!is_extremum(t.monomial)) continue;
        for (const LinearTerm* u = &t + 1; u != form.terms.end(); ++u) {
            if (!is_extremum(u->monomial)) continue;
            const bool same = t.monomial->op == u->monomial->op;
            if (t.coefficient != (same ? -u->coefficient : Int128{u->coefficient})) continue;
            const LinearForm& a0 = forms_.expanded(t.monomial->arg(0));
            const LinearForm& a1 = forms_.expanded(t.monomial->arg(1));
            const LinearForm& b0 = forms_.expanded(u->monomial->arg(0));
            const LinearForm& b1 = forms_.expanded(u->monomial->arg(1));
            LinearForm both{form.type, {}, 0};
            if (same) {
                const bool straight = difference(a0, b0) == difference(a1, b1);
                const bool crossed = difference(a0, b1) == difference(a1, b0);
                if (!straight && !crossed) continue;
                both = straight ? difference(a0, b0) : difference(a0, b1);
            } else {
                if (!(a0 == b0 && a1 == b1) && !(a0 == b1 && a1 == b0)) continue;
                both = a0;
                both.add(a1);
            }
            LinearForm whole = form;
            whole.add(t.monomial, -t.coefficient);
            whole.add(u->monomial, -u->coefficient);
            whole.add(both, t.coefficient);
            Expr after = to_expr(ctx_, whole);
            if (after == nullptr || after->size >= e->size) continue;
            return found("pair-of-extrema", e, after);
        }
    }
    return {};
}

}  // namespace proviso::rewrite
