// fuse: two perfectly nested loops into one.
//
//   before   for i in range(li, hi): for j in range(lj, hj): S
//   after    for f in range((hi - li) * (hj - lj)): S[i := li + f // ej, j := lj + f % ej]      ej
//   = hj - lj
//
// Arguments: "name": of the new loop. The inner bounds must not depend on i. Both loops serial (or
// both parallel). Obligations: the new loop visits every pair (witness f = (i - li) * ej + (j -
// lj)) and only pairs; in the same order; its bound is in range. Where the inner loop is empty the
// product is not positive, so nothing runs.
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Fuse final : public Rule {
  public:
    std::string name() const override { return "fuse"; }
    std::string summary() const override { return "two perfectly nested loops into one"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const For* outer = at->as<For>();
        const For* inner = outer == nullptr ? nullptr : outer->body->as<For>();
        if (inner == nullptr) return error("fuse works on two perfectly nested loops");
        if (outer->kind != inner->kind || outer->kind == ForKind::ThreadBinding) {
            return error("the loops are of different kinds");
        }
        if (outer->var->type != inner->var->type)
            return error("the loops' variables differ in type");
        if (occurs_free(outer->var, inner->lo) || occurs_free(outer->var, inner->hi)) {
            return error("the inner loop's bounds depend on " + *outer->var->name);
        }
        if (has_op(inner->lo, Op::Load) || has_op(inner->hi, Op::Load)) {
            return error("the inner loop's bounds are read from memory");
        }
        for (Expr e : {outer->lo, outer->hi, inner->lo, inner->hi}) {
            const Status same = stays_the_same(e, inner->body, "a bound");
            if (!same) return same.error();
        }
        const Result<std::string> name = arg_string(args, "name");
        if (!name) return name.error();
        const ScalarType type = outer->var->type;
        Expr zero = ctx.int_imm(type, 0);
        Expr f = ctx.var(*name, type);
        Expr ei = extent(ctx, *outer);
        Expr ej = extent(ctx, *inner);
        Expr total =
            is_int_const(ei) && is_int_const(ej) && type.contains(ei->int_value() * ej->int_value())
                ? ctx.int_imm(type, ei->int_value() * ej->int_value())
                : ctx.mul(ei, ej);
        Expr i = shifted(ctx, outer->lo, ctx.floordiv(f, ej));
        Expr j = shifted(ctx, inner->lo, ctx.floormod(f, ej));
        Proposal out;
        if (planted("fuse:swaps-indices")) std::swap(i, j);
        Stmt body = substitute(ctx, inner->body, {{outer->var, i}, {inner->var, j}});
        out.after = replace_at(ctx, before, site, ctx.for_(f, zero, total, body, outer->kind));
        out.after = with_start_inside(ctx, out.after, site, outer->lo);

        std::vector<Expr> known = facts_at(ctx, before, site);
        for (Expr bound : {outer->lo, outer->hi}) {
            Expr fine = evaluated_bound(ctx, bound);
            if (!is_true(fine)) known.push_back(fine);
        }
        append(known, definedness_facts(ctx, before, {inner->lo, inner->hi}));
        const auto claim = [&](std::string what, const std::vector<Expr>& more, Expr goal) {
            std::vector<Expr> facts = known;
            append(facts, more);
            out.obligations.push_back(Obligation{std::move(what), std::move(facts), goal});
        };
        claim("the fused extent is computed without a fault", {},
              ctx.all_of({no_fault(ctx, inner->lo), no_fault(ctx, inner->hi), no_fault(ctx, total),
                          in_range(ctx, total)}));
        std::vector<Expr> pairs = range_facts(ctx, outer->var, outer->lo, outer->hi);
        append(pairs, range_facts(ctx, inner->var, inner->lo, inner->hi));
        Expr witness = ctx.add(ctx.mul(unshifted(ctx, outer->var, outer->lo), ej),
                               unshifted(ctx, inner->var, inner->lo));
        claim("every pair of iterations is visited", pairs,
              ctx.all_of({ctx.le(zero, witness), ctx.lt(witness, total),
                          ctx.eq(substitute(ctx, i, {{f, witness}}), outer->var),
                          ctx.eq(substitute(ctx, j, {{f, witness}}), inner->var)}));
        std::vector<Expr> fused = range_facts(ctx, f, zero, total);
        if (!is_int_const(
                ej)) {  // a product is positive with both factors positive, or both negative
            claim("an empty inner loop stays empty", {ctx.le(ej, zero)}, ctx.le(total, zero));
            fused.push_back(ctx.lt(zero, ej));
        }
        claim("only pairs of iterations are visited", fused,
              ctx.all_of({no_fault(ctx, i), no_fault(ctx, j), ctx.le(outer->lo, i),
                          ctx.lt(i, outer->hi), ctx.le(inner->lo, j), ctx.lt(j, inner->hi)}));
        Expr later = ctx.var(*name + "_later", type);
        Expr i2 = substitute(ctx, i, {{f, later}});
        Expr j2 = substitute(ctx, j, {{f, later}});
        append(fused, range_facts(ctx, later, zero, total));
        fused.push_back(ctx.lt(f, later));
        claim("iterations keep their order", fused,
              ctx.or_(ctx.lt(i, i2), ctx.and_(ctx.eq(i, i2), ctx.lt(j, j2))));
        return out;
    }

  private:
    static Expr extent(Context& ctx, const For& loop) {
        return is_int_const(loop.lo, 0) ? loop.hi : ctx.sub(loop.hi, loop.lo);
    }
    static Expr shifted(Context& ctx, Expr lo, Expr offset) {
        return is_int_const(lo, 0) ? offset : ctx.add(lo, offset);
    }
    static Expr unshifted(Context& ctx, Expr v, Expr lo) {
        return is_int_const(lo, 0) ? v : ctx.sub(v, lo);
    }
};

}  // namespace

const Rule& fuse_rule() {
    static const Fuse rule;
    return rule;
}

}  // namespace proviso::rewrite
