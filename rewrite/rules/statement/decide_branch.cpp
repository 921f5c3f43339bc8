// decide-branch: control flow whose outcome is written down.
//
//   if True: S else: E  → S        if False: S else: E → E        if c: S else: S → S
//   if c: S else: S', where S' is S with other names for what it binds → S
//   for i in range(lo, lo + 1): S → S[i := lo]        for i in range(lo, hi), hi <= lo: S → nothing
//   (lo, hi constants)
//
// Arguments and obligations: none; the shape is checked here. (`replace` proves that a condition is
// True.) Dropping the evaluation of c in `if c: S else: S` drops only what could fault.
#include <nlohmann/json.hpp>

#include "ir/planted.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class DecideBranch final : public Rule {
  public:
    std::string name() const override { return "decide-branch"; }
    std::string summary() const override {
        return "a branch or loop whose outcome is written down";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        (void)args;
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("decide-branch works on a statement");
        Stmt result = nullptr;
        if (const IfElse* n = at->stmt->as<IfElse>()) result = branch(ctx, *n);
        if (const For* n = at->stmt->as<For>()) result = loop(ctx, *n);
        if (result == nullptr) return error("the outcome is not written down");
        Proposal out;
        out.after = replace_at(ctx, before, site, result);
        return out;
    }

  private:
    static Stmt branch(Context& ctx, const IfElse& n) {
        Stmt otherwise = n.else_body == nullptr ? ctx.pass() : n.else_body;
        if (planted("decide-branch:other-arm") && is_true(n.cond)) return otherwise;
        if (is_true(n.cond)) return n.then_body;
        if (is_false(n.cond)) return otherwise;
        if (has_op(n.cond, Op::CallExtern)) return nullptr;
        Stmt same = with_names_of(ctx, otherwise, n.then_body);
        const bool bound = planted("decide-branch:any-names") && same != nullptr;
        return same == n.then_body || bound ? n.then_body : nullptr;
    }

    static Stmt loop(Context& ctx, const For& n) {
        if (!is_int_const(n.lo) || !is_int_const(n.hi)) return nullptr;
        if (n.hi->int_value() <= n.lo->int_value()) return ctx.pass();
        if (n.kind == ForKind::ThreadBinding) return nullptr;
        const bool once = n.hi->int_value() == n.lo->int_value() + 1;
        return once ? substitute(ctx, n.body, {{n.var, n.lo}}) : nullptr;
    }
};

}  // namespace

const Rule& decide_branch_rule() {
    static const DecideBranch rule;
    return rule;
}

}  // namespace proviso::rewrite
