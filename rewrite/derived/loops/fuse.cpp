// fuse: two perfectly nested loops into one.
//
//   before   for i in range(li, hi): for j in range(lj, hj): S
//   after    for f in range((hi - li) * (hj - lj)): S[i := li + f // ej, j := lj + f % ej]
//                                                                          ej = hj - lj
//
// Argument: "name": of the new loop. The inner bounds do not depend on i. Both loops are serial, or
// both are parallel. Where the inner loop is empty the product is not positive, so nothing runs.
#include <nlohmann/json.hpp>

#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class Fuse final : public RescheduleRule {
  public:
    std::string name() const override { return "fuse"; }
    std::string summary() const override { return "two perfectly nested loops into one"; }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const For* outer = at->as<For>();
        const For* inner = outer == nullptr ? nullptr : outer->body->as<For>();
        if (inner == nullptr) return error("fuse works on two perfectly nested loops");
        if (outer->kind != inner->kind) {
            return error("the loops are of different kinds",
                         "fuse them before one of them is made parallel, bound or vectorized");
        }
        if (outer->var->type != inner->var->type) {
            return error("the loops' variables differ in type");
        }
        if (occurs_free(outer->var, inner->lo) || occurs_free(outer->var, inner->hi)) {
            return error("the inner loop's bounds depend on " + *outer->var->name);
        }
        const Result<std::string> name = arg_string(args, "name");
        if (!name) return name.error();
        const ScalarType type = outer->var->type;
        Expr f = ctx.var(*name, type);
        Expr ei = extent(ctx, *outer);
        Expr ej = extent(ctx, *inner);
        const bool folds = is_int_const(ei) && is_int_const(ej) &&
                           type.contains(ei->int_value() * ej->int_value());
        Expr total = folds ? ctx.int_imm(type, ei->int_value() * ej->int_value()) : ctx.mul(ei, ej);
        Part part{Site{}.child("body"), Site{}.child("body").child("body"), {}, {}, nullptr};
        part.from[outer->var] = shifted(ctx, outer->lo, ctx.floordiv(f, ej));
        part.from[inner->var] = shifted(ctx, inner->lo, ctx.floormod(f, ej));
        part.to[f] = ctx.add(ctx.mul(unshifted(ctx, outer->var, outer->lo), ej),
                             unshifted(ctx, inner->var, inner->lo));
        Stmt body = substitute(ctx, inner->body, part.from);
        Rescheduling out;
        out.after = ctx.for_(f, ctx.int_imm(type, 0), total, body, outer->kind);
        out.parts.push_back(std::move(part));
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
