// trim-loop: smaller bounds for a loop some of whose iterations do nothing.
//
//   before   for i in range(8): if i >= 2 and i < 5: S
//   after    for i in range(2, 5): if i >= 2 and i < 5: S
//
// Arguments: "lo", "hi": the new bounds, over the scope of the loop. They read no memory. Each
// store and assert of the body owes that it does not run in an iteration that is left out.
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class TrimLoop final : public RescheduleRule {
  public:
    std::string name() const override { return "trim-loop"; }
    std::string summary() const override {
        return "smaller bounds for a loop some of whose iterations do nothing";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Result<For> loop = loop_at(before, site, name());
        if (!loop) return loop.error();
        const Scope scope = analysis::scope_at(ctx, before, site);
        For trimmed = *loop;
        for (const auto& [key, bound] :
             {std::pair{"lo", &trimmed.lo}, std::pair{"hi", &trimmed.hi}}) {
            const Result<Expr> value = arg_expr(ctx, args, key, scope, loop->var->type);
            if (!value) return value.error();
            if (!is_plain(*value)) {
                return error("a bound is not over variables and constants only");
            }
            *bound = *value;
        }
        Rescheduling out;
        out.after = ctx.stmt(trimmed);
        const Site body = Site{}.child("body");
        const Substitution same = {{loop->var, loop->var}};
        out.parts = {{body, body, same, same,
                      ctx.and_(ctx.le(trimmed.lo, loop->var), ctx.lt(loop->var, trimmed.hi))}};
        out.dropped = {body};
        return out;
    }
};

}  // namespace

const Rule& trim_loop_rule() {
    static const TrimLoop rule;
    return rule;
}

}  // namespace proviso::rewrite
