// decide-branch: control flow whose outcome is written down.
//
//   if True: S else: E  → S        if False: S else: E → E        if c: S else: S → S
//   if c: S else: S', where S' is S with other names for what it binds → S
//   for i in range(lo, lo + 1): S → S[i := lo]        for i in range(lo, hi), hi <= lo: S → nothing
//   (lo, hi constants)
//
// Arguments: none. (`replace` proves that a condition is True.)
#include <nlohmann/json.hpp>

#include "ir/planted.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class DecideBranch final : public RescheduleRule {
  public:
    std::string name() const override { return "decide-branch"; }
    std::string summary() const override {
        return "a branch or loop whose outcome is written down";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        (void)args;
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("decide-branch works on a statement");
        Rescheduling out;
        if (const IfElse* n = at->as<IfElse>()) branch(ctx, *n, out);
        if (const For* n = at->as<For>()) loop(ctx, *n, out);
        if (out.after == nullptr) return error("the outcome is not written down");
        return out;
    }

  private:
    static void branch(Context& ctx, const IfElse& n, Rescheduling& out) {
        const Part then{Site{}, Site{}.child("then"), {}, {}};
        const Part otherwise{Site{}, Site{}.child("else"), {}, {}};
        Stmt other = n.else_body == nullptr ? ctx.pass() : n.else_body;
        if (planted("decide-branch:other-arm") && is_true(n.cond)) {
            out.after = other;
            out.parts = as_parts(other, otherwise);
            out.dropped = {then.origin};
        } else if (is_true(n.cond)) {
            out.after = n.then_body;
            out.parts = as_parts(n.then_body, then);
            if (n.else_body != nullptr) out.dropped = {otherwise.origin};
        } else if (is_false(n.cond)) {
            out.after = other;
            if (n.else_body != nullptr) out.parts = as_parts(n.else_body, otherwise);
            out.dropped = {then.origin};
        } else if (with_names_of(ctx, other, n.then_body) == n.then_body) {
            out.after = n.then_body;
            if (n.else_body == nullptr) {  // neither does anything
                out.dropped = {then.origin};
                return;
            }
            out.parts = as_parts(n.then_body, then);
            for (Part& p : out.parts) p.where = n.cond;
            for (Part& p : as_parts(n.else_body, otherwise)) {
                p.where = ctx.not_(n.cond);
                out.parts.push_back(std::move(p));
            }
        }
    }

    static void loop(Context& ctx, const For& n, Rescheduling& out) {
        if (!is_int_const(n.lo) || !is_int_const(n.hi)) return;
        const Site body = Site{}.child("body");
        if (n.hi->int_value() <= n.lo->int_value()) {
            out.after = ctx.pass();
            out.dropped = {n.kind == ForKind::ThreadBinding ? Site{} : body};
        } else if (n.hi->int_value() == n.lo->int_value() + 1) {
            out.after = substitute(ctx, n.body, {{n.var, n.lo}});
            out.parts = as_parts(out.after, {Site{}, body, {{n.var, n.lo}}, {}});
        }
    }
};

}  // namespace

const Rule& decide_branch_rule() {
    static const DecideBranch rule;
    return rule;
}

}  // namespace proviso::rewrite
