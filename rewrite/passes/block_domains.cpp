#include "rewrite/passes/block_domains.h"

#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/text.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// A sum of constant multiples of loop variables with their values at one end of the loops; null
// where it is not one.
Expr at_end(Context& ctx, Expr e, const Substitution& ends) {
    if (is_int_const(e)) return e;
    if (e->op == Op::Var) {
        const auto end = ends.find(e);
        return end == ends.end() ? nullptr : end->second;
    }
    const bool sum = e->op == Op::Add;
    const bool less = e->op == Op::Sub && is_int_const(e->arg(1));
    const bool multiple =
        e->op == Op::Mul && is_int_const(e->arg(1)) && e->arg(1)->int_value() >= 0;
    if (!sum && !less && !multiple) return nullptr;
    Expr a = at_end(ctx, e->arg(0), ends);
    Expr b = at_end(ctx, e->arg(1), ends);
    return a == nullptr || b == nullptr ? nullptr : ctx.make(e->op, {a, b});
}

}  // namespace

json wider_domains(Proposer& p, const Site& site, const Block& block) {
    Context& ctx = p.ctx();
    const Function f = p.current();
    Substitution bottoms;
    Substitution tops;
    for (const analysis::PassedNode& step : analysis::passed_on_the_way(f, site)) {
        const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
        if (loop == nullptr) continue;
        bottoms[loop->var] = loop->lo;
        tops[loop->var] = ctx.sub(loop->hi, ctx.int_imm(loop->hi->type, 1));
    }
    const std::vector<Expr> facts = analysis::facts_at(ctx, f, site);
    json out = json::object();
    for (const BlockIter& it : block.iters) {
        Expr top = at_end(ctx, it.binding, tops);
        Expr bottom = at_end(ctx, it.binding, bottoms);
        if (top == nullptr || bottom == nullptr) continue;
        Expr hi = it.hi;
        Expr lo = it.lo;
        if (!p.prover().proves_cheaply(facts, ctx.lt(top, it.hi))) {
            hi = p.simplified(ctx.add(top, ctx.int_imm(top->type, 1)), facts);
        }
        if (!p.prover().proves_cheaply(facts, ctx.le(it.lo, bottom))) {
            lo = p.simplified(bottom, facts);
        }
        if (hi->type != it.hi->type || lo->type != it.lo->type) continue;
        if (lo != it.lo) {
            out[*it.var->name] = {print(lo), print(hi)};
        } else if (hi != it.hi) {
            out[*it.var->name] = print(hi);
        }
    }
    return out;
}

}  // namespace proviso::rewrite
