#include "analysis/solve/checked.h"

#include <algorithm>

#include "analysis/facts/affine.h"
#include "ir/children.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Integer;
using ir::Op;

bool all_proved(const std::vector<Checked>& checks) {
    return std::all_of(checks.begin(), checks.end(), [](const Checked& c) { return c.proved(); });
}

const char* direction_name(Direction d) {
    switch (d) {
        case Direction::Exact: return "exact";
        case Direction::Over: return "over";
        case Direction::Under: return "under";
    }
    return "?";
}

Expr Builder::number(ir::ScalarType type, const Integer& value) const {
    return value.in_range(type) ? ctx_.int_imm(type, *value.to_int128()) : nullptr;
}

Expr Builder::sum(Expr a, Expr b) const {
    if (a == nullptr || b == nullptr) return nullptr;
    return (Affine::of(a) + Affine::of(b)).expr(ctx_, a->type);
}

Expr Builder::difference(Expr a, Expr b) const {
    if (a == nullptr || b == nullptr) return nullptr;
    return (Affine::of(a) - Affine::of(b)).expr(ctx_, a->type);
}

Expr Builder::product(Expr a, Expr b) const {
    if (a == nullptr || b == nullptr) return nullptr;
    if (ir::is_int_const(a)) std::swap(a, b);
    if (ir::is_int_const(b)) return (Affine::of(a) * Integer(b->int_value())).expr(ctx_, a->type);
    return ctx_.mul(a, b);
}

Expr Builder::floored(Expr a, Expr b) const {
    if (a == nullptr || b == nullptr) return nullptr;
    if (ir::is_int_const(b, 1)) return a;
    if (ir::is_int_const(a) && ir::is_int_const(b)) {
        return number(a->type, floordiv(Integer(a->int_value()), Integer(b->int_value())));
    }
    return ctx_.floordiv(a, b);
}

Expr Builder::ceiling(Expr a, Expr b) const {
    if (a == nullptr || b == nullptr || ir::is_int_const(b, 1)) return a;
    return floored(difference(sum(a, b), number(a->type, 1)), b);
}

Expr Builder::remainder(Expr a, Expr b) const {
    if (a == nullptr || b == nullptr) return nullptr;
    if (ir::is_int_const(b, 1)) return number(a->type, 0);
    if (ir::is_int_const(a) && ir::is_int_const(b)) {
        return number(a->type, floormod(Integer(a->int_value()), Integer(b->int_value())));
    }
    return ctx_.floormod(a, b);
}

Expr Builder::balanced(Expr e) const {
    const bool compares = e->op == Op::Le || e->op == Op::Lt;
    if (!compares || !e->arg(0)->type.is_exact_int()) return e;
    const Affine gap = Affine::of(e->arg(1)) - Affine::of(e->arg(0));  // >= 0, or > 0
    Affine low;
    Affine high;
    for (const auto& [t, factor] : gap.terms()) {
        if (factor.sign() > 0) {
            high.add(Affine::term(t, factor));
        } else {
            low.add(Affine::term(t, -factor));
        }
    }
    (gap.constant().sign() > 0 ? high : low).add(abs(gap.constant()));
    const ir::ScalarType type = e->arg(0)->type;
    Expr a = low.expr(ctx_, type);
    Expr b = high.expr(ctx_, type);
    return a == nullptr || b == nullptr ? e : ctx_.make(e->op, {a, b});
}

Expr Builder::opposite(Expr c) const {
    const bool is_float = !c->args.empty() && c->arg(0)->type.is_float();
    switch (c->op) {
        case Op::IntImm: return ctx_.bool_imm(c->bits == 0);
        case Op::Not: return c->arg(0);
        case Op::And: return ctx_.or_(opposite(c->arg(0)), opposite(c->arg(1)));
        case Op::Or: return ctx_.and_(opposite(c->arg(0)), opposite(c->arg(1)));
        case Op::Lt:
            if (!is_float) return ctx_.le(c->arg(1), c->arg(0));
            break;
        case Op::Le:
            if (!is_float) return ctx_.lt(c->arg(1), c->arg(0));
            break;
        case Op::Eq: return ctx_.ne(c->arg(0), c->arg(1));
        case Op::Ne: return ctx_.eq(c->arg(0), c->arg(1));
        default: break;
    }
    return ctx_.not_(c);
}

bool mentions(Expr e, Expr variable) {
    return ir::occurs_free(variable, e);
}

bool mentions_any(Expr e, const std::vector<Expr>& variables) {
    return std::any_of(variables.begin(), variables.end(), [&](Expr v) { return mentions(e, v); });
}

}  // namespace proviso::analysis::solve
