// Comparisons of exact integers through the difference of their sides.
#include <algorithm>
#include <string_view>

#include "analysis/facts/formula.h"
#include "rewrite/simplify/arrange/arrange.h"
#include "rewrite/simplify/arrange/digits.h"
#include "rewrite/simplify/arrange/extremum_operands.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

bool is_order(Op op) {
    return op == Op::Lt || op == Op::Le;
}

// difference `op` 0
std::optional<bool> truth_of(Op op, const LinearForm& difference, const Range& r) {
    switch (op) {
        case Op::Lt:
            if (r.hi < 0) return true;
            if (r.lo >= 0) return false;
            return std::nullopt;
        case Op::Le:
            if (r.hi <= 0) return true;
            if (r.lo > 0) return false;
            return std::nullopt;
        default: break;
    }
    const bool when_equal = op == Op::Eq;
    if (r.lo == 0 && r.hi == 0) return when_equal;
    if (r.lo > 0 || r.hi < 0) return !when_equal;
    const Int128 content = difference.content();
    if (content > 1 && !is_multiple(difference.constant, content)) return !when_equal;
    return std::nullopt;
}

// The least term by structure; null when there is none.
Expr first_term(const LinearForm& form) {
    Expr out = nullptr;
    for (const LinearTerm& t : form.terms) {
        if (out == nullptr || compare_structure(t.monomial, out) < 0) out = t.monomial;
    }
    return out;
}

}  // namespace

Arranged Arranger::comparison(FactSet& s, Expr e) const {
    LinearForm difference = forms_.expanded(e->arg(0));
    difference.add(forms_.expanded(e->arg(1)), -1);
    const bool joined = join_digits(ctx_, difference);
    if (difference.is_constant()) {
        const Range at = Range::point(difference.constant);
        return found("linear-form", e, ctx_.bool_imm(*truth_of(e->op, difference, at)));
    }
    std::optional<bool> known = surroundings_.said(s, e);
    if (!known) known = truth_of(e->op, difference, surroundings_.range(s, difference));
    const auto differs = [this](Expr x) { return &forms_.expanded(x) != &forms_.plain(x); };
    if (!known && (joined || differs(e->arg(0)) || differs(e->arg(1)))) {
        known = surroundings_.decide(s, e);
    }
    if (!known) known = surroundings_.asks_either(s, e);
    if (known) {
        std::vector<Expr> conditions;
        if (explain_) [[unlikely]]
            conditions = {*known ? e : ctx_.not_(e)};
        return found("known-fact", e, ctx_.bool_imm(*known), {}, std::move(conditions));
    }
    if (auto out = without_extremum(s, e)) return out;
    if (auto out = split_extremum(s, e)) return out;
    return smaller_comparison(s, e, std::move(difference));
}

// Whether left < right, or left <= right, has that truth value.
bool Arranger::is_known_order(FactSet& s, Op op, Expr left, Expr right, bool truth) const {
    if (const auto known = surroundings_.decide_order(s, op, left, right)) return *known == truth;
    if (surroundings_.ranges_say_all(s, left, right)) return false;
    return truth ? surroundings_.proves(s, op, left, right)
                 : surroundings_.proves(s, op == Op::Lt ? Op::Le : Op::Lt, right, left);
}

// x < T.max(y, z) is x < y where x < z cannot be; x < T.min(y, z) is x < y where x < z must be; and
// so on for the other side.
Arranged Arranger::without_extremum(FactSet& s, Expr e) const {
    if (!is_order(e->op)) return {};
    for (std::size_t side : {0, 1}) {
        Expr m = e->arg(side);
        const bool has_extremum =
            m->op == Op::Min || m->op == Op::Max || (forms_.kinds(m) & kExtrema) != 0;
        if (!has_extremum) continue;
        // Most have two operands, neither of them a min or max: there is nothing to collect.
        const bool direct = (m->op == Op::Min || m->op == Op::Max) &&
                            ((forms_.kinds(m->arg(0)) | forms_.kinds(m->arg(1))) & kExtrema) == 0;
        std::optional<ExtremumOperands> operands;
        if (!direct && !(operands = extremum_operands(forms_, m))) continue;
        const bool both_must_hold = (side == 1) == ((direct ? m->op : operands->op) == Op::Min);
        const std::size_t count = direct ? 2 : operands->forms.size();
        for (std::size_t i = 0; i < count; ++i) {
            Expr operand = direct ? m->arg(i) : to_expr(ctx_, operands->forms[i]);
            if (operand == nullptr) continue;
            Expr left = side == 0 ? operand : e->arg(0);
            Expr right = side == 0 ? e->arg(1) : operand;
            if (!is_known_order(s, e->op, left, right, both_must_hold)) continue;
            Expr kept = direct ? m->arg(1 - i) : nullptr;
            if (!direct) {
                std::vector<bool> drop(count, false);
                drop[i] = true;
                kept = rewrite::without_operands(ctx_, forms_, m, drop);
                if (kept == nullptr || !operands_observable(s, kept, e)) continue;
            }
            Expr after = side == 0 ? ctx_.make(e->op, {kept, e->arg(1)})
                                   : ctx_.make(e->op, {e->arg(0), kept});
            if (after->size >= e->size) continue;
            std::vector<Expr> conditions;
            if (explain_) [[unlikely]] {
                Expr claim = ctx_.make(e->op, {left, right});
                conditions = {both_must_hold ? claim : ctx_.not_(claim)};
            }
            return found("known-arm", e, after, {{"x", kept}, {"y", operand}},
                         std::move(conditions));
        }
    }
    return {};
}

// A comparison as small as `smaller_comparison` knows it; the claim itself where that is nothing.
Expr Arranger::simpler_claim(FactSet& s, Expr claim) const {
    LinearForm difference = forms_.expanded(claim->arg(0));
    difference.add(forms_.expanded(claim->arg(1)), -1);
    join_digits(ctx_, difference);
    if (difference.is_constant()) {
        return ctx_.bool_imm(*truth_of(claim->op, difference, Range::point(difference.constant)));
    }
    if (is_order(claim->op) && difference.terms.size() == 1) {
        // x // 8 < 3 is x < 24
        const LinearTerm& t = difference.terms[0];
        Expr q = t.monomial;
        const bool by_literal = q->op == Op::FloorDiv && ir::is_int_const(q->arg(1)) &&
                                q->arg(1)->int_value() > 1 && magnitude(t.coefficient) == 1;
        if (by_literal) {
            // As q < limit, or as limit <= q.
            const Int128 apart = -difference.constant * t.coefficient;
            const Int128 limit = apart + ((claim->op == Op::Le) == (t.coefficient > 0) ? 1 : 0);
            Expr bound = constant(q->type, checked_mul(limit, q->arg(1)->int_value()));
            if (bound != nullptr) {
                return t.coefficient > 0 ? ctx_.lt(q->arg(0), bound) : ctx_.le(bound, q->arg(0));
            }
        }
    }
    const auto out = smaller_comparison(s, claim, std::move(difference));
    return out ? out.after : claim;
}

// T.min(x + y, z) < x is y < 0 or z < x, where parts that cancel make that smaller.
Arranged Arranger::split_extremum(FactSet& s, Expr e) const {
    if (!is_order(e->op)) return {};
    for (const std::size_t side : {0, 1}) {
        Expr m = e->arg(side);
        if (m->op != Op::Min && m->op != Op::Max) continue;
        const LinearForm& other = forms_.expanded(e->arg(1 - side));
        const auto cancels = [&](Expr arm) {
            const LinearForm& form = forms_.expanded(arm);
            return std::any_of(form.terms.begin(), form.terms.end(), [&](const LinearTerm& t) {
                return other.coefficient_of(t.monomial) == t.coefficient;
            });
        };
        // Beside a literal an arm loses what it is shifted, scaled or divided by.
        const auto shrinks = [&](Expr arm) {
            return other.is_constant() && (arm->op == Op::Add || arm->op == Op::Sub ||
                                           arm->op == Op::Mul || arm->op == Op::FloorDiv);
        };
        const bool worth_it =
            cancels(m->arg(0)) || cancels(m->arg(1)) || shrinks(m->arg(0)) || shrinks(m->arg(1));
        if (!worth_it) continue;
        Expr parts[2] = {nullptr, nullptr};
        for (const std::size_t i : {0, 1}) {
            parts[i] = simpler_claim(s, side == 0 ? ctx_.make(e->op, {m->arg(i), e->arg(1)})
                                                  : ctx_.make(e->op, {e->arg(0), m->arg(i)}));
        }
        const bool both_must_hold = (side == 1) == (m->op == Op::Min);
        if (1 + parts[0]->size + parts[1]->size >= e->size) continue;
        return found("split-extremum", e,
                     both_must_hold ? ctx_.and_(parts[0], parts[1]) : ctx_.or_(parts[0], parts[1]));
    }
    return {};
}

// Terms to the side where their coefficient is positive, the constant to the side without terms, or
// where it is positive. `==` and `!=` keep their first term on the left. Null when a constant does
// not fit.
Expr Arranger::spelled_comparison(Op op, Expr e, const LinearForm& difference) const {
    LinearForm left{difference.type, {}, 0};
    LinearForm right{difference.type, {}, 0};
    for (const LinearTerm& t : difference.terms) {
        if (t.coefficient > 0) {
            left.terms.push_back(t);
        } else {
            right.terms.push_back({t.monomial, -t.coefficient});
        }
    }
    Int128 constant_right = -difference.constant;
    if (!is_order(op) &&
        (left.is_constant() ||
         (!right.is_constant() && compare_structure(first_term(right), first_term(left)) < 0))) {
        std::swap(left, right);
        constant_right = -constant_right;
    }
    const bool to_left = left.is_constant() || (!right.is_constant() && constant_right < 0);
    (to_left ? left : right).constant = to_left ? -constant_right : constant_right;
    Expr a = to_expr(ctx_, left, e->arg(0));
    Expr b = to_expr(ctx_, right, e->arg(1));
    return a == nullptr || b == nullptr ? nullptr : ctx_.make(op, {a, b});
}

// difference < 0, as `<` or as `<=`.
Expr Arranger::spelled_order(Op op, Expr e, LinearForm difference) const {
    if (op == Op::Le) difference.constant = checked_add(difference.constant, 1);
    return spelled_comparison(op, e, difference);
}

// x // 6 != 0 is 6 <= x where x is not negative: the first or the last of the quotients that can
// be.
Arranged Arranger::quotient_at_end(FactSet& s, Expr e, const LinearForm& difference) const {
    if (is_order(e->op) || difference.terms.size() != 1) return {};
    const LinearTerm& t = difference.terms[0];
    Expr q = t.monomial;
    const bool by_literal = q->op == Op::FloorDiv && ir::is_int_const(q->arg(1)) &&
                            q->arg(1)->int_value() > 1 && magnitude(t.coefficient) == 1;
    if (!by_literal) return {};
    const Int128 c = q->arg(1)->int_value();
    const Int128 value = -difference.constant * t.coefficient;
    const Range r = surroundings_.range(s, q);
    if (value != r.lo && value != r.hi) return {};
    const bool last = value == r.hi;
    Expr limit = constant(q->type, checked_mul(last ? value : value + 1, c));
    if (limit == nullptr) return {};
    Expr x = q->arg(0);
    const bool above = last == (e->op == Op::Eq);
    return found("quotient-at-end", e, above ? ctx_.le(limit, x) : ctx_.lt(x, limit),
                 {{"x", x}, {"c1", q->arg(1)}});
}

// n * x <= 0 is x <= 0 where n is positive.
Arranged Arranger::without_positive_factors(FactSet& s, Expr e,
                                            const LinearForm& difference) const {
    if (difference.constant != 0 || difference.terms.size() != 1) return {};
    const LinearTerm& t = difference.terms[0];
    if (t.monomial->op != Op::Mul) return {};
    Factors kept;
    for (Expr f : factors_of(t.monomial)) {
        if (surroundings_.range(s, f).lo <= 0) kept.push_back(f);
    }
    LinearForm left{difference.type, {}, 0};
    left.add(product_of(ctx_, difference.type, kept), t.coefficient > 0 ? 1 : -1);
    Expr after = kept.empty() ? nullptr : spelled_comparison(e->op, e, left);
    if (after == nullptr || after->size >= e->size) return {};
    for (Expr side : after->args) {
        if (!observable_within(s, side, e)) return {};
    }
    return found("positive-factor", e, after);
}

Arranged Arranger::smaller_comparison(FactSet& s, Expr e, LinearForm d) const {
    if (auto out = quotient_at_end(s, e, d)) return out;
    if (auto out = without_positive_factors(s, e, d)) return out;
    const ir::ScalarType type = e->arg(0)->type;
    const char* rule = "linear-form";
    std::vector<Expr> conditions;
    const Int128 content = d.content();
    const bool order = is_order(e->op);
    // As difference < 0 in both cases.
    if (e->op == Op::Le) d.constant = checked_add(d.constant, -1);
    if (content > 1) {
        for (LinearTerm& t : d.terms) t.coefficient = quotient_of(t.coefficient, content);
        d.constant = order ? floor_div(d.constant, content) : quotient_of(d.constant, content);
        rule = "scaled-comparison";
    }
    if (order) {
        // x*g + y < 0 with 0 <= y < g is x < 0
        TileSizes tiles;
        for (const LinearTerm& t : d.terms) add_tile(tiles, magnitude(t.coefficient));
        // What the larger ones have in common: x*6 - y*62 + z is a tile of 2.
        Int128 common = 0;
        for (const Int128 g : TileSizes(tiles)) {
            common = gcd(common, g);
            add_tile(tiles, common);
        }
        for (const Int128 g : tiles) {
            const Range r = surroundings_.range_of_rest(s, d, g);
            Int128 q = 0;
            if (!has_one_quotient(r, g, q)) continue;
            SplitForm split = split_by(d, g);
            if (explain_) [[unlikely]] {
                split.rest.constant = checked_add(split.rest.constant, -checked_mul(q, g));
                if (Expr y = to_expr(ctx_, split.rest)) {
                    if (Expr bound = constant(type, g)) conditions = within(y, bound);
                }
            }
            d = split.multiple;
            d.constant = checked_add(d.constant, q);
            rule = "whole-tiles";
            break;
        }
    }
    // Written once, it is written so again; digits and products may first be joined differently.
    const bool plain = std::none_of(d.terms.begin(), d.terms.end(), [](const LinearTerm& t) {
        return t.monomial->op == Op::FloorDiv || t.monomial->op == Op::FloorMod ||
               t.monomial->op == Op::Mul;
    });
    const bool as_it_was = content <= 1 && std::string_view(rule) == "linear-form";
    if (as_it_was && forms_.is_spelled(e)) return {};
    Expr best = nullptr;
    if (!order) {
        best = spelled_comparison(e->op, e, d);
    } else {
        // Only a constant that vanishes makes one of the two smaller than the other.
        const bool vanishes = d.constant == 0 || d.constant == -1;
        const Op other = e->op == Op::Lt ? Op::Le : Op::Lt;
        best = spelled_order(e->op, e, d);
        if (best == nullptr || vanishes) {
            Expr second = spelled_order(other, e, d);
            if (best == nullptr || (second != nullptr && second->size < best->size)) best = second;
        }
    }
    if (best != nullptr && (plain || (best == e && as_it_was))) forms_.set_spelled(best);
    if (best == nullptr || best == e || best->size > e->size) return {};
    for (Expr side : {best->arg(0), best->arg(1)}) {
        if (!observable_within(s, side, e)) return {};
        if (explain_ && side != e->arg(0) && side != e->arg(1) && !ir::is_const(side))
            [[unlikely]] {
            conditions.push_back(analysis::in_range(ctx_, side));
        }
    }
    return found(rule, e, best, {}, std::move(conditions));
}

}  // namespace proviso::rewrite
