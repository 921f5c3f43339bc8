// split-reduction: what a loop does in its first iteration only, before the loop.
//
//   before   for k in range(lo, hi): { if c: I;  S }        after   if c[k := lo]: I[k := lo];  for
//   k in range(lo, hi): S
//
// Arguments: none. The loop is serial, its body a list that starts with an `if` without else.
// Obligations: the loop runs (lo < hi); in later iterations c is false. I then runs exactly when it
// did, before everything else that the loop does, so no order changes. The condition of later
// iterations is not evaluated any more.
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class SplitReduction final : public Rule {
  public:
    std::string name() const override { return "split-reduction"; }
    std::string summary() const override {
        return "what only a loop's first iteration does, before the loop";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        (void)args;
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const For* loop = at->as<For>();
        const Seq* body = loop == nullptr ? nullptr : loop->body->as<Seq>();
        const IfElse* first =
            body == nullptr || body->body.empty() ? nullptr : body->body[0]->as<IfElse>();
        if (first == nullptr || first->else_body != nullptr) {
            return error(
                "split-reduction works on a loop whose body starts with an if without else");
        }
        if (loop->kind != ForKind::Serial && loop->kind != ForKind::Unrolled) {
            return error("the loop is not serial");
        }
        if (makes_call(first->cond)) return error("the condition makes an opaque call");
        for (Buffer b : loaded_buffers(first->cond)) {
            if (stores_to(loop->body, b))
                return error("the condition reads " + b->name + ", which the loop writes");
        }
        for (Expr bound : {loop->lo, loop->hi}) {  // evaluated after the first iteration's part
            const Status same = stays_the_same(bound, first->then_body, "a bound");
            if (!same) return same.error();
        }
        const Substitution at_start = {{loop->var, loop->lo}};
        Stmt once = ctx.if_(substitute(ctx, first->cond, at_start),
                            substitute(ctx, first->then_body, at_start));
        For rest = *loop;
        rest.body = ctx.seq({body->body.begin() + 1, body->body.end()});
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.seq({once, ctx.stmt(rest)}));
        out.after = with_start_inside(ctx, out.after, site, loop->lo);
        std::vector<Expr> facts = facts_at(ctx, before, site);
        out.obligations.push_back(
            Obligation{"the loop runs at least once", facts, ctx.lt(loop->lo, loop->hi)});
        facts.push_back(ctx.lt(loop->lo, loop->var));
        facts.push_back(ctx.lt(loop->var, loop->hi));
        out.obligations.push_back(
            Obligation{"later iterations do not do what the first one does", facts,
                       ctx.all_of({settled(ctx, first->cond), ctx.not_(first->cond)})});
        return out;
    }
};

}  // namespace

const Rule& split_reduction_rule() {
    static const SplitReduction rule;
    return rule;
}

}  // namespace proviso::rewrite
