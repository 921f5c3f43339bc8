// Divisions toward zero, and floor divisions by negative constants: multiples of the divisor, what
// dividend and divisor share, signs.
//
//   T.truncdiv(x*8 + y*4, 4)      x*2 + y            exact, whatever the signs
//   T.truncmod(x*4 + y*8, 12)     T.truncmod(x + y*2, 3) * 4
//   (x*6 + y) // -3               y // -3 - x*2
//   -x // -3                      x // 3
#include <algorithm>

#include "analysis/facts/formula.h"
#include "rewrite/simplify/arrange/arrange.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

// The greatest divisor of all that a form is made of.
Int128 content_of(const LinearForm& form) {
    return gcd(form.content(), form.constant);
}

void divide(LinearForm& form, Int128 by) {
    for (LinearTerm& t : form.terms) t.coefficient /= by;
    form.constant /= by;
}

bool is_negative(const LinearForm& form) {
    return form.constant <= 0 && std::all_of(form.terms.begin(), form.terms.end(),
                                             [](const LinearTerm& t) { return t.coefficient < 0; });
}

bool is_quotient(Op op) {
    return op == Op::FloorDiv || op == Op::TruncDiv;
}

bool is_floor(Op op) {
    return op == Op::FloorDiv || op == Op::FloorMod;
}

const char* split_rule(Op op) {
    return is_quotient(op) ? "floordiv-split-multiple" : "floormod-drop-multiple";
}

}  // namespace

// Of exact integers, by a literal that is not 0, 1 or -1; floor divisions by negative ones only.
Arranged Arranger::truncation(FactSet& s, Expr e) const {
    Expr divisor = e->arg(1);
    if (!ir::is_int_const(divisor)) return without_common_factors(s, e);
    const Int128 c = divisor->int_value();
    if (-2 < c && c < 2) return {};
    const LinearForm& numerator = forms_.expanded(e->arg(0));
    if (numerator.is_constant()) return {};
    if (e->arg(0)->op == Op::Select || e->arg(0)->op == Op::IfThenElse) {
        if (auto out = division_into_choice(e)) return out;
    }
    if (e->arg(0)->op == Op::Min || e->arg(0)->op == Op::Max) {
        if (auto out = truncated_extremum(e, c)) return out;
    }
    if (auto out = of_multiple(s, e, numerator, c)) return out;
    if (is_floor(e->op)) return by_negative(s, e, numerator, c);
    return toward_zero(s, e, numerator, c);
}

// What divisor and dividend share goes out, all of it where the divisor divides the dividend.
Arranged Arranger::of_multiple(FactSet& s, Expr e, const LinearForm& numerator, Int128 c) const {
    const Int128 shared = gcd(content_of(numerator), magnitude(c));
    if (shared == 1) return {};
    LinearForm inner = numerator;
    if (shared == magnitude(c)) {
        if (!is_quotient(e->op)) {
            return found("truncmod-of-multiple", e, constant(e->type, 0), {{"x", e->arg(0)}});
        }
        divide(inner, c);
        return found("truncdiv-of-multiple", e, to_expr(ctx_, inner), {{"x", e->arg(0)}});
    }
    divide(inner, shared);
    Expr x = to_expr(ctx_, inner);
    Expr by = constant(e->type, c / shared);
    if (x == nullptr || by == nullptr || !observable_within(s, x, e)) return {};
    Expr after = ctx_.make(e->op, {x, by});
    if (!is_quotient(e->op)) {
        LinearForm scaled_up{e->type, {}, 0};
        scaled_up.add(after, shared);
        after = to_expr(ctx_, scaled_up);
    }
    if (after == nullptr || after->size > e->size) return {};
    return found(is_quotient(e->op) ? "truncdiv-cancel-scale" : "truncmod-cancel-scale", e, after,
                 {{"x", x}, {"y", by}});
}

// T.truncdiv(T.min(x * 8, y * 4), 4) is T.min(x * 2, y): where all operands are multiples.
Arranged Arranger::truncated_extremum(Expr e, Int128 c) const {
    Expr m = e->arg(0);
    Expr arms[2] = {nullptr, nullptr};
    for (const std::size_t i : {0, 1}) {
        LinearForm arm = forms_.plain(m->arg(i));
        if (!is_multiple(content_of(arm), magnitude(c))) return {};
        divide(arm, c);
        arms[i] = to_expr(ctx_, arm);
        if (arms[i] == nullptr) return {};
    }
    if (!is_quotient(e->op)) {
        return found("truncmod-of-multiple", e, constant(e->type, 0), {{"x", m}});
    }
    const bool is_min = (m->op == Op::Min) == (c > 0);
    Expr after = ctx_.make(is_min ? Op::Min : Op::Max, arms);
    if (after->size >= e->size) return {};
    return found("truncdiv-of-multiple", e, after, {{"x", m}});
}

// T.truncmod(x, -5) is T.truncmod(x, 5), T.truncdiv(-x, -5) is T.truncdiv(x, 5), and what is less
// than the divisor has the quotient 0.
Arranged Arranger::toward_zero(FactSet& s, Expr e, const LinearForm& numerator, Int128 c) const {
    const bool quotient = e->op == Op::TruncDiv;
    const Int128 size = magnitude(c);
    const Range r = surroundings_.range(s, numerator);
    if (-size < r.lo && r.hi < size) {
        Expr after = quotient ? constant(e->type, 0) : to_expr(ctx_, numerator);
        return found(quotient ? "truncdiv-bounded" : "truncmod-bounded", e, after,
                     {{"x", e->arg(0)}, {"y", e->arg(1)}});
    }
    if (Int128 q = 0; r.hi < 0 && has_one_quotient(scaled(r, -1), size, q)) {
        // -31 <= x <= -24: x is 8 * -3 and a remainder.
        LinearForm rest = numerator;
        rest.constant = checked_add(rest.constant, checked_mul(q, size));
        Expr after = quotient ? constant(e->type, c > 0 ? -q : q) : to_expr(ctx_, rest);
        return found(quotient ? "truncdiv-bounded" : "truncmod-bounded", e, after,
                     {{"x", e->arg(0)}, {"y", e->arg(1)}});
    }
    if (c > 0) return {};
    Expr by = constant(e->type, size);
    if (by == nullptr) return {};
    if (!quotient) return found("truncmod-negs", e, ctx_.make(e->op, {e->arg(0), by}));
    if (!is_negative(numerator)) return {};
    LinearForm opposite = numerator;
    opposite.scale(-1);
    Expr x = to_expr(ctx_, opposite);
    if (x == nullptr || !observable(s, x)) return {};
    return found("truncdiv-negs", e, ctx_.make(e->op, {x, by}), {{"x", x}, {"y", by}});
}

Arranged Arranger::by_negative(FactSet& s, Expr e, const LinearForm& numerator, Int128 c) const {
    const bool quotient = e->op == Op::FloorDiv;
    const Int128 size = -c;
    Int128 q = 0;
    if (has_one_quotient(scaled(surroundings_.range(s, numerator), -1), size, q)) {
        LinearForm rest = numerator;
        rest.constant = checked_add(rest.constant, -checked_mul(q, c));
        return found(quotient ? "floordiv-bounded" : "floormod-bounded", e,
                     quotient ? constant(e->type, q) : to_expr(ctx_, rest),
                     {{"x", e->arg(0)}, {"y", e->arg(1)}});
    }
    if (is_negative(numerator)) {
        LinearForm opposite = numerator;
        opposite.scale(-1);
        Expr x = to_expr(ctx_, opposite);
        Expr by = constant(e->type, size);
        if (x != nullptr && by != nullptr && observable(s, x)) {
            Expr after = ctx_.make(e->op, {x, by});
            if (!quotient) after = ctx_.neg(after);
            if (after->size <= e->size) return found("floordiv-negs", e, after, {{"x", x}});
        }
    }
    // (x % -8) % -4 is x % -4, and so with a sum around it.
    if (!quotient) {
        for (const LinearTerm& t : numerator.terms) {
            Expr m = t.monomial;
            const bool digit = m->op == Op::FloorMod && ir::is_int_const(m->arg(1)) &&
                               is_multiple(checked_mul(t.coefficient, m->arg(1)->int_value()), c);
            if (!digit) continue;
            LinearForm whole = numerator;
            whole.add(m, -t.coefficient);
            whole.add(linear_form(ctx_, m->arg(0)), t.coefficient);
            Expr number = to_expr(ctx_, whole);
            if (number == nullptr || !observable_within(s, number, e)) continue;
            Expr after = ctx_.floormod(number, e->arg(1));
            if (after->size < e->size) {
                return found("floormod-of-sum-of-floormod", e, after, {{"x", m->arg(0)}});
            }
        }
    }
    SplitForm split = split_by(numerator, size);
    const bool any_term = !split.multiple.terms.empty();
    if (split.rest.constant != 0 && quotient) {
        split.rest.constant = numerator.constant;
        split.multiple.constant = 0;
    }
    if (!any_term && split.multiple.constant == 0) return {};
    Expr rest = to_expr(ctx_, split.rest);
    if (rest == nullptr || !observable_within(s, rest, e)) return {};
    Expr after = ctx_.make(e->op, {rest, e->arg(1)});
    if (quotient) {
        LinearForm whole = split.multiple;
        whole.scale(-1);
        whole.add(after, 1);
        after = to_expr(ctx_, whole);
    }
    if (after == nullptr || after->size > e->size) return {};
    return found(split_rule(e->op), e, after, {{"y", rest}, {"c2", e->arg(1)}});
}

// x*y*4 // (y*8) is x*4 // 8, and x*y % y is 0, whatever the sign of y: where y is 0 both fault.
Arranged Arranger::without_common_factors(FactSet& s, Expr e) const {
    Expr d = e->arg(1);
    const LinearForm& divisor = forms_.plain(d);
    Factors factors = {d};
    Int128 scale = 1;
    if (divisor.terms.size() == 1 && divisor.constant == 0) {
        factors = factors_of(divisor.terms[0].monomial);
        scale = divisor.terms[0].coefficient;
    }
    const LinearForm& plain = forms_.plain(e->arg(0));
    const LinearForm& multiplied = forms_.expanded(e->arg(0));
    for (const bool second : {false, true}) {
        if (second && &multiplied == &plain) break;
        const LinearForm* form = second ? &multiplied : &plain;
        if (form->constant != 0 || form->is_constant()) continue;
        LinearForm inner{e->type, {}, 0};
        const bool all = std::all_of(form->terms.begin(), form->terms.end(), [&](const auto& t) {
            Expr left = without_factors(ctx_, t.monomial, factors);
            if (left != nullptr) inner.add(linear_form(ctx_, left), t.coefficient);
            return left != nullptr;
        });
        if (!all) continue;
        if (is_multiple(inner.content(), magnitude(scale)) &&
            is_multiple(inner.constant, magnitude(scale))) {
            if (!is_quotient(e->op)) {
                return found("floormod-of-factor", e, constant(e->type, 0), {{"y", d}});
            }
            divide(inner, scale);
            return found("floordiv-cancel-factor", e, to_expr(ctx_, inner), {{"y", d}});
        }
        Expr x = to_expr(ctx_, inner);
        Expr by = constant(e->type, scale);
        if (x == nullptr || by == nullptr || !observable(s, x)) continue;
        Expr after = ctx_.make(e->op, {x, by});
        if (!is_quotient(e->op)) {
            factors.push_back(after);
            sort_factors(factors);
            after = product_of(ctx_, e->type, factors);
        }
        if (after->size >= e->size) continue;
        return found(is_quotient(e->op) ? "floordiv-cancel-term" : "floormod-cancel-term", e, after,
                     {{"x", x}, {"y", d}});
    }
    return {};
}

// (x*y + z) // y is x + z // y for a divisor of unknown sign: where it is 0 both fault, and where
// it is -1, -z has to be a number of the type.
Arranged Arranger::by_signed_symbol(FactSet& s, Expr e) const {
    Expr d = e->arg(1);
    const LinearForm& numerator = forms_.expanded(e->arg(0));
    const LinearForm& divisor = forms_.plain(d);
    LinearForm multiple{e->type, {}, 0};
    LinearForm rest = numerator;
    if (divisor.terms.size() == 1 && divisor.constant == 0) {
        const Factors factors = factors_of(divisor.terms[0].monomial);
        const Int128 scale = divisor.terms[0].coefficient;
        rest = LinearForm{e->type, {}, numerator.constant};
        for (const LinearTerm& t : numerator.terms) {
            Expr left = is_multiple(t.coefficient, magnitude(scale))
                            ? without_factors(ctx_, t.monomial, factors)
                            : nullptr;
            if (left == nullptr) {
                rest.add(t.monomial, t.coefficient);
            } else {
                multiple.add(linear_form(ctx_, left), t.coefficient / scale);
            }
        }
    } else if (!divisor.terms.empty()) {
        // The sum that divides, once or several times.
        const LinearTerm& first = divisor.terms[0];
        const Int128 there = numerator.coefficient_of(first.monomial);
        if (there == 0 || there % first.coefficient != 0) return {};
        const Int128 k = there / first.coefficient;
        rest.add(divisor, -k);
        multiple.constant = k;
        if (rest.terms.size() + divisor.terms.size() > numerator.terms.size()) return {};
    }
    if (multiple.is_constant() && multiple.constant == 0) return {};
    Expr y = to_expr(ctx_, rest);
    if (y == nullptr || !observable(s, y)) return {};
    const bool quotient = e->op == Op::FloorDiv;
    const Range by = surroundings_.range(s, d);
    const bool may_negate = by.lo <= -1 && -1 <= by.hi;
    if (may_negate && surroundings_.range(s, y).lo <= e->type.min_value()) return {};
    Expr after = ctx_.make(e->op, {y, d});
    if (quotient) {
        multiple.add(after, 1);
        after = to_expr(ctx_, multiple);
    }
    if (after == nullptr || after->size > e->size) return {};
    std::vector<Expr> conditions;
    if (explain_) [[unlikely]]
        conditions = {analysis::in_range(ctx_, y)};
    return found(quotient ? "floordiv-cancel-factor-sum" : "floormod-of-factor-sum", e, after,
                 {{"z", y}, {"y", d}}, std::move(conditions));
}

}  // namespace proviso::rewrite
