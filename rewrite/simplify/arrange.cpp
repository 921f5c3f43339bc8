#include "rewrite/simplify/arrange.h"

#include <algorithm>

#include "analysis/formula.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Integer;
using ir::Op;

namespace {

// Slots by the names of the tables.
enum : int { kX = 0, kY = 1, kZ = 2, kC0 = kTermSlots, kC1, kC2 };

using Slots = std::vector<std::pair<int, Expr>>;

Expr constant(ir::Context& ctx, ir::ScalarType type, const Integer& value) {
    if (!value.in_range(type)) return nullptr;
    return ctx.int_imm(type, *value.to_int128());
}

LinearForm divided(LinearForm form, const Integer& divisor) {
    for (LinearTerm& t : form.terms) t.coefficient = floordiv(t.coefficient, divisor);
    form.constant = floordiv(form.constant, divisor);
    return form;
}

Integer gcd_of_coefficients(const LinearForm& form) {
    Integer out(0);
    for (const LinearTerm& t : form.terms) out = gcd(out, t.coefficient);
    return out;
}

// Coefficients above 1 and their common divisors with `with` (0: themselves), largest first.
std::vector<Integer> tile_sizes(const LinearForm& form, const Integer& with) {
    std::vector<Integer> out;
    for (const LinearTerm& t : form.terms) {
        Integer g = gcd(t.coefficient, with);
        if (g > Integer(1) && std::find(out.begin(), out.end(), g) == out.end()) out.push_back(g);
    }
    std::sort(out.begin(), out.end(), [](const Integer& a, const Integer& b) { return b < a; });
    return out;
}

// The positive part of the difference of two sides, and the negative part negated, without the
// constant.
std::pair<LinearForm, LinearForm> by_sign(const LinearForm& form) {
    std::pair<LinearForm, LinearForm> out{{form.type, {}, Integer(0)}, {form.type, {}, Integer(0)}};
    for (const LinearTerm& t : form.terms) {
        if (t.coefficient.sign() > 0) {
            out.first.terms.push_back(t);
        } else {
            out.second.terms.push_back({t.monomial, -t.coefficient});
        }
    }
    return out;
}

bool truth_of(Op op, const Integer& difference) {  // difference `op` 0
    switch (op) {
        case Op::Lt: return difference.sign() < 0;
        case Op::Le: return difference.sign() <= 0;
        case Op::Eq: return difference.is_zero();
        default: return !difference.is_zero();
    }
}

}  // namespace

std::optional<Arranged> Arranger::apply(std::string_view rule, ir::ScalarType kind,
                                        const Slots& slots) const {
    const RuleInstance* instance = book.find(rule, kind);
    if (instance == nullptr) return std::nullopt;
    Bindings bindings;
    for (const auto& [slot, term] : slots) {
        if (term == nullptr) return std::nullopt;
        bindings.terms[static_cast<std::size_t>(slot)] = term;
    }
    if (!where_holds(*instance, bindings)) return std::nullopt;
    const auto needs = build_needs(ctx, *instance, bindings);
    if (!needs || !std::all_of(needs->begin(), needs->end(), proves)) return std::nullopt;
    Expr after = build(ctx, instance->right, bindings);
    if (after == nullptr) return std::nullopt;
    return Arranged{std::string(rule), after};
}

std::optional<Arranged> Arranger::arrange(Expr e) const {
    switch (e->op) {
        case Op::FloorDiv:
        case Op::FloorMod: return division(e);
        case Op::Lt:
        case Op::Le:
        case Op::Eq:
        case Op::Ne: return comparison(e);
        default: return std::nullopt;
    }
}

std::optional<Arranged> Arranger::division(Expr e) const {
    if (!e->type.is_exact_int() || !ir::is_int_const(e->arg(1))) return std::nullopt;
    if (e->arg(1)->int_value() <= 1) return std::nullopt;
    const LinearForm numerator = linear_form(ctx, e->arg(0));
    if (numerator.is_constant()) return std::nullopt;
    std::optional<Arranged> out = split_off_multiple(e, numerator);
    return out ? out : drop_rest(e, numerator);
}

std::optional<Arranged> Arranger::split_off_multiple(Expr e, const LinearForm& numerator) const {
    const Integer divisor(e->arg(1)->int_value());
    SplitForm split = split_by(numerator, divisor);
    // (x - 1) // 4 stays: -1 + (x + 3) // 4 is no simpler.
    const bool keep_constant = !split.rest.terms.empty() && split.multiple.constant.sign() < 0 &&
                               !split.rest.constant.is_zero();
    if (keep_constant) {
        split.rest.constant = numerator.constant;
        split.multiple.constant = Integer(0);
    }
    if (split.multiple.is_constant() && split.multiple.constant.is_zero()) return std::nullopt;
    const char* rule = e->op == Op::FloorDiv ? "floordiv-split-multiple" : "floormod-drop-multiple";
    return apply(rule, e->type,
                 {{kX, to_expr(ctx, split.multiple)},
                  {kY, to_expr(ctx, split.rest)},
                  {kC1, e->arg(1)},
                  {kC2, e->arg(1)}});
}

std::optional<Arranged> Arranger::drop_rest(Expr e, const LinearForm& numerator) const {
    const char* rule = e->op == Op::FloorDiv ? "floordiv-drop-rest" : "floormod-keep-rest";
    for (const Integer& g : tile_sizes(numerator, Integer(e->arg(1)->int_value()))) {
        const SplitForm split = split_by(numerator, g);
        auto out = apply(rule, e->type,
                         {{kX, to_expr(ctx, split.multiple)},
                          {kY, to_expr(ctx, split.rest)},
                          {kC1, constant(ctx, e->type, g)},
                          {kC2, e->arg(1)}});
        if (out) return out;
    }
    return std::nullopt;
}

std::optional<Arranged> Arranger::comparison(Expr e) const {
    if (!e->arg(0)->type.is_exact_int()) return std::nullopt;
    const LinearForm l = linear_form(ctx, e->arg(0));
    const LinearForm r = linear_form(ctx, e->arg(1));
    const LinearForm difference = l.minus(r);
    if (difference.is_constant()) {
        return Arranged{"linear-form", ctx.bool_imm(truth_of(e->op, difference.constant))};
    }
    if (auto moved = move_terms(e, difference)) return moved;
    if (auto smaller = divide_by_gcd(e, l, r)) return smaller;
    return whole_tiles(e, l, r);
}

// Terms to the side where their coefficient is positive, the constant to the side without terms, or
// where it is positive. `==` and `!=` keep their first term on the left.
std::optional<Arranged> Arranger::move_terms(Expr e, const LinearForm& difference) const {
    auto [l, r] = by_sign(difference);
    Integer constant_right = -difference.constant;
    const bool equality = e->op == Op::Eq || e->op == Op::Ne;
    if (equality &&
        (l.is_constant() ||
         (!r.is_constant() && compare_structure(r.terms[0].monomial, l.terms[0].monomial) < 0))) {
        std::swap(l, r);
        constant_right = -constant_right;
    }
    const bool to_left = l.is_constant() || (!r.is_constant() && constant_right.sign() < 0);
    (to_left ? l : r).constant = to_left ? -constant_right : constant_right;
    Expr left = to_expr(ctx, l);
    Expr right = to_expr(ctx, r);
    if (left == nullptr || right == nullptr) return std::nullopt;
    Expr after = ctx.make(e->op, {left, right});
    if (after == e) return std::nullopt;
    for (Expr side : {left, right}) {
        if (!proves(analysis::in_range(ctx, side))) return std::nullopt;
    }
    return Arranged{"linear-form", after};
}

std::optional<Arranged> Arranger::divide_by_gcd(Expr e, const LinearForm& l,
                                                const LinearForm& r) const {
    const ir::ScalarType type = e->arg(0)->type;
    const Integer g = gcd(gcd_of_coefficients(l), gcd_of_coefficients(r));
    if (g <= Integer(1)) return std::nullopt;
    Expr scale = constant(ctx, type, g);
    const bool lt = e->op == Op::Lt;
    const bool le = e->op == Op::Le;
    if (r.is_constant() && l.constant.is_zero()) {
        const Slots slots = {{kX, to_expr(ctx, divided(l, g))}, {kC0, scale}, {kC1, e->arg(1)}};
        if (lt) return apply("lt-scaled-constant", type, slots);
        if (le) return apply("le-scaled-constant", type, slots);
        const bool eq = e->op == Op::Eq;
        auto out = apply(eq ? "eq-scaled-constant" : "ne-scaled-constant", type, slots);
        return out ? out : apply(eq ? "eq-scaled-between" : "ne-scaled-between", type, slots);
    }
    if (l.is_constant() && r.constant.is_zero() && (lt || le)) {
        const Slots slots = {{kX, to_expr(ctx, divided(r, g))}, {kC0, scale}, {kC1, e->arg(0)}};
        return apply(lt ? "gt-scaled-constant" : "ge-scaled-constant", type, slots);
    }
    const bool exact = floormod(l.constant, g).is_zero() && floormod(r.constant, g).is_zero();
    if (!exact || l.is_constant() || r.is_constant()) return std::nullopt;
    const Slots slots = {
        {kX, to_expr(ctx, divided(l, g))}, {kY, to_expr(ctx, divided(r, g))}, {kC0, scale}};
    if (lt) return apply("lt-scaled", type, slots);
    if (le) return apply("le-scaled", type, slots);
    return apply(e->op == Op::Eq ? "eq-scaled" : "ne-scaled", type, slots);
}

std::optional<Arranged> Arranger::whole_tiles(Expr e, const LinearForm& l,
                                              const LinearForm& r) const {
    const ir::ScalarType type = e->arg(0)->type;
    if (e->op != Op::Lt && e->op != Op::Le) return std::nullopt;
    const bool lt = e->op == Op::Lt;
    const LinearForm& tiled = lt ? l : r;  // x * c0 + y
    const LinearForm& whole = lt ? r : l;  // c1 or z * c0
    for (const Integer& g : tile_sizes(tiled, Integer(0))) {
        const SplitForm split = split_by(tiled, g);
        const SplitForm other = split_by(whole, g);
        if (split.rest.terms.empty() || split.multiple.terms.empty()) continue;
        if (!other.rest.terms.empty() || !other.rest.constant.is_zero()) continue;
        Slots slots = {{kX, to_expr(ctx, split.multiple)},
                       {kY, to_expr(ctx, split.rest)},
                       {kC0, constant(ctx, type, g)}};
        std::optional<Arranged> out;
        if (whole.is_constant()) {
            slots.emplace_back(kC1, to_expr(ctx, whole));
            out = apply(lt ? "lt-tile" : "ge-tile", type, slots);
        } else {
            slots.emplace_back(kZ, to_expr(ctx, other.multiple));
            out = apply(lt ? "lt-tile-symbolic" : "le-tile-symbolic", type, slots);
        }
        if (out) return out;
    }
    return std::nullopt;
}

}  // namespace proviso::rewrite
