#include "analysis/cheap/floor_forms.h"

#include <unordered_set>

#include "analysis/facts/formula.h"
#include "ir/children.h"

namespace proviso::analysis::cheap {

using ir::Context;
using ir::Expr;
using ir::Op;

namespace {

constexpr std::uint32_t kLargestRead = 20'000;  // nodes that are looked at

// Whether a remainder that is not 0 has another sign than the divisor: as `lower-division` asks.
Expr signs_differ(Context& ctx, Expr r, Expr y) {
    const Expr zero = ctx.int_imm(r->type, 0);
    if (ir::is_int_const(y)) return y->int_value() > 0 ? ctx.lt(r, zero) : ctx.lt(zero, r);
    return ctx.and_(ctx.ne(r, zero), ctx.ne(ctx.lt(r, zero), ctx.lt(y, zero)));
}

// The short form of a sum or difference that is one of them but for what y may be.
Expr floor_form(Context& ctx, Expr e) {
    const bool quotient = e->op == Op::Sub;
    if (!quotient && e->op != Op::Add) return nullptr;
    const Expr division = e->arg(0);
    const Expr correction = e->arg(1);
    if (division->op != (quotient ? Op::TruncDiv : Op::TruncMod)) return nullptr;
    if (correction->op != Op::Select || !e->type.is_int()) return nullptr;
    const Expr x = division->arg(0);
    const Expr y = division->arg(1);
    const Expr r = ctx.make(Op::TruncMod, {x, y});
    const Expr by = quotient ? ctx.int_imm(e->type, 1) : y;
    const Expr expected = ctx.select(signs_differ(ctx, r, y), by, ctx.int_imm(e->type, 0));
    if (correction != expected) return nullptr;
    return ctx.make(quotient ? Op::FloorDiv : Op::FloorMod, {x, y});
}

bool may_have_floor_form(Expr e) {
    return e->size <= kLargestRead && ir::has_op(e, Op::Select) &&
           ir::has_any(e, {Op::TruncDiv, Op::TruncMod});
}

}  // namespace

Expr with_floor_forms(Context& ctx, Expr e, const std::function<bool(Expr)>& holds) {
    if (!may_have_floor_form(e)) return e;
    std::unordered_set<Expr> bound;
    ir::for_each_node(e, [&](Expr n) {
        if (n->op == Op::Let) bound.insert(ctx.var(*n->name, n->var_type));
    });
    const auto is_known = [&](Expr claim) {
        if (ir::is_true(claim)) return true;
        for (const Expr v : ir::free_vars(claim)) {
            if (bound.count(v) != 0) return false;
        }
        return holds(claim);
    };
    return ir::rewrite_expr(ctx, e, [&](Expr n) {
        if (n->op == Op::Let) {
            const Expr value = n->arg(0);
            const bool plain = !ir::has_any(value, {Op::Let, Op::Undef, Op::CallExtern});
            if (!plain || !is_known(definite(ctx, value))) return n;
            return ir::substitute(ctx, n->arg(1), {{ctx.var(*n->name, n->var_type), value}});
        }
        const Expr shorter = floor_form(ctx, n);
        if (shorter == nullptr) return n;
        const Expr y = shorter->arg(1);
        const bool divides = ir::is_int_const(y) ? y->int_value() != 0
                                                 : is_known(ctx.ne(y, ctx.int_imm(y->type, 0)));
        return divides ? shorter : n;
    });
}

}  // namespace proviso::analysis::cheap
