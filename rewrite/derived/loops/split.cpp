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
//   "guard": "none" (c divides the extent), "if", "leaf" or "block" (move_body).
// The outer loop keeps the kind, the inner one is serial: fewer interleavings than before.
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class Split final : public RescheduleRule {
  public:
    std::string name() const override { return "split"; }
    std::string summary() const override { return "one loop into two, guarded where needed"; }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Result<For> loop = loop_at(before, site, name());
        if (!loop) return loop.error();
        const ScalarType type = loop->var->type;
        const Result<Expr> factor =
            arg_expr(ctx, args, "factor", analysis::scope_at(ctx, before, site), type);
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
        Expr zero = ctx.int_imm(type, 0);
        Expr io = ctx.var(*outer_name, type);
        Expr ii = ctx.var(*inner_name, type);
        const bool from_zero = is_int_const(loop->lo, 0);
        Expr extent = from_zero ? loop->hi : ctx.sub(loop->hi, loop->lo);
        Expr outer_extent = blocks_covering(ctx, extent, c, by_quotient);
        Expr offset = ctx.add(ctx.mul(io, c), ii);
        Expr index = from_zero ? offset : ctx.add(loop->lo, offset);
        Expr shifted = from_zero ? loop->var : ctx.sub(loop->var, loop->lo);
        Expr guard =
            by_quotient ? ctx.lt(ii, ctx.sub(extent, ctx.mul(io, c))) : ctx.lt(offset, extent);
        Result<MovedBody> body =
            move_body(ctx, loop->body, Site{}.child("body"), Site{}.child("body").child("body"),
                      guard, *guard_kind, {{loop->var, index}},
                      {{io, ctx.floordiv(shifted, c)}, {ii, ctx.floormod(shifted, c)}});
        if (!body) return body.error();
        Rescheduling out;
        out.after = ctx.for_(io, zero, outer_extent, ctx.for_(ii, zero, c, body->text), loop->kind);
        out.parts = std::move(body->parts);
        return out;
    }

  private:
    // ceil(extent / c), folded for constants. It lies between 0 and the extent; by the quotient, so
    // does everything that is computed on the way.
    static Expr blocks_covering(Context& ctx, Expr extent, Expr c, bool by_quotient) {
        if (is_int_const(extent) && is_int_const(c) && c->int_value() > 0) {
            const Int128 e = extent->int_value();
            return ctx.int_imm(extent->type, e <= 0 ? 0 : (e - 1) / c->int_value() + 1);
        }
        Expr one = ctx.int_imm(c->type, 1);
        if (by_quotient) {
            return ctx.add(ctx.floordiv(extent, c), ctx.min(ctx.floormod(extent, c), one));
        }
        return ctx.floordiv(ctx.add(extent, ctx.sub(c, one)), c);
    }
};

}  // namespace

const Rule& split_rule() {
    static const Split rule;
    return rule;
}

}  // namespace proviso::rewrite
