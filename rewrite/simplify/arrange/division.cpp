// Divisions and remainders of linear forms, by constants and by symbols.
#include <algorithm>

#include "analysis/facts/formula.h"
#include "rewrite/simplify/arrange/arrange.h"
#include "rewrite/simplify/definite.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

// Coefficients above 1 and their common divisors with `with`, largest first.
TileSizes tile_sizes(const LinearForm& form, Int128 with) {
    TileSizes out;
    for (const LinearTerm& t : form.terms) add_tile(out, gcd(t.coefficient, with));
    return out;
}

// Whether nothing of the number is a multiple of `c`, or has one in it that could go out.
bool has_no_multiple(const LinearForm& number, Int128 c, bool quotient) {
    if (number.constant <= -c || number.constant >= c) return false;
    return std::all_of(number.terms.begin(), number.terms.end(), [&](const LinearTerm& t) {
        return -c < t.coefficient && t.coefficient < c && (quotient || t.coefficient >= -1);
    });
}

// Coefficients of a number whose remainder by c is taken count modulo c only: below -1 they may
// be written positive. Gives whether any changed.
bool make_positive(LinearForm& form, Int128 c) {
    bool any = false;
    for (LinearTerm& t : form.terms) {
        if (t.coefficient >= -1 || is_multiple(t.coefficient, c)) continue;
        t.coefficient = floor_mod(t.coefficient, c);
        any = true;
    }
    return any;
}

// Coefficients that are -1 modulo c, written so. Gives whether any changed.
bool make_minus_one(LinearForm& form, Int128 c) {
    if (c <= 2) return false;
    bool any = false;
    for (LinearTerm& t : form.terms) {
        if (t.coefficient == -1 || floor_mod(t.coefficient, c) != c - 1) continue;
        t.coefficient = -1;
        any = true;
    }
    return any;
}

// Coefficients and the constant, of which only the remainder by c counts.
void reduce(LinearForm& form, Int128 c) {
    LinearForm out{form.type, {}, floor_mod(form.constant, c)};
    for (const LinearTerm& t : form.terms) out.add(t.monomial, floor_mod(t.coefficient, c));
    form = std::move(out);
}

}  // namespace

Arranged Arranger::division(FactSet& s, Expr e) const {
    Expr divisor = e->arg(1);
    if (!ir::is_int_const(divisor)) {
        if (auto out = without_common_factors(s, e)) return out;
        return by_symbol(s, e);
    }
    if (divisor->int_value() < 0) return truncation(s, e);
    if (divisor->int_value() <= 1) return {};
    const LinearForm& numerator = forms_.expanded(e->arg(0));
    if (numerator.is_constant()) return {};
    Arranged out = by_constant(s, e, numerator, divisor->int_value());
    if (out && out.after->size > e->size) return {};
    return out;
}

Arranged Arranger::by_constant(FactSet& s, Expr e, const LinearForm& numerator, Int128 c) const {
    const bool quotient = e->op == Op::FloorDiv;
    // An expression's range is remembered, a form's is not.
    const bool as_it_stands = &numerator == &forms_.plain(e->arg(0));
    const Range r =
        as_it_stands ? surroundings_.range(s, e->arg(0)) : surroundings_.range(s, numerator);
    if (Int128 q = 0; has_one_quotient(r, c, q)) {
        LinearForm rest = numerator;
        rest.constant = checked_add(rest.constant, -checked_mul(q, c));
        Expr after = quotient ? constant(e->type, q) : to_expr(ctx_, rest);
        Expr x = e->arg(0);
        std::vector<Expr> conditions;
        if (explain_ && e->type.contains(q * c) && e->type.contains(q * c + c - 1)) [[unlikely]] {
            conditions = {ctx_.le(constant(e->type, q * c), x),
                          ctx_.le(x, constant(e->type, q * c + c - 1))};
        }
        return found(quotient ? "floordiv-bounded" : "floormod-bounded", e, after,
                     {{"x", x}, {"y", e->arg(1)}}, std::move(conditions));
    }
    if (e->arg(0)->op == Op::Min || e->arg(0)->op == Op::Max) {
        if (auto out = into_extremum(s, e, c)) return out;
    }
    if (e->arg(0)->op == Op::Select || e->arg(0)->op == Op::IfThenElse) {
        if (auto out = division_into_choice(e)) return out;
    }
    if (auto out = split_multiple(s, e, numerator, c)) return out;
    if (auto out = drop_rest(s, e, numerator, c)) return out;
    if (auto out = of_digit(s, e, numerator, c)) return out;
    return r.hi - r.lo == 1 ? of_two_numbers(e, numerator, r, c) : Arranged{};
}

// (x + 1) // 2 is x where x is 0 or 1: of two numbers with two quotients the quotient counts which.
Arranged Arranger::of_two_numbers(Expr e, const LinearForm& numerator, const Range& r,
                                  Int128 c) const {
    if (!is_multiple(r.hi, c)) return {};
    const bool quotient = e->op == Op::FloorDiv;
    LinearForm out = numerator;
    out.constant = checked_add(out.constant, quotient ? floor_div(r.lo, c) - r.lo : -r.hi);
    if (!quotient) out.scale(1 - c);
    Expr after = to_expr(ctx_, out);
    if (after == nullptr || after->size >= e->size) return {};
    return found("quotient-of-two", e, after, {{"x", e->arg(0)}, {"c1", e->arg(1)}});
}

// T.min(x * 4, y) // 4 is T.min(x, y // 4), T.max(x * 4 + 3, 8) // 4 is T.max(x, 2), and
// T.min(x * 4, 8) % 4 is 0.
Arranged Arranger::into_extremum(FactSet& s, Expr e, Int128 c) const {
    Expr m = e->arg(0);
    Expr arms[2] = {nullptr, nullptr};
    std::size_t multiples = 0;
    for (const std::size_t i : {0, 1}) {
        LinearForm arm = forms_.plain(m->arg(i));
        if (gcd(arm.content(), arm.constant) % c == 0) {
            for (LinearTerm& t : arm.terms) t.coefficient /= c;
            arm.constant /= c;
            arms[i] = to_expr(ctx_, arm);
            ++multiples;
        } else {
            arms[i] = ir::is_int_const(m->arg(i))
                          ? constant(e->type, floor_div(m->arg(i)->int_value(), c))
                          : ctx_.floordiv(m->arg(i), e->arg(1));
            if (arms[i] != nullptr && arms[i]->op == Op::FloorDiv && e->op == Op::FloorDiv) {
                // (x * 4 + 3) // 4 is x.
                const auto quotient = split_multiple(s, arms[i], forms_.plain(m->arg(i)), c);
                if (quotient && quotient.after->size < m->arg(i)->size) {
                    arms[i] = quotient.after;
                    ++multiples;
                }
            }
        }
        if (arms[i] == nullptr) return {};
    }
    if (e->op == Op::FloorMod) {
        return multiples == 2 ? found("floormod-of-multiple", e, constant(e->type, 0)) : Arranged{};
    }
    Expr after = ctx_.make(m->op, arms);
    if (multiples == 0 || after->size >= e->size) return {};
    return found("floordiv-into-extremum", e, after, {{"x", m->arg(0)}, {"y", m->arg(1)}});
}

// x * 57 in the rest is x * 56 in the multiple and x in the rest: always good for a remainder, for
// a quotient where the rest then vanishes.
void Arranger::take_out_of_coefficients(FactSet& s, SplitForm& split, Int128 c,
                                        bool quotient) const {
    const bool large =
        std::any_of(split.rest.terms.begin(), split.rest.terms.end(),
                    [c](const LinearTerm& t) { return magnitude(t.coefficient) >= c; });
    if (!large) return;
    SplitForm other = split;
    for (LinearTerm& t : other.rest.terms) {
        if (magnitude(t.coefficient) < c) continue;
        other.multiple.add(t.monomial, quotient_of(t.coefficient, c));
        t.coefficient %= c;
    }
    const Range r = surroundings_.range(s, other.rest);
    Int128 q = 0;
    const bool vanishes = has_one_quotient(r, c, q);
    if (!quotient || vanishes) split = std::move(other);
}

// (x * c1 + y) // c2 with c2 dividing c1: the multiple goes out of the division.
Arranged Arranger::split_multiple(FactSet& s, Expr e, const LinearForm& numerator, Int128 c) const {
    const bool quotient = e->op == Op::FloorDiv;
    const bool negated = !quotient && numerator.constant < 0 &&
                         std::all_of(
                             numerator.terms.begin(), numerator.terms.end(),
                             [](const LinearTerm& t) { return t.coefficient < 0; });
    if (!negated && has_no_multiple(numerator, c, quotient)) {
        return quotient ? Arranged{} : with_minus_one(s, e, numerator, c);
    }
    SplitForm split = split_by(numerator, c);
    take_out_of_coefficients(s, split, c, quotient);
    // (x - 1) // 4 stays: -1 + (x + 3) // 4 is no simpler. Nor is (x + 7) // 4 + 2 than
    // (x + 15) // 4.
    const bool fits = -c < numerator.constant && numerator.constant < c;
    if (!split.rest.terms.empty() && split.rest.constant != 0 && (quotient || fits)) {
        split.rest.constant = numerator.constant;
        split.multiple.constant = 0;
    }
    if (!quotient) {
        SplitForm other = split;
        if (make_positive(other.rest, c)) {
            auto out = from_split(s, e, std::move(other), c);
            if (out && out.after->size < e->size) {
                auto plain = from_split(s, e, std::move(split), c);
                if (plain && plain.after->size <= out.after->size) out = std::move(plain);
                return out;
            }
        }
    }
    if (split.multiple.is_constant() && split.multiple.constant == 0) {
        if (quotient || numerator.constant >= 0) return {};
        // (-x - 8) % 16 is (8 - x) % 16.
        split.rest.constant = floor_mod(numerator.constant, c);
        auto out = from_split(s, e, std::move(split), c);
        return out && out.after->size < e->size ? std::move(out) : Arranged{};
    }
    return from_split(s, e, std::move(split), c);
}

// (x * 3 + y) % 4 is (y - x) % 4.
Arranged Arranger::with_minus_one(FactSet& s, Expr e, const LinearForm& numerator, Int128 c) const {
    SplitForm split{{numerator.type, {}, 0}, numerator};
    if (!make_minus_one(split.rest, c)) return {};
    auto out = from_split(s, e, std::move(split), c);
    return out && out.after->size < e->size ? std::move(out) : Arranged{};
}

// The quotient or remainder by `c` of a form that is split by it.
Arranged Arranger::from_split(FactSet& s, Expr e, SplitForm split, Int128 c) const {
    const bool quotient = e->op == Op::FloorDiv;
    const Range r = surroundings_.range(s, split.rest);
    Expr rest = to_expr(ctx_, split.rest);
    if (rest == nullptr) return {};
    const Binding multiple{"x", explain_ ? to_expr(ctx_, split.multiple) : nullptr};
    const std::initializer_list<Binding> bindings = {multiple, {"y", rest}, {"c2", e->arg(1)}};
    const char* rule = quotient ? "floordiv-split-multiple" : "floormod-drop-multiple";
    if (Int128 q = 0; has_one_quotient(r, c, q)) {
        LinearForm whole = split.multiple;
        whole.constant = checked_add(whole.constant, q);
        split.rest.constant = checked_add(split.rest.constant, -checked_mul(q, c));
        Expr after = to_expr(ctx_, quotient ? whole : split.rest);
        std::vector<Expr> conditions;
        if (explain_ && q == 0) [[unlikely]]
            conditions = within(rest, e->arg(1));
        return found(rule, e, after, bindings, std::move(conditions));
    }
    if (!observable_within(s, rest, e)) return {};
    Expr part = ctx_.make(e->op, {rest, e->arg(1)});
    std::vector<Expr> conditions;
    if (explain_) [[unlikely]]
        conditions = {analysis::in_range(ctx_, rest)};
    if (!quotient) return found(rule, e, part, bindings, std::move(conditions));
    split.multiple.add(part, 1);
    return found(rule, e, to_expr(ctx_, split.multiple), bindings, std::move(conditions));
}

// (x * g + y) // c with g dividing c and 0 <= y < g: y cannot carry.
Arranged Arranger::drop_rest(FactSet& s, Expr e, const LinearForm& numerator, Int128 c) const {
    const bool quotient = e->op == Op::FloorDiv;
    for (const Int128 g : tile_sizes(numerator, c)) {
        const Range r = surroundings_.range_of_rest(s, numerator, g);
        Int128 q = 0;
        if (!has_one_quotient(r, g, q)) continue;
        SplitForm split = split_by(numerator, g);
        split.multiple.constant = checked_add(split.multiple.constant, q);
        split.rest.constant = checked_add(split.rest.constant, -checked_mul(q, g));
        Expr x = to_expr(ctx_, split.multiple);
        Expr y = to_expr(ctx_, split.rest);
        if (x == nullptr || y == nullptr) continue;
        if (!observable(s, x) && !surely_definite(e->arg(0))) continue;
        Expr smaller = constant(e->type, c / g);
        Expr after =
            c == g ? (quotient ? x : constant(e->type, 0)) : ctx_.make(e->op, {x, smaller});
        if (!quotient) {
            LinearForm low = split.rest;
            if (c != g) low.add(after, g);
            after = to_expr(ctx_, low);
        }
        std::vector<Expr> conditions;
        if (explain_) [[unlikely]]
            conditions = within(y, constant(e->type, g));
        auto out = found(quotient ? "floordiv-drop-rest" : "floormod-keep-rest", e, after,
                         {{"x", x}, {"y", y}, {"c1", constant(e->type, g)}, {"c2", e->arg(1)}},
                         std::move(conditions));
        if (out) return out;
    }
    return {};
}

// Divisions of quotients and remainders.
Arranged Arranger::of_digit(FactSet& s, Expr e, const LinearForm& numerator, Int128 c) const {
    const bool quotient = e->op == Op::FloorDiv;
    for (const LinearTerm& t : numerator.terms) {
        Expr m = t.monomial;
        const bool digit = (m->op == Op::FloorDiv || m->op == Op::FloorMod) &&
                           ir::is_int_const(m->arg(1)) && m->arg(1)->int_value() > 0;
        if (!digit) continue;
        const Int128 inner = m->arg(1)->int_value();
        Expr x = m->arg(0);
        if (quotient && m->op == Op::FloorDiv && t.coefficient == 1) {
            // (x // a + y) // c is (x + y * a) // (a * c)
            Expr both = constant(e->type, checked_mul(inner, c));
            LinearForm whole = numerator;
            whole.add(m, -1);
            whole.scale(inner);
            whole.add(linear_form(ctx_, x));
            Expr number = to_expr(ctx_, whole);
            if (both == nullptr || number == nullptr || !observable_within(s, number, e)) continue;
            Expr after = ctx_.floordiv(number, both);
            if (after->size > e->size) continue;
            return found("floordiv-of-sum-of-floordiv", e, after,
                         {{"x", x}, {"c1", m->arg(1)}, {"c2", e->arg(1)}});
        }
        if (quotient && m->op == Op::FloorMod && inner % c == 0 && numerator.terms.size() == 1 &&
            t.coefficient == 1 && numerator.constant == 0) {
            // (x % (a * c)) // c is x // c % a
            Expr after = ctx_.floormod(ctx_.floordiv(x, e->arg(1)), constant(e->type, inner / c));
            return found("floordiv-of-digit", e, after, {{"x", x}, {"c1", m->arg(1)}});
        }
        const bool alone =
            numerator.terms.size() == 1 && t.coefficient == 1 && numerator.constant == 0;
        if (quotient && m->op == Op::FloorMod && alone && x->op == Op::FloorDiv &&
            ir::is_int_const(x->arg(1)) && x->arg(1)->int_value() > 0) {
            // (y // a % b) // c is (y % (a * b)) // (a * c)
            const Int128 a = x->arg(1)->int_value();
            Expr modulus = constant(e->type, checked_mul(a, inner));
            Expr both = constant(e->type, checked_mul(a, c));
            if (modulus == nullptr || both == nullptr) continue;
            Expr after = ctx_.floordiv(ctx_.floormod(x->arg(0), modulus), both);
            return found("floordiv-of-digit", e, after, {{"x", x->arg(0)}, {"c1", x->arg(1)}});
        }
        if (!quotient && m->op == Op::FloorDiv && magnitude(t.coefficient) == 1) {
            // (x * 5 // 2) % 2 is (x // 2) % 2: four times x counts nothing.
            const Int128 modulus = checked_mul(inner, c);
            if (has_no_multiple(forms_.plain(x), modulus, true)) continue;
            LinearForm inside = forms_.plain(x);
            reduce(inside, modulus);
            Expr number = to_expr(ctx_, inside);
            if (number != nullptr && number->size < x->size && observable_within(s, number, m)) {
                LinearForm whole = numerator;
                whole.add(m, -t.coefficient);
                whole.add(ctx_.floordiv(number, m->arg(1)), t.coefficient);
                Expr dividend = to_expr(ctx_, whole);
                if (dividend == nullptr || !observable_within(s, dividend, e)) continue;
                return found("floormod-of-quotient", e, ctx_.floormod(dividend, e->arg(1)),
                             {{"x", x}, {"c1", m->arg(1)}, {"c2", e->arg(1)}});
            }
        }
        if (!quotient && m->op == Op::FloorMod && checked_mul(t.coefficient, inner) % c == 0) {
            // (k * (x % a) + y) % c with c dividing k * a is (k * x + y) % c
            LinearForm whole = numerator;
            whole.add(m, -t.coefficient);
            whole.add(linear_form(ctx_, x), t.coefficient);
            Expr number = to_expr(ctx_, whole);
            if (number == nullptr || !observable_within(s, number, e)) {
                reduce(whole, c);
                number = to_expr(ctx_, whole);
                if (number == nullptr || !observable_within(s, number, e)) continue;
            }
            Expr after = ctx_.floormod(number, e->arg(1));
            if (after->size >= e->size) continue;
            return found("floormod-of-sum-of-floormod", e, after, {{"x", x}, {"c1", m->arg(1)}});
        }
    }
    return {};
}

// (x * y + z) // y, where y is any positive term: what is a multiple of y goes out.
Arranged Arranger::by_symbol(FactSet& s, Expr e) const {
    Expr d = e->arg(1);
    const bool quotient = e->op == Op::FloorDiv;
    const ir::ScalarType type = e->type;
    Expr zero = ctx_.int_imm(type, 0);
    if (surroundings_.range(s, d).lo <= 0 && !surroundings_.proves(s, Op::Lt, zero, d)) {
        return by_signed_symbol(s, e);
    }
    Factors factors = {d};
    Int128 scale = 1;
    const LinearForm& divisor = forms_.plain(d);
    if (divisor.terms.size() == 1 && divisor.constant == 0 && divisor.terms[0].coefficient > 0) {
        factors = factors_of(divisor.terms[0].monomial);
        scale = divisor.terms[0].coefficient;
    }
    const LinearForm& plain = forms_.plain(e->arg(0));
    const LinearForm& multiplied = forms_.expanded(e->arg(0));
    for (const bool second : {false, true}) {
        if (second && (&multiplied == &plain || multiplied == plain)) break;
        const LinearForm* form = second ? &multiplied : &plain;
        LinearForm multiple{type, {}, 0};
        LinearForm rest{type, {}, form->constant};
        for (const LinearTerm& t : form->terms) {
            Expr left =
                t.coefficient % scale == 0 ? without_factors(ctx_, t.monomial, factors) : nullptr;
            if (left == nullptr) {
                rest.add(t.monomial, t.coefficient);
            } else {
                multiple.add(linear_form(ctx_, left), t.coefficient / scale);
            }
        }
        Expr y = to_expr(ctx_, rest);
        if (y == nullptr) continue;
        const bool none = multiple.is_constant() && multiple.constant == 0;
        const Binding whole{"x", explain_ ? to_expr(ctx_, multiple) : nullptr};
        const std::initializer_list<Binding> bindings = {whole, {"z", y}, {"y", d}};
        const char* rule = quotient ? "floordiv-cancel-factor-sum" : "floormod-of-factor-sum";
        if (none) rule = quotient ? "floordiv-bounded" : "floormod-bounded";
        if (surroundings_.proves(s, Op::Le, zero, y) && surroundings_.proves(s, Op::Lt, y, d)) {
            return found(rule, e, quotient ? to_expr(ctx_, multiple) : y, bindings, within(y, d));
        }
        Expr minus = ctx_.neg(d);
        if (surroundings_.proves(s, Op::Lt, y, zero) && surroundings_.proves(s, Op::Le, minus, y)) {
            multiple.constant = checked_add(multiple.constant, -1);
            rest.add(divisor);
            std::vector<Expr> conditions;
            if (explain_) [[unlikely]]
                conditions = {ctx_.lt(y, zero), ctx_.le(minus, y)};
            auto out = found(rule, e, to_expr(ctx_, quotient ? multiple : rest), bindings,
                             std::move(conditions));
            if (out && out.after->size <= e->size) return out;
            continue;
        }
        if (none || !observable(s, y)) continue;
        Expr part = ctx_.make(e->op, {y, d});
        if (quotient) {
            multiple.add(part, 1);
            part = to_expr(ctx_, multiple);
        }
        std::vector<Expr> conditions;
        if (explain_) [[unlikely]]
            conditions = {analysis::in_range(ctx_, y)};
        auto out = found(rule, e, part, bindings, std::move(conditions));
        if (out && out.after->size <= e->size) return out;
    }
    return {};
}

}  // namespace proviso::rewrite
