#include "ir/hint.h"

#include "ir/children.h"

namespace proviso::ir {

Expr hinted(Context& ctx, Expr condition) {
    return ctx.cast(kBool, condition);
}

bool has_hint(Expr e) {
    if (!has_op(e, Op::Cast)) return false;
    bool found = false;
    for_each_node(e, [&](Expr n) { found |= is_hint(n); });
    return found;
}

Expr without_hints(Context& ctx, Expr e) {
    if (!has_hint(e)) return e;
    return rewrite_expr(ctx, e, [](Expr n) { return is_hint(n) ? n->arg(0) : n; });
}

}  // namespace proviso::ir
