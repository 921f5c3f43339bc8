// split: one loop into two.
//
//   before   for i in range(lo, hi): S
//   after    for io in range((hi - lo + c - 1) // c): for ii in range(c): if io * c + ii < hi - lo:
//   S[i := lo + io * c + ii]
//
// or, with "extent": "quotient", where hi - lo + c - 1 or io * c + ii may not be in range,
//
//   after    for io in range(e // c + T.min(e % c, 1)): for ii in range(c): if ii < e - io * c:
//   S[i := lo + io * c + ii]            e = hi - lo
//
// Arguments: "factor": c, an expression over the scope of the loop; "outer", "inner": names of the
// new loops; "extent" (optional);
//   "guard": "none" (c divides the extent), "if", "leaf" (inside of the loops that S is a nest of),
//   or "block" (every leaf of S is a block, whose predicate takes it).
// Obligations: c > 0; the new loops visit every old iteration (witness io = (i - lo) // c, ii = (i
// - lo) % c) and, with the guard, only those; in the same order; nothing newly evaluated faults.
// The outer loop keeps the kind, the inner one is serial: fewer interleavings than before.
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/loop_guard.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Split final : public Rule {
  public:
    std::string name() const override { return "split"; }
    std::string summary() const override { return "one loop into two, guarded where needed"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const For* loop = at->as<For>();
        if (loop == nullptr) return error("split works on a loop");
        if (loop->kind == ForKind::ThreadBinding) return error("a thread-bound loop is not split");
        const ScalarType type = loop->var->type;
        const Result<Expr> factor =
            arg_expr(ctx, args, "factor", scope_at(ctx, before, site), type);
        if (!factor) return factor.error();
        const Result<std::string> outer_name = arg_string(args, "outer");
        if (!outer_name) return outer_name.error();
        const Result<std::string> inner_name = arg_string(args, "inner");
        if (!inner_name) return inner_name.error();
        const Result<std::string> guard_kind = arg_string(args, "guard");
        if (!guard_kind) return guard_kind.error();
        const bool by_quotient = args.contains("extent");
        if (by_quotient && args["extent"] != "quotient") {
            return error("'extent' is \"quotient\", or absent");
        }

        Expr c = *factor;
        if (!loaded_buffers(c).empty()) return error("the factor is read from memory");
        for (Expr e : {c, loop->lo, loop->hi}) {  // the body evaluates them again
            const Status same = stays_the_same(e, loop->body, e == c ? "the factor" : "a bound");
            if (!same) return same.error();
        }
        Expr zero = ctx.int_imm(type, 0);
        Expr one = ctx.int_imm(type, 1);
        Expr io = ctx.var(*outer_name, type);
        Expr ii = ctx.var(*inner_name, type);
        const bool from_zero = is_int_const(loop->lo, 0);
        Expr extent = from_zero ? loop->hi : ctx.sub(loop->hi, loop->lo);
        Expr outer_extent = blocks_covering(ctx, extent, c, by_quotient);
        Expr offset = ctx.add(ctx.mul(io, c), ii);
        Expr index = from_zero ? offset : ctx.add(loop->lo, offset);
        Expr guard =
            by_quotient ? ctx.lt(ii, ctx.sub(extent, ctx.mul(io, c))) : ctx.lt(offset, extent);

        Proposal out;
        Stmt body = substitute(ctx, loop->body, {{loop->var, index}});
        const Result<Stmt> guarded = guarded_body(ctx, body, guard, *guard_kind);
        if (!guarded) return guarded.error();
        body = *guarded;
        out.after =
            replace_at(ctx, before, site,
                       ctx.for_(io, zero, outer_extent, ctx.for_(ii, zero, c, body), loop->kind));

        out.after = with_start_inside(ctx, out.after, site, loop->lo);

        // The claim about iterations, over the old loop's scope.
        std::vector<Expr> scope_facts = facts_at(ctx, before, site);
        Expr evaluated =
            ctx.all_of({evaluated_bound(ctx, loop->lo), evaluated_bound(ctx, loop->hi)});
        if (!is_true(evaluated)) scope_facts.push_back(evaluated);
        const auto claim = [&](std::string what, const std::vector<Expr>& more, Expr goal) {
            std::vector<Expr> facts = scope_facts;
            append(facts, more);
            out.obligations.push_back(Obligation{std::move(what), std::move(facts), goal});
        };
        claim("the factor is positive", {}, ctx.le(one, c));
        claim("the number of outer iterations is computed without a fault", {},
              ctx.all_of({no_fault(ctx, outer_extent), in_range(ctx, outer_extent)}));
        Expr i = loop->var;
        Expr shifted = from_zero ? i : ctx.sub(i, loop->lo);
        Expr quotient = ctx.floordiv(shifted, c);
        Expr remainder = ctx.floormod(shifted, c);
        claim("every iteration is visited", range_facts(ctx, i, loop->lo, loop->hi),
              ctx.all_of({ctx.le(zero, quotient), ctx.lt(quotient, outer_extent),
                          ctx.le(zero, remainder), ctx.lt(remainder, c),
                          ctx.eq(substitute(ctx, index, {{io, quotient}, {ii, remainder}}), i)}));
        std::vector<Expr> inside = range_facts(ctx, io, zero, outer_extent);
        append(inside, range_facts(ctx, ii, zero, c));
        if (*guard_kind == "none") {
            claim("no other iteration is visited", inside, guard);
        } else {
            claim("the guard is computed without a fault", inside,
                  ctx.all_of({no_fault(ctx, guard)}));
        }
        order_kept(ctx, io, ii, c, zero, claim);
        if (*guard_kind == "block" || *guard_kind == "leaf") {
            bounds_stay_safe(ctx, out.after, body, site.child("body").child("body"),
                             out.obligations);
            out.after = with_claims_that_hold(ctx, out.after, body, site);
        }
        return out;
    }

  private:
    // ceil(extent / c), folded for constants. It lies between 0 and the extent; by the quotient, so
    // does everything that is computed on the way.
    static Expr blocks_covering(Context& ctx, Expr extent, Expr c, bool by_quotient) {
        if (is_int_const(extent) && is_int_const(c) && c->int_value() > 0) {
            const Int128 e = extent->int_value();
            if (planted("split:rounds-down")) return ctx.int_imm(extent->type, e / c->int_value());
            return ctx.int_imm(extent->type, e <= 0 ? 0 : (e - 1) / c->int_value() + 1);
        }
        Expr one = ctx.int_imm(c->type, 1);
        if (by_quotient) {
            return ctx.add(ctx.floordiv(extent, c), ctx.min(ctx.floormod(extent, c), one));
        }
        return ctx.floordiv(ctx.add(extent, ctx.sub(c, one)), c);
    }

    template <typename Claim>
    static void order_kept(Context& ctx, Expr io, Expr ii, Expr c, Expr zero, const Claim& claim) {
        Expr jo = ctx.var(*io->name + "_later", io->type);
        Expr ji = ctx.var(*ii->name + "_later", ii->type);
        std::vector<Expr> facts = range_facts(ctx, ii, zero, c);
        append(facts, range_facts(ctx, ji, zero, c));
        facts.push_back(ctx.or_(ctx.lt(io, jo), ctx.and_(ctx.eq(io, jo), ctx.lt(ii, ji))));
        claim("iterations keep their order", facts,
              ctx.lt(ctx.add(ctx.mul(io, c), ii), ctx.add(ctx.mul(jo, c), ji)));
    }
};

}  // namespace

const Rule& split_rule() {
    static const Split rule;
    return rule;
}

}  // namespace proviso::rewrite
