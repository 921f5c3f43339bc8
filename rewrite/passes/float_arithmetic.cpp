#include "rewrite/passes/float_arithmetic.h"

#include "ir/children.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

// Weaker where `e` stands for itself, stronger where its opposite counts.
Expr weaker(Context& ctx, Expr e, bool positive) {
    switch (e->op) {
        case Op::And:
            return ctx.and_(weaker(ctx, e->arg(0), positive), weaker(ctx, e->arg(1), positive));
        case Op::Or:
            return ctx.or_(weaker(ctx, e->arg(0), positive), weaker(ctx, e->arg(1), positive));
        case Op::Not: return ctx.not_(weaker(ctx, e->arg(0), !positive));
        default: return computes_floats(e) ? ctx.bool_imm(positive) : e;
    }
}

}  // namespace

bool computes_floats(Expr e) {
    bool found = false;
    for_each_node(e, [&](Expr n) {
        const bool computed = n->op == Op::Add || n->op == Op::Sub || n->op == Op::Mul ||
                              n->op == Op::Div || n->op == Op::Math;
        found |= computed && n->type.is_float();
    });
    return found;
}

Expr without_float_arithmetic(Context& ctx, Expr fact) {
    return computes_floats(fact) ? weaker(ctx, fact, true) : fact;
}

}  // namespace proviso::rewrite
