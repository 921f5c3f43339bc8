#include "rewrite/rules/statement/division.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

// A constant that x is a sum with, at either end; 0 where there is none.
Int128 constant_of(Expr x) {
    if (x->op == Op::Add && is_int_const(x->arg(1))) return x->arg(1)->int_value();
    if (x->op == Op::Sub && is_int_const(x->arg(1))) return -x->arg(1)->int_value();
    if (x->op == Op::Sub && is_int_const(x->arg(0))) return x->arg(0)->int_value();
    return 0;
}

// x + n, with n in the constant that x has.
Expr moved_up(Context& ctx, Expr x, Int128 n) {
    const Int128 sum = constant_of(x) + n;
    if (x->op == Op::Sub && is_int_const(x->arg(0))) {
        return ctx.sub(ctx.int_imm(x->type, sum), x->arg(1));
    }
    const bool has_one = (x->op == Op::Add || x->op == Op::Sub) && is_int_const(x->arg(1));
    Expr rest = has_one ? x->arg(0) : x;
    if (sum == 0) return rest;
    return sum > 0 ? ctx.add(rest, ctx.int_imm(x->type, sum))
                   : ctx.sub(rest, ctx.int_imm(x->type, -sum));
}

// Whether a remainder that is not 0 has another sign than the divisor.
Expr needs_correction(Context& ctx, Expr r, Expr y) {
    Expr zero = ctx.int_imm(r->type, 0);
    if (is_int_const(y)) return y->int_value() > 0 ? ctx.lt(r, zero) : ctx.lt(zero, r);
    return ctx.and_(ctx.ne(r, zero), ctx.ne(ctx.lt(r, zero), ctx.lt(y, zero)));
}

}  // namespace

bool can_shift(Expr division, Int128 shift) {
    Expr x = division->arg(0);
    Expr y = division->arg(1);
    if (!is_int_const(y) || y->int_value() <= 0 || shift < 0) return false;
    const ScalarType type = division->type;
    if (!type.contains(shift) || !type.contains(shift * y->int_value())) return false;
    const Int128 sum = constant_of(x) + shift * y->int_value();
    return type.contains(sum) && type.contains(sum < 0 ? -sum : sum);
}

Expr lowered_division(Context& ctx, Expr division, DivisionForm form, Int128 shift) {
    Expr x = division->arg(0);
    Expr y = division->arg(1);
    const bool is_div = division->op == Op::FloorDiv;
    if (shift != 0) x = moved_up(ctx, x, shift * y->int_value());
    Expr q = ctx.make(Op::TruncDiv, {x, y});
    Expr r = ctx.make(Op::TruncMod, {x, y});
    if (form == DivisionForm::Trunc) {
        if (!is_div) return r;
        return shift == 0 ? q : ctx.sub(q, ctx.int_imm(division->type, shift));
    }
    Expr zero = ctx.int_imm(division->type, 0);
    Expr correction =
        ctx.select(needs_correction(ctx, r, y), is_div ? ctx.int_imm(division->type, 1) : y, zero);
    return is_div ? ctx.sub(q, correction) : ctx.add(r, correction);
}

}  // namespace proviso::rewrite
