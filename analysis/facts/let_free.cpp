#include "analysis/facts/let_free.h"

#include "ir/children.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Op;

Expr let_free(ir::Context& ctx, Expr e) {
    if (!ir::has_op(e, Op::Let)) return e;
    return ir::rewrite_expr(ctx, e, [&](Expr n) {
        if (n->op != Op::Let) return n;
        // Arguments are let-free already, so nothing in the value can be captured.
        return ir::substitute(ctx, n->arg(1), {{ctx.var(*n->name, n->var_type), n->arg(0)}});
    });
}

}  // namespace proviso::analysis
