// split-range: a loop partitioned at a point.
//
//   before   for i in range(lo, hi): S
//   after    for i in range(lo, m): S;  for i_1 in range(m, hi): S[i := i_1]
//
// Argument: "at": m, over the scope of the loop; it reads no memory. What S binds has new names in
// the second loop.
// Obligations: m is computed without a fault; every iteration of the first loop is below hi, every
// iteration of the second one is at least lo. Each old iteration is in exactly one of the two, by
// whether it is below m, and in the old order. The upper bound, evaluated after the first loop,
// must still be what it was. A concurrent loop gives two: fewer interleavings than before.
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class SplitRange final : public Rule {
  public:
    std::string name() const override { return "split-range"; }
    std::string summary() const override { return "a loop partitioned at a point"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const For* loop = at->as<For>();
        if (loop == nullptr) return error("split-range works on a loop");
        if (loop->kind == ForKind::ThreadBinding) return error("the loop is bound to threads");
        const Result<Expr> point =
            arg_expr(ctx, args, "at", scope_at(ctx, before, site), loop->var->type);
        if (!point) return point.error();
        Expr m = *point;
        for (Op op : {Op::Load, Op::CallExtern, Op::Undef, Op::Let, Op::Same, Op::Defined}) {
            if (has_op(m, op)) return error("the point is not over variables and constants only");
        }
        const Status same = stays_the_same(loop->hi, loop->body, "the upper bound");
        if (!same) return same.error();
        std::set<std::string> used = used_names(before);
        For low = *loop;
        low.hi = m;
        For high = *fresh_copy(ctx, at->stmt, used)->as<For>();
        high.lo = m;
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.seq({ctx.stmt(low), ctx.stmt(high)}));

        std::vector<Expr> facts = facts_at(ctx, before, site);
        for (Expr e : {loop->lo, loop->hi}) {
            Expr evaluated = evaluated_bound(ctx, e);
            if (!is_true(evaluated)) facts.push_back(evaluated);
        }
        out.obligations.push_back(Obligation{"the point is computed without a fault", facts,
                                             ctx.all_of({no_fault(ctx, m), in_range(ctx, m)})});
        const auto claim = [&](const char* what, Expr lo, Expr hi, Expr goal) {
            std::vector<Expr> given = facts;
            append(given, range_facts(ctx, loop->var, lo, hi));
            out.obligations.push_back(Obligation{what, std::move(given), goal});
        };
        claim("the first part ends where the loop does", loop->lo, m, ctx.lt(loop->var, loop->hi));
        claim("the second part starts where the loop does", m, loop->hi,
              ctx.le(loop->lo, loop->var));
        return out;
    }
};

}  // namespace

const Rule& split_range_rule() {
    static const SplitRange rule;
    return rule;
}

}  // namespace proviso::rewrite
