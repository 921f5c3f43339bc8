#include "ir/text/reader/expressions/folding.h"

#include <optional>

namespace proviso::ir {

namespace {

// An integer in a type that is exact, so that no sum of it wraps.
Expr exact(Context& ctx, Expr e) {
    if (e->type.is_exact_int()) return e;
    const bool narrow = e->type.bits < 32;
    return ctx.cast(narrow ? kInt32 : kInt64, e);
}

void same_type(Context& ctx, Expr& a, Expr& b) {
    a = exact(ctx, a);
    b = exact(ctx, b);
    if (a->type == b->type) return;
    a = widened(ctx, a);
    b = widened(ctx, b);
}

Expr constant_or(Context& ctx, ScalarType type, std::optional<Int128> value, Op op, Expr a,
                 Expr b) {
    if (value && type.contains(*value)) return ctx.int_imm(type, *value);
    return ctx.make(op, {a, b});
}

std::optional<Int128> both(Expr a, Expr b, Int128 (*f)(Int128, Int128)) {
    if (!is_int_const(a) || !is_int_const(b)) return std::nullopt;
    return f(a->int_value(), b->int_value());
}

Int128 floored(Int128 a, Int128 b) {
    const Int128 q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

}  // namespace

Expr widened(Context& ctx, Expr e) {
    if (e->type != kInt32) return e;
    return is_int_const(e) ? ctx.int_imm(kInt64, e->int_value()) : ctx.cast(kInt64, e);
}

bool same_value(Expr a, Expr b) {
    if (is_int_const(a) && is_int_const(b)) return a->int_value() == b->int_value();
    const auto inner = [](Expr e) {
        return e->op == Op::Cast && e->type == kInt64 && e->arg(0)->type == kInt32 ? e->arg(0) : e;
    };
    return inner(a) == inner(b);
}

Expr plus(Context& ctx, Expr a, Expr b) {
    same_type(ctx, a, b);
    if (is_int_const(a, 0)) return b;
    if (is_int_const(b, 0)) return a;
    const auto value = both(a, b, [](Int128 x, Int128 y) { return x + y; });
    return constant_or(ctx, a->type, value, Op::Add, a, b);
}

Expr minus(Context& ctx, Expr a, Expr b) {
    same_type(ctx, a, b);
    if (is_int_const(b, 0)) return a;
    const auto value = both(a, b, [](Int128 x, Int128 y) { return x - y; });
    return constant_or(ctx, a->type, value, Op::Sub, a, b);
}

Expr times(Context& ctx, Expr a, Expr b) {
    same_type(ctx, a, b);
    if (is_int_const(a, 0) || is_int_const(b, 1)) return a;
    if (is_int_const(b, 0) || is_int_const(a, 1)) return b;
    const auto value = both(a, b, [](Int128 x, Int128 y) { return x * y; });
    return constant_or(ctx, a->type, value, Op::Mul, a, b);
}

Expr floor_quotient(Context& ctx, Expr a, Expr b) {
    same_type(ctx, a, b);
    if (is_int_const(b, 1)) return a;
    std::optional<Int128> value;
    if (!is_int_const(b, 0)) value = both(a, b, floored);
    return constant_or(ctx, a->type, value, Op::FloorDiv, a, b);
}

Expr floor_remainder(Context& ctx, Expr a, Expr b) {
    same_type(ctx, a, b);
    if (is_int_const(b, 1)) return ctx.int_imm(a->type, 0);
    std::optional<Int128> value;
    if (!is_int_const(b, 0)) {
        value = both(a, b, [](Int128 x, Int128 y) { return x - floored(x, y) * y; });
    }
    return constant_or(ctx, a->type, value, Op::FloorMod, a, b);
}

std::vector<Expr> compact_strides(Context& ctx, std::span<const Expr> shape) {
    std::vector<Expr> out(shape.size());
    Expr step = nullptr;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (step == nullptr) step = ctx.int_imm(shape[i]->type, 1);
        out[i] = step;
        step = times(ctx, shape[i], step);
    }
    return out;
}

Expr visible_extent(Context& ctx, Expr lo, Expr hi) {
    if (is_int_const(lo, 0)) return hi;
    if (is_int_const(lo) && is_int_const(hi)) return minus(ctx, hi, lo);
    const auto split = [&](Expr e) -> std::pair<Expr, Expr> {
        if (e->op == Op::Add && is_int_const(e->arg(1))) return {e->arg(0), e->arg(1)};
        return {e, ctx.int_imm(e->type, 0)};
    };
    if (hi->op == Op::Add && hi->arg(0) == lo) return hi->arg(1);
    if (hi->op == Op::Add && hi->arg(1) == lo) return hi->arg(0);
    const auto [base, first] = split(lo);
    const auto [other, last] = split(hi);
    return base == other ? minus(ctx, last, first) : nullptr;
}

Expr negated(Context& ctx, Expr cond) {
    if (cond->op == Op::Not) return cond->arg(0);
    const bool ints = cond->args.size() == 2 && cond->arg(0)->type.is_int();
    if (ints && cond->op == Op::Lt) return ctx.le(cond->arg(1), cond->arg(0));
    if (ints && cond->op == Op::Le) return ctx.lt(cond->arg(1), cond->arg(0));
    if (ints && cond->op == Op::Eq) return ctx.ne(cond->arg(0), cond->arg(1));
    if (ints && cond->op == Op::Ne) return ctx.eq(cond->arg(0), cond->arg(1));
    return ctx.not_(cond);
}

Expr neither(Context& ctx, Expr cond) {
    if (cond->op != Op::Or) return negated(ctx, cond);
    return ctx.and_(neither(ctx, cond->arg(0)), neither(ctx, cond->arg(1)));
}

}  // namespace proviso::ir
