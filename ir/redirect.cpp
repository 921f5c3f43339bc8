#include "ir/redirect.h"

#include "ir/children.h"

namespace proviso::ir {

Stmt redirect_buffer(Context& ctx, Stmt s, Buffer from, Buffer to, const CellMap& map) {
    const auto on_expr = [&](Expr e) {
        if (!has_op(e, Op::Load)) return e;
        return rewrite_expr(ctx, e, [&](Expr n) {
            const bool here = n->op == Op::Load && n->buffer == from;
            return here ? ctx.load(to, map.cell(n->args)) : n;
        });
    };
    const auto on_stmt = [&](Stmt t) {
        if (const Store* n = t->as<Store>(); n != nullptr && n->buffer == from) {
            return ctx.store(to, map.cell(n->indices), n->value);
        }
        const Block* n = t->as<Block>();
        if (n == nullptr) return t;
        Block copy = *n;
        for (auto* regions : {&copy.reads, &copy.writes}) {
            if (!regions->has_value()) continue;
            for (BufferRegion& region : **regions) {
                if (region.buffer == from) region = BufferRegion{to, map.box(region.ranges)};
            }
        }
        return copy == *n ? t : ctx.stmt(std::move(copy));
    };
    return rewrite_stmt(ctx, s, on_expr, on_stmt);
}

}  // namespace proviso::ir
