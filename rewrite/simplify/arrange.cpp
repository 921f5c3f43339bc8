// Sums, min and max; what all arrangements share. Divisions: arrange_division.cpp; comparisons:
// arrange_comparison.cpp.
#include "rewrite/simplify/arrange.h"

#include "rewrite/simplify/digits.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

std::optional<Arranged> Arranger::found(const char* rule, Expr before, Expr after,
                                        std::vector<Binding> bindings,
                                        std::vector<Expr> conditions) const {
    if (after == nullptr || after == before) return std::nullopt;
    return Arranged{rule, after, std::move(bindings), std::move(conditions)};
}

Expr Arranger::constant(ir::ScalarType type, Int128 value) const {
    return type.contains(value) ? ctx_.int_imm(type, value) : nullptr;
}

std::vector<Expr> Arranger::within(Expr e, Expr divisor) const {
    if (!explain_) return {};
    return {ctx_.le(ctx_.int_imm(e->type, 0), e), ctx_.lt(e, divisor)};
}

std::optional<Arranged> Arranger::arrange(FactSet& s, Expr e) const {
    switch (e->op) {
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Neg: return e->type.is_exact_int() ? sum(s, e) : std::nullopt;
        case Op::FloorDiv:
        case Op::FloorMod: return e->type.is_exact_int() ? division(s, e) : std::nullopt;
        case Op::Lt:
        case Op::Le:
        case Op::Eq:
        case Op::Ne: return e->arg(0)->type.is_exact_int() ? comparison(s, e) : std::nullopt;
        case Op::Min:
        case Op::Max: return e->type.is_exact_int() ? extremum(s, e) : std::nullopt;
        default: return std::nullopt;
    }
}

Expr Arranger::spelled_sum(FactSet&, Expr e, bool& joined) const {
    const LinearForm plain = linear_form(ctx_, e);
    LinearForm form = expanded(ctx_, plain);
    const bool multiplied_out = !(form == plain);
    joined = join_digits(ctx_, form);
    Expr out = to_expr(ctx_, form);
    if (!multiplied_out) return out;
    // Products of sums may be shorter as they stand.
    LinearForm products = plain;
    const bool joined_products = join_digits(ctx_, products);
    Expr other = to_expr(ctx_, products);
    if (other == nullptr || (out != nullptr && out->size <= other->size)) return out;
    joined = joined_products;
    return other;
}

std::optional<Arranged> Arranger::sum(FactSet& s, Expr e) const {
    bool joined = false;
    Expr after = spelled_sum(s, e, joined);
    if (after == nullptr || after->size > e->size) return std::nullopt;
    return found(joined ? "join-digits" : "linear-form", e, after);
}

std::optional<Arranged> Arranger::extremum(FactSet& s, Expr e) const {
    const bool is_min = e->op == Op::Min;
    Expr a = e->arg(0);
    Expr b = e->arg(1);
    LinearForm gap = expanded(ctx_, linear_form(ctx_, b));
    gap.add(expanded(ctx_, linear_form(ctx_, a)), -1);
    const Range r = surroundings_.range(s, gap);
    bool left_is_less = r.lo >= 0;
    bool right_is_less = r.hi <= 0;
    if (!left_is_less && !right_is_less) {
        left_is_less = surroundings_.proves(s, ctx_.le(a, b));
        right_is_less = !left_is_less && surroundings_.proves(s, ctx_.le(b, a));
    }
    if (left_is_less || right_is_less) {
        const bool take_left = left_is_less == is_min;
        std::vector<Expr> conditions;
        if (explain_) conditions = {take_left == is_min ? ctx_.le(a, b) : ctx_.le(b, a)};
        return found(is_min ? "min-known-left" : "max-known-left", e, take_left ? a : b,
                     {{"x", take_left ? a : b}, {"y", take_left ? b : a}}, std::move(conditions));
    }
    // Constants to the right, the others by structure.
    const bool swap =
        ir::is_const(a) != ir::is_const(b) ? ir::is_const(a) : compare_structure(b, a) < 0;
    if (swap) return found("order-operands", e, ctx_.make(e->op, {b, a}));
    return std::nullopt;
}

}  // namespace proviso::rewrite
