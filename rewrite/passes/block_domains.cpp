#include "rewrite/passes/block_domains.h"

#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/path.h"
#include "ir/text.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// Largest value of a sum of constant multiples of loop variables; null where it is not one.
Expr largest(Context& ctx, Expr e, const Substitution& tops) {
    if (is_int_const(e)) return e;
    if (e->op == Op::Var) {
        const auto top = tops.find(e);
        return top == tops.end() ? nullptr : top->second;
    }
    const bool sum = e->op == Op::Add;
    const bool less = e->op == Op::Sub && is_int_const(e->arg(1));
    const bool multiple =
        e->op == Op::Mul && is_int_const(e->arg(1)) && e->arg(1)->int_value() >= 0;
    if (!sum && !less && !multiple) return nullptr;
    Expr a = largest(ctx, e->arg(0), tops);
    Expr b = largest(ctx, e->arg(1), tops);
    return a == nullptr || b == nullptr ? nullptr : ctx.make(e->op, {a, b});
}

}  // namespace

json wider_domains(Proposer& p, const Site& site, const Block& block) {
    Context& ctx = p.ctx();
    const Function f = p.current();
    Substitution tops;
    for (const analysis::PathStep& step : analysis::path_to(f, site).steps) {
        const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
        if (loop == nullptr) continue;
        tops[loop->var] = ctx.sub(loop->hi, ctx.int_imm(loop->hi->type, 1));
    }
    const std::vector<Expr> facts = analysis::facts_at(ctx, f, site);
    json out = json::object();
    for (const BlockIter& it : block.iters) {
        Expr top = largest(ctx, it.binding, tops);
        if (top == nullptr || p.prover().proves_cheaply(facts, ctx.lt(top, it.hi))) continue;
        Expr hi = p.simplified(ctx.add(top, ctx.int_imm(top->type, 1)), facts);
        if (hi == it.hi || hi->type != it.hi->type) continue;
        out[*it.var->name] = print(hi);
    }
    return out;
}

}  // namespace proviso::rewrite
