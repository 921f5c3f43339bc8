// Min and max of exact integers: an operand that never matters goes, what all operands share goes
// out.
//
//   T.max(T.max(y, 4), y + 3)    y <= y + 3                  T.max(y + 3, 4)
//   T.min(x*4 + z, y*4 + z)      a common term and factor    T.min(x, y)*4 + z
//   T.min(x*n, y*n)              n >= 0                      T.min(x, y)*n
#include <algorithm>

#include "analysis/facts/formula.h"
#include "rewrite/simplify/arrange/arrange.h"
#include "rewrite/simplify/arrange/extremum_operands.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

constexpr std::size_t kMostTerms = 24;

bool is_sum(Expr e) {
    return e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul || e->op == Op::Neg;
}

// The other of min and max.
Op opposite(Op op) {
    return op == Op::Min ? Op::Max : Op::Min;
}

// The greatest divisor of all that the two are made of, negative where all terms are.
Int128 common_content(const LinearForm& a, const LinearForm& b) {
    Int128 out = gcd(gcd(a.content(), a.constant), gcd(b.content(), b.constant));
    const auto is_negative = [](const LinearForm& f) {
        return std::all_of(f.terms.begin(), f.terms.end(),
                           [](const LinearTerm& t) { return t.coefficient < 0; });
    };
    return is_negative(a) && is_negative(b) ? -out : out;
}

// Whether there is something to look for: a common term, constant, divisor, sign, or product.
bool may_share(const LinearForm& a, const LinearForm& b) {
    if (a.terms.size() + b.terms.size() > kMostTerms) return false;
    if (a.constant == b.constant && a.constant != 0) return true;
    const auto is_product = [](const LinearTerm& t) { return t.monomial->op == Op::Mul; };
    if (std::any_of(a.terms.begin(), a.terms.end(), [&](const LinearTerm& t) {
            return is_product(t) || b.coefficient_of(t.monomial) == t.coefficient;
        })) {
        return true;
    }
    return common_content(a, b) != 1;
}

void divide(LinearForm& form, Int128 by) {
    for (LinearTerm& t : form.terms) t.coefficient /= by;
    form.constant /= by;
}

}  // namespace

Arranged Arranger::extremum(FactSet& s, Expr e) const {
    const bool is_min = e->op == Op::Min;
    Expr a = e->arg(0);
    Expr b = e->arg(1);
    LinearForm gap = forms_.expanded(b);
    gap.add(forms_.expanded(a), -1);
    const Range r = surroundings_.range(s, gap);
    bool left_is_less = r.lo >= 0;
    bool right_is_less = r.hi <= 0;
    if (!left_is_less && !right_is_less && !surroundings_.ranges_say_all(s, a, b)) {
        left_is_less = surroundings_.proves(s, Op::Le, a, b);
        right_is_less = !left_is_less && surroundings_.proves(s, Op::Le, b, a);
    }
    if (left_is_less || right_is_less) {
        const bool take_left = left_is_less == is_min;
        std::vector<Expr> conditions;
        if (explain_) [[unlikely]]
            conditions = {take_left == is_min ? ctx_.le(a, b) : ctx_.le(b, a)};
        return found(is_min ? "min-known-left" : "max-known-left", e, take_left ? a : b,
                     {{"x", take_left ? a : b}, {"y", take_left ? b : a}}, std::move(conditions));
    }
    if (auto out = without_operands(s, e)) return out;
    if (auto out = common_part(s, e)) return out;
    // Constants to the right, the others by structure.
    const bool swap =
        ir::is_const(a) != ir::is_const(b) ? ir::is_const(a) : compare_structure(b, a) < 0;
    if (swap) return found("order-operands", e, ctx_.make(e->op, {b, a}));
    return {};
}

// What scaled and shifted several operands at once now stands at one of them.
bool Arranger::operands_observable(FactSet& s, Expr e, Expr whole) const {
    if (e->op == Op::Min || e->op == Op::Max) {
        return operands_observable(s, e->arg(0), whole) && operands_observable(s, e->arg(1), whole);
    }
    if (!observable_within(s, e, whole)) return false;
    if (!is_sum(e) || (forms_.kinds(e) & kExtrema) == 0) return true;
    const LinearForm& form = forms_.plain(e);
    return std::all_of(form.terms.begin(), form.terms.end(), [&](const LinearTerm& t) {
        const bool extremum = t.monomial->op == Op::Min || t.monomial->op == Op::Max;
        return !extremum || operands_observable(s, t.monomial, whole);
    });
}

// An operand that another one is never above, or never below, whichever is nested where.
Arranged Arranger::without_operands(FactSet& s, Expr e) const {
    const bool is_min = e->op == Op::Min;
    const auto may_nest = [this](Expr a) {
        return a->op == Op::Min || a->op == Op::Max || (forms_.kinds(a) & kExtrema) != 0;
    };
    if (!may_nest(e->arg(0)) && !may_nest(e->arg(1))) return {};
    const auto operands = extremum_operands(forms_, e);
    if (!operands || operands->forms.size() < 3) return {};
    const auto covers = [&](const LinearForm& kept, const LinearForm& other) {
        LinearForm gap = is_min ? other : kept;
        gap.add(is_min ? kept : other, -1);
        return surroundings_.range(s, gap).lo >= 0;
    };
    const std::size_t count = operands->forms.size();
    std::vector<bool> drop(count, false);
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count && !drop[i]; ++j) {
            if (i == j || drop[j] || !covers(operands->forms[i], operands->forms[j])) continue;
            drop[j] = true;
            any = true;
        }
    }
    if (!any) return {};
    Expr after = rewrite::without_operands(ctx_, forms_, e, drop);
    if (after == nullptr || after->size >= e->size || !operands_observable(s, after, e)) return {};
    return found(is_min ? "min-of-operands" : "max-of-operands", e, after);
}

// What both operands have in common, as a term or as a factor, where that makes it smaller, or is
// a factor that others may meet.
Arranged Arranger::common_part(FactSet& s, Expr e) const {
    if (!is_sum(e->arg(0)) && !is_sum(e->arg(1))) return {};
    const LinearForm& first = forms_.plain(e->arg(0));
    const LinearForm& second = forms_.plain(e->arg(1));
    if (!may_share(first, second)) return {};
    LinearForm a = first;
    LinearForm b = second;
    LinearForm common{a.type, {}, 0};
    for (const LinearTerm& t : a.terms) {
        if (b.coefficient_of(t.monomial) == t.coefficient) common.add(t.monomial, t.coefficient);
    }
    if (a.constant == b.constant) common.constant = a.constant;
    a.add(common, -1);
    b.add(common, -1);
    const Int128 content = common_content(a, b);
    if (content == 0) return {};
    const bool alone = common.is_constant() && common.constant == 0;
    if (alone && content == 1) return common_factor(s, e, a, b);
    divide(a, content);
    divide(b, content);
    Expr x = to_expr(ctx_, a);
    Expr y = to_expr(ctx_, b);
    if (x == nullptr || y == nullptr) return {};
    const Op op = content < 0 ? opposite(e->op) : e->op;
    common.add(ctx_.make(op, {x, y}), content);
    Expr after = to_expr(ctx_, common);
    const bool is_factor = alone && content != 1;
    if (after == nullptr || after->size > e->size || (after->size == e->size && !is_factor) ||
        !observable_within(s, x, e) || !observable_within(s, y, e)) {
        return {};
    }
    std::vector<Expr> conditions;
    if (explain_) [[unlikely]]
        conditions = {analysis::in_range(ctx_, x), analysis::in_range(ctx_, y)};
    return found("common-part", e, after, {{"x", x}, {"y", y}}, std::move(conditions));
}

// min(x*n, y*n) is min(x, y)*n where n is not negative, max(x, y)*n where it is not positive.
Arranged Arranger::common_factor(FactSet& s, Expr e, const LinearForm& a,
                                 const LinearForm& b) const {
    if (a.constant != 0 || b.constant != 0 || a.terms.empty() || b.terms.empty()) return {};
    const auto without = [&](const LinearForm& form, Expr factor, LinearForm& out) {
        for (const LinearTerm& t : form.terms) {
            Expr left = without_factors(ctx_, t.monomial, {factor});
            if (left == nullptr) return false;
            out.add(linear_form(ctx_, left), t.coefficient);
        }
        return true;
    };
    for (Expr factor : factors_of(a.terms[0].monomial)) {
        LinearForm sides[2] = {{a.type, {}, 0}, {b.type, {}, 0}};
        if (!without(a, factor, sides[0]) || !without(b, factor, sides[1])) continue;
        const Range r = surroundings_.range(s, factor);
        if (r.lo < 0 && r.hi > 0) continue;
        Expr x = to_expr(ctx_, sides[0]);
        Expr y = to_expr(ctx_, sides[1]);
        if (x == nullptr || y == nullptr) continue;
        LinearForm whole{a.type, {}, 0};
        Factors factors = {factor, ctx_.make(r.lo >= 0 ? e->op : opposite(e->op), {x, y})};
        sort_factors(factors);
        whole.add(product_of(ctx_, a.type, factors), 1);
        Expr after = to_expr(ctx_, whole);
        if (after == nullptr || after->size >= e->size || !observable_within(s, x, e) ||
            !observable_within(s, y, e)) {
            continue;
        }
        std::vector<Expr> conditions;
        if (explain_) [[unlikely]] {
            Expr zero = ctx_.int_imm(a.type, 0);
            conditions = {r.lo >= 0 ? ctx_.le(zero, factor) : ctx_.le(factor, zero),
                          analysis::in_range(ctx_, x), analysis::in_range(ctx_, y)};
        }
        return found("common-factor", e, after, {{"x", x}, {"y", y}, {"z", factor}},
                     std::move(conditions));
    }
    return {};
}

}  // namespace proviso::rewrite
