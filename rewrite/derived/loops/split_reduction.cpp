// split-reduction: what a loop does in its first iteration only, before the loop.
//
//   before   for k in range(lo, hi): { if c: I;  S }
//   after    if c[k := lo]: I[k := lo];  for k in range(lo, hi): S
//
// Arguments: none. The loop is serial, its body a list that starts with an `if` without else.
#include <nlohmann/json.hpp>

#include "rewrite/derived/derived_rule.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class SplitReduction final : public RescheduleRule {
  public:
    std::string name() const override { return "split-reduction"; }
    std::string summary() const override {
        return "what only a loop's first iteration does, before the loop";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        (void)args;
        const Result<For> loop = loop_at(before, site, name());
        if (!loop) return loop.error();
        const Seq* body = loop->body->as<Seq>();
        const IfElse* first =
            body == nullptr || body->body.empty() ? nullptr : body->body[0]->as<IfElse>();
        if (first == nullptr || first->else_body != nullptr) {
            return error(
                "split-reduction works on a loop whose body starts with an if without else");
        }
        if (loop->kind != ForKind::Serial && loop->kind != ForKind::Unrolled) {
            return error("the loop is not serial");
        }
        const Substitution at_start = {{loop->var, loop->lo}};
        Stmt once = ctx.if_(substitute(ctx, first->cond, at_start),
                            substitute(ctx, first->then_body, at_start));
        For rest = *loop;
        rest.body = ctx.seq({body->body.begin() + 1, body->body.end()});
        Rescheduling out;
        out.after = ctx.seq({once, ctx.stmt(rest)});
        const Site old_list = Site{}.child("body");
        const Site new_list = Site{}.child("1").child("body");
        out.parts = {{Site{}.child("0").child("then"),
                      old_list.child("0").child("then"),
                      at_start,
                      {},
                      ctx.eq(loop->lo, loop->var)}};
        const std::size_t others = body->body.size() - 1;
        for (std::size_t k = 0; k < others; ++k) {
            const Substitution same = {{loop->var, loop->var}};
            out.parts.push_back({others == 1 ? new_list : new_list.child(std::to_string(k)),
                                 old_list.child(std::to_string(k + 1)), same, same});
        }
        return out;
    }
};

}  // namespace

const Rule& split_reduction_rule() {
    static const SplitReduction rule;
    return rule;
}

}  // namespace proviso::rewrite
