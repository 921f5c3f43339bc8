// split-range: a loop partitioned at a point.
//
//   before   for i in range(lo, hi): S
//   after    for i in range(lo, m): S;  for i_1 in range(m, hi): S[i := i_1]
//
// Argument: "at": m, over the scope of the loop; it reads no memory. What S binds has new names in
// the second loop.
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class SplitRange final : public RescheduleRule {
  public:
    std::string name() const override { return "split-range"; }
    std::string summary() const override { return "a loop partitioned at a point"; }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Result<For> loop = loop_at(before, site, name());
        if (!loop) return loop.error();
        const Result<Expr> point =
            arg_expr(ctx, args, "at", analysis::scope_at(ctx, before, site), loop->var->type);
        if (!point) return point.error();
        if (!is_plain(*point)) return error("the point is not over variables and constants only");
        std::set<std::string> used = used_names(before);
        For low = *loop;
        low.hi = *point;
        For high = *fresh_copy(ctx, ctx.stmt(*loop), used)->as<For>();
        high.lo = *point;
        Rescheduling out;
        out.after = ctx.seq({ctx.stmt(low), ctx.stmt(high)});
        const Site body = Site{}.child("body");
        out.parts = {{Site{}.child("0").child("body"),
                      body,
                      {{loop->var, loop->var}},
                      {{loop->var, loop->var}},
                      ctx.lt(loop->var, *point)},
                     {Site{}.child("1").child("body"),
                      body,
                      {{loop->var, high.var}},
                      {{high.var, loop->var}},
                      ctx.le(*point, loop->var)}};
        return out;
    }
};

}  // namespace

const Rule& split_range_rule() {
    static const SplitRange rule;
    return rule;
}

}  // namespace proviso::rewrite
