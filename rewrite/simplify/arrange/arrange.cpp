// Sums; what all arrangements share. Divisions: arrange_division.cpp; comparisons:
// arrange_comparison.cpp; min and max: arrange_extremum.cpp.
#include "rewrite/simplify/arrange/arrange.h"

#include <algorithm>

#include "analysis/facts/formula.h"
#include "rewrite/simplify/arrange/digits.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

Arranged Arranger::found(const char* rule, Expr before, Expr after,
                         std::initializer_list<Binding> bindings,
                         std::vector<Expr> conditions) const {
    if (after == nullptr || after == before) return {};
    Arranged out{rule, after};
    if (!explain_) return out;
    out.why = std::make_unique<Arranged::Why>();
    out.why->conditions = std::move(conditions);
    for (const Binding& b : bindings) {
        if (b.value != nullptr) out.why->bindings.push_back(b);
    }
    return out;
}

Expr Arranger::constant(ir::ScalarType type, Int128 value) const {
    return type.contains(value) ? ctx_.int_imm(type, value) : nullptr;
}

std::vector<Expr> Arranger::within(Expr e, Expr divisor) const {
    if (!explain_) return {};
    return {ctx_.le(ctx_.int_imm(e->type, 0), e), ctx_.lt(e, divisor)};
}

// The observed term is in range, and `e`, or a multiple of it, is so and so far from that.
bool Arranger::is_beside(FactSet& s, Expr e, Expr observed) const {
    const LinearForm& form = forms_.plain(observed);
    const Range all = Range::of(e->type);
    const Range own = surroundings_.range(s, e);
    const auto fits_at = [&](Int128 times) {
        LinearForm apart = forms_.plain(e);
        apart.scale(times);
        apart.add(form, -1);
        const Range r = surroundings_.range(s, apart);
        const bool not_above =
            own.hi <= all.hi || (r.has_hi() && floor_div(all.hi + r.hi, times) <= all.hi);
        const bool not_below =
            own.lo >= all.lo || (r.has_lo() && -floor_div(-(all.lo + r.lo), times) >= all.lo);
        return not_above && not_below;
    };
    const Int128 content = form.content();
    return fits_at(1) || (content > 1 && fits_at(content));
}

bool Arranger::observable_within(FactSet& s, Expr e, Expr whole) const {
    if (observable(s, e)) return true;
    const auto observes = [](Expr x) {
        switch (x->op) {
            case Op::FloorDiv:
            case Op::FloorMod:
            case Op::TruncDiv:
            case Op::TruncMod:
            case Op::Lt:
            case Op::Le:
            case Op::Eq:
            case Op::Ne:
            case Op::Min:
            case Op::Max: return x->args[0]->type.is_exact_int();
            default: return false;
        }
    };
    if (!observes(whole)) return false;
    return std::any_of(whole->args.begin(), whole->args.end(), [&](Expr a) {
        if (is_beside(s, e, a)) return true;
        return observes(a) && std::any_of(a->args.begin(), a->args.end(),
                                          [&](Expr inner) { return is_beside(s, e, inner); });
    });
}

Arranged Arranger::arrange(FactSet& s, Expr e) {
    switch (e->op) {
        case Op::Add:
        case Op::Sub:
        case Op::Neg: return e->type.is_exact_int() ? sum(s, e) : Arranged{};
        case Op::Mul:
            if (e->type.is_exact_int()) return sum(s, e);
            return e->type.is_int() ? product_into_choice(e) : Arranged{};
        case Op::FloorDiv: return e->type.is_exact_int() ? division(s, e) : Arranged{};
        case Op::FloorMod: return e->type.is_exact_int() ? division(s, e) : wrapped_remainder(e);
        case Op::TruncDiv:
        case Op::TruncMod: return e->type.is_exact_int() ? truncation(s, e) : Arranged{};
        case Op::Lt:
        case Op::Le:
        case Op::Eq:
        case Op::Ne: return e->arg(0)->type.is_exact_int() ? comparison(s, e) : Arranged{};
        case Op::Min:
        case Op::Max: return e->type.is_exact_int() ? extremum(s, e) : Arranged{};
        case Op::Cast: return cast(s, e);
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor: return e->type.is_int() ? bits(e) : Arranged{};
        default: return {};
    }
}

namespace {

// Of sums in which each term is looked at beside all others.
constexpr std::size_t kMostTerms = 24;

}  // namespace

Expr Arranger::spelled_sum(Expr e, bool& joined) {
    if (forms_.is_spelled(e)) return e;
    const LinearForm& plain = forms_.plain(e);
    const MonomialKinds kinds = forms_.kinds(e);
    const bool products = (kinds & kProducts) != 0;
    joined = false;
    if (!products && !may_join_digits(plain, kinds)) {
        // Then the spelling has the same form, and what has the same form is spelled the same.
        Expr out = to_expr(ctx_, plain, e);
        if (out == nullptr) return nullptr;
        forms_.set_plain_as(out, e);
        forms_.set_spelled(out);
        return out;
    }
    const LinearForm& multiplied = forms_.expanded(e);
    const bool multiplied_out = &multiplied != &plain && !(multiplied == plain);
    LinearForm form = multiplied;
    joined = join_digits(ctx_, form);
    Expr out = to_expr(ctx_, form, e);
    if (!multiplied_out) {
        if (!joined && out != nullptr && !products) {
            forms_.set_plain_as(out, e);
            forms_.set_spelled(out);
            return out;
        }
        if (!joined && out != nullptr && forms_.plain(out) == plain) forms_.set_spelled(out);
        return out;
    }
    // Products of sums may be shorter as they stand.
    form = plain;
    const bool joined_products = join_digits(ctx_, form);
    Expr other = to_expr(ctx_, form);
    if (other == nullptr || (out != nullptr && out->size <= other->size)) return out;
    joined = joined_products;
    return other;
}

bool Arranger::is_plain_sum(Expr e) {
    return forms_.is_spelled(e) && forms_.kinds(e) == 0;
}

namespace {

bool adds(Expr e) {
    return e->op == Op::Add || e->op == Op::Sub;
}

// x of (x * c1 + c0) // c2; a sum where more than that is divided.
Expr lone_term(Expr dividend) {
    const auto has_constant = [&] { return is_int_const(dividend->args.back()); };
    if (adds(dividend) && has_constant()) dividend = dividend->arg(0);
    if (dividend->op == Op::Mul && has_constant()) dividend = dividend->arg(0);
    return dividend;
}

}  // namespace

// Rules know more of a term of two values, and of a quotient of two values.
bool Arranger::has_two_values(FactSet& s, Expr division) {
    Expr term = lone_term(division->arg(0));
    if (adds(term)) return false;
    const auto two = [](const Range& r) { return r.is_bounded() && r.hi - r.lo <= 1; };
    return two(surroundings_.range(s, term)) || two(surroundings_.range(s, division));
}

bool Arranger::is_settled(FactSet& s, Expr e) {
    // x // 4 < 3 is x < 12, and there are more such rules: of comparisons only plain ones.
    const auto plain = [this](Expr x) {
        return x->op == Op::Var || x->op == Op::IntImm || is_plain_sum(x);
    };
    if (e->args.size() > 2 || !e->args.back()->type.is_exact_int()) return false;
    if (!Surroundings::ranges_say_all(s, forms_.occurring(e))) return false;
    switch (e->op) {
        case Op::Add:
        case Op::Sub:
        case Op::Neg:
        case Op::Mul: return forms_.is_sum_of_digits(e);
        case Op::FloorDiv:
        case Op::FloorMod: return forms_.is_sum_of_digits(e) && !has_two_values(s, e);
        case Op::Lt:
        case Op::Le:
        case Op::Eq:
        case Op::Ne:
        case Op::Min:
        case Op::Max: return plain(e->arg(0)) && plain(e->arg(1));
        default: return false;
    }
}

Arranged Arranger::sum(FactSet& s, Expr e) {
    bool joined = false;
    Expr after = spelled_sum(e, joined);
    if (after != nullptr && after != e && after->size <= e->size) {
        Arranged out = found(joined ? "join-digits" : "linear-form", e, after);
        // Products may have been put in order: those are new.
        out.same_terms =
            !joined && forms_.is_spelled(after) && (forms_.kinds(after) & kProducts) == 0;
        return out;
    }
    const MonomialKinds kinds = forms_.kinds(e);
    if ((kinds & kQuotients) != 0) {
        if (auto out = constant_into_division(s, e)) return out;
    }
    if ((kinds & kRemainders) != 0) {
        if (auto out = rest_to_multiple(s, e)) return out;
    }
    if ((kinds & kExtrema) != 0) {
        if (auto out = pair_of_extrema(e)) return out;
        if (auto out = sum_into_extremum(s, e)) return out;
    }
    if (e->op == Op::Mul && (kinds & kProducts) != 0) return product_into_choice(e);
    return (kinds & kOthers) != 0 ? sum_into_choice(e) : Arranged{};
}

// (x + 29) // 7 - 4 is (x + 1) // 7.
Arranged Arranger::constant_into_division(FactSet& s, Expr e) const {
    const LinearForm& form = forms_.plain(e);
    if (form.constant == 0 || form.terms.size() > kMostTerms) return {};
    for (const LinearTerm& t : form.terms) {
        Expr m = t.monomial;
        const bool quotient = m->op == Op::FloorDiv && ir::is_int_const(m->arg(1)) &&
                              m->arg(1)->int_value() > 0 && form.constant % t.coefficient == 0;
        if (!quotient || forms_.plain(m->arg(0)).constant == 0) continue;
        const Int128 k = form.constant / t.coefficient;
        LinearForm number = forms_.plain(m->arg(0));
        number.constant = checked_add(number.constant, checked_mul(k, m->arg(1)->int_value()));
        Expr x = to_expr(ctx_, number);
        if (x == nullptr) continue;
        LinearForm whole = form;
        whole.constant = 0;
        whole.add(m, -t.coefficient);
        whole.add(ctx_.floordiv(x, m->arg(1)), t.coefficient);
        Expr after = to_expr(ctx_, whole);
        if (after == nullptr || after->size >= e->size || !observable(s, x)) continue;
        std::vector<Expr> conditions;
        if (explain_) [[unlikely]]
            conditions = {analysis::in_range(ctx_, x)};
        return found("constant-into-division", e, after, {{"x", m->arg(0)}, {"c1", m->arg(1)}},
                     std::move(conditions));
    }
    return {};
}

// 31 - (x + 31) % 32 is -x % 32: what is missing to the next multiple.
Arranged Arranger::rest_to_multiple(FactSet& s, Expr e) const {
    const LinearForm& form = forms_.plain(e);
    if (form.constant == 0 || form.terms.size() > kMostTerms) return {};
    for (const LinearTerm& t : form.terms) {
        Expr m = t.monomial;
        const bool remainder = m->op == Op::FloorMod && ir::is_int_const(m->arg(1)) &&
                               m->arg(1)->int_value() > 1 &&
                               form.constant == -t.coefficient * (m->arg(1)->int_value() - 1);
        if (!remainder) continue;
        const Int128 c = m->arg(1)->int_value();
        LinearForm number = forms_.plain(m->arg(0));
        number.scale(-1);
        number.constant = floor_mod(number.constant - 1, c);
        Expr x = to_expr(ctx_, number);
        if (x == nullptr) continue;
        LinearForm whole = form;
        whole.constant = 0;
        whole.add(m, -t.coefficient);
        whole.add(ctx_.floormod(x, m->arg(1)), -t.coefficient);
        Expr after = to_expr(ctx_, whole);
        if (after == nullptr || after->size >= e->size || !observable(s, x)) continue;
        std::vector<Expr> conditions;
        if (explain_) [[unlikely]]
            conditions = {analysis::in_range(ctx_, x)};
        return found("rest-to-multiple", e, after, {{"x", m->arg(0)}, {"c1", m->arg(1)}},
                     std::move(conditions));
    }
    return {};
}

// x - T.min(x + y, z) is T.max(-y, x - z), and -T.max(x - y, 0) is T.min(y - x, 0), where that is
// smaller.
Arranged Arranger::sum_into_extremum(FactSet& s, Expr e) const {
    const LinearForm& form = forms_.plain(e);
    if (form.terms.size() > kMostTerms) return {};
    for (const LinearTerm& t : form.terms) {
        Expr m = t.monomial;
        if ((m->op != Op::Min && m->op != Op::Max) || magnitude(t.coefficient) != 1) continue;
        LinearForm arms[] = {forms_.expanded(m->arg(0)), forms_.expanded(m->arg(1))};
        LinearForm rest = form;
        rest.add(m, -t.coefficient);
        // Something has to cancel: otherwise the sum is better off with its terms in the open,
        // where a remainder or a comparison around it finds them.
        const bool cancels =
            rest.is_constant() ||
            std::any_of(rest.terms.begin(), rest.terms.end(), [&](const LinearTerm& r) {
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
        if (sides[0] == nullptr || sides[1] == nullptr ||
            1 + sides[0]->size + sides[1]->size >= e->size || !observable(s, sides[0]) ||
            !observable(s, sides[1])) {
            continue;
        }
        const bool is_min = (m->op == Op::Min) == (t.coefficient > 0);
        std::vector<Expr> conditions;
        if (explain_) [[unlikely]] {
            conditions = {analysis::in_range(ctx_, sides[0]), analysis::in_range(ctx_, sides[1])};
        }
        return found("sum-into-extremum", e,
                     ctx_.make(is_min ? Op::Min : Op::Max, {sides[0], sides[1]}), {},
                     std::move(conditions));
    }
    return {};
}

}  // namespace proviso::rewrite
