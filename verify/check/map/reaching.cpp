#include "verify/check/map/reaching.h"

#include <algorithm>

#include "ir/child_at.h"

namespace proviso::verify {

using namespace ir;

namespace {

bool is_among(Expr var, const std::vector<Binder>& loops) {
    return std::any_of(loops.begin(), loops.end(), [&](const Binder& b) { return b.var == var; });
}

bool is_named(Expr var, const Store& store) {
    return std::any_of(store.indices.begin(), store.indices.end(),
                       [&](Expr e) { return occurs_free(var, e); });
}

}  // namespace

std::vector<Binder> common_loops(Stmt text, const Leaf& a, const Leaf& b) {
    std::vector<Binder> out;
    Stmt here = text;
    for (std::size_t k = 0; k < a.at.steps.size() && k < b.at.steps.size(); ++k) {
        if (a.at.steps[k] != b.at.steps[k]) break;
        const For* loop = here->as<For>();
        for (const Binder& binder : a.binders) {
            if (loop != nullptr && binder.var == loop->var) out.push_back(binder);
        }
        here = child_at(here, a.at.steps[k]).stmt;
    }
    return out;
}

std::vector<Binder> loops_again(Stmt text, const Leaf& store, const Leaf* other) {
    std::vector<Binder> common;
    if (other != nullptr) common = common_loops(text, store, *other);
    std::vector<Binder> out;
    for (const Binder& b : store.binders) {
        if (b.value != nullptr || is_among(b.var, common)) continue;
        if (!is_named(b.var, *store.stmt->as<Store>())) out.push_back(b);
    }
    return out;
}

Expr last_iteration(Context& ctx, const Binder& loop) {
    return ctx.sub(loop.hi, ctx.int_imm(loop.var->type, 1));
}

std::optional<Substitution> last_instance(Context& ctx, InstanceSolver& solver, Stmt text,
                                          const Leaf& store, const Leaf& here, Expr load) {
    const Store& stored = *store.stmt->as<Store>();
    Leaf unknown = store;
    Leaf known = here;
    unknown.stmt = ctx.store(load->buffer, stored.indices, ctx.load(load->buffer, stored.indices));
    known.stmt = ctx.store(load->buffer, {load->args.begin(), load->args.end()}, load);
    const auto leave_out = [&](Expr v) {
        std::erase_if(unknown.binders, [&](const Binder& x) { return x.var == v; });
        std::erase_if(unknown.conditions, [&](Expr c) { return occurs_free(v, c); });
    };
    Substitution out;
    const std::vector<Binder> again = loops_again(text, store, &here);
    for (const Binder& b : again) leave_out(b.var);
    for (const Binder& b : common_loops(text, store, here)) {
        if (is_named(b.var, stored)) continue;
        leave_out(b.var);
        out[b.var] = b.var;
    }
    const std::vector<Substitution> at = solver.values(unknown, known);
    if (at.empty()) return std::nullopt;
    out.insert(at[0].begin(), at[0].end());
    for (const Binder& b : again) out[b.var] = substitute(ctx, last_iteration(ctx, b), out);
    return out;
}

Expr runs_for(Context& ctx, InstanceSolver& solver, const Leaf& store, const Substitution& at,
              const Leaf& here, Expr load) {
    std::vector<Expr> all;
    for (Expr c : store.conditions) all.push_back(substitute(ctx, c, at));
    const std::vector<Expr>& stored = store.stmt->as<Store>()->indices;
    for (std::size_t d = 0; d < stored.size(); ++d) {
        all.push_back(ctx.eq(substitute(ctx, stored[d], at), load->arg(d)));
    }
    return solver.simplified(ctx.all_of(all), here);
}

}  // namespace proviso::verify
