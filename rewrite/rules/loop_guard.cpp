#include "rewrite/rules/loop_guard.h"

#include <algorithm>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "ir/planted.h"
#include "rewrite/rules/common.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

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
        if (planted("split:in-place-of-a-condition")) return ctx.if_(guard, branch->then_body);
        return ctx.if_(ctx.and_(guard, branch->cond), branch->then_body);
    }
    return ctx.if_(guard, s);
}

// A loop between the new loop and the guard reads memory in its bounds.
bool bounds_read_memory(Stmt s) {
    if (const Seq* list = s->as<Seq>()) {
        return std::any_of(list->body.begin(), list->body.end(), bounds_read_memory);
    }
    const For* loop = s->as<For>();
    if (loop == nullptr) return false;
    const bool reads = has_op(loop->lo, Op::Load) || has_op(loop->hi, Op::Load);
    return reads || bounds_read_memory(loop->body);
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

void bounds_stay_safe(Context& ctx, const Function& after, Stmt s, const Site& site,
                      std::vector<Obligation>& out) {
    if (const For* loop = s->as<For>()) {
        for (Expr e : {loop->lo, loop->hi}) {
            if (is_const(e)) continue;
            Obligation o =
                safe_to_evaluate(ctx, after, facts_at(ctx, after, site), e,
                                 "the loop bound at " + site.str() + " is safe to evaluate");
            o.goal = ctx.all_of({o.goal, definite(ctx, e), in_range(ctx, e)});
            for (Buffer b : loaded_buffers(e)) {  // another iteration may be writing it
                const bool races = in_concurrent_loop(after, site) && stores_to(after.body, b);
                if (races) o.goal = ctx.false_();
            }
            out.push_back(std::move(o));
        }
        bounds_stay_safe(ctx, after, loop->body, site.child("body"), out);
    }
    if (const Seq* list = s->as<Seq>()) {
        for (std::size_t i = 0; i < list->body.size(); ++i) {
            bounds_stay_safe(ctx, after, list->body[i], site.child(std::to_string(i)), out);
        }
    }
}

Function with_claims_that_hold(Context& ctx, const Function& after, Stmt body, const Site& site) {
    if (!bounds_read_memory(body)) return after;
    return without_region_claims(ctx, after, site, false);
}

}  // namespace proviso::rewrite
