#include "rewrite/derived/guards/guarded_body.h"

#include "rewrite/rules/common.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

// Calls would be made more often than in the source.
bool bounds_make_calls(const For& loop) {
    return makes_call(loop.lo) || makes_call(loop.hi);
}

// Adds `guard` to the predicate of every block under loops only; null when something else is met.
Stmt guard_blocks(Context& ctx, Stmt s, Expr guard) {
    if (const For* loop = s->as<For>()) {
        if (bounds_make_calls(*loop)) return nullptr;
        For copy = *loop;
        copy.body = guard_blocks(ctx, loop->body, guard);
        return copy.body == nullptr ? nullptr : ctx.stmt(copy);
    }
    if (const Seq* list = s->as<Seq>()) {
        std::vector<Stmt> parts;
        for (Stmt part : list->body) {
            parts.push_back(guard_blocks(ctx, part, guard));
            if (parts.back() == nullptr) return nullptr;
        }
        return ctx.seq(parts);
    }
    if (const Block* block = s->as<Block>()) {
        Block copy = *block;
        copy.predicate = ctx.all_of({guard, block->predicate});
        return ctx.stmt(copy);
    }
    return nullptr;
}

// A branch inside of the loop is of no other kind than one around it: lanes and threads are not.
bool may_hold_guard(const For& loop) {
    return loop.kind != ForKind::Vectorized && loop.kind != ForKind::ThreadBinding;
}

// `body` with a branch on `guard` around what stands in its loops; a branch that stands there takes
// the guard in front of its own condition. Null where a loop's bounds make a call.
Stmt guard_leaf(Context& ctx, Stmt s, Expr guard) {
    const For* loop = s->as<For>();
    if (loop != nullptr && may_hold_guard(*loop)) {
        if (bounds_make_calls(*loop)) return nullptr;
        For copy = *loop;
        copy.body = guard_leaf(ctx, loop->body, guard);
        return copy.body == nullptr ? nullptr : ctx.stmt(copy);
    }
    const IfElse* branch = s->as<IfElse>();
    if (branch != nullptr && branch->else_body == nullptr) {
        return ctx.if_(ctx.and_(guard, branch->cond), branch->then_body);
    }
    return ctx.if_(guard, s);
}

}  // namespace

Result<Stmt> guarded_body(Context& ctx, Stmt body, Expr guard, const std::string& kind) {
    if (kind == "none") return body;
    if (kind == "if") return ctx.if_(guard, body);
    if (kind != "block" && kind != "leaf") {
        return error("no guard kind '" + kind + "'", "none, if, leaf or block");
    }
    Stmt out = kind == "leaf" ? guard_leaf(ctx, body, guard) : guard_blocks(ctx, body, guard);
    if (out == nullptr) return error("the guard finds nothing to sit on", "guard: \"if\"");
    return out;
}

}  // namespace proviso::rewrite
