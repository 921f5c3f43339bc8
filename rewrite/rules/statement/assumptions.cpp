// Knowledge written down, and taken away again.
//
// add-assume     S → T.assume(c); S. Arguments: "condition": c; "claims": what memory is known to
//                hold here. Obligation: c is evaluated without a fault, touches only cells that may
//                be touched, is definite, and true. In a concurrent loop it reads nothing that the
//                function writes.
// drop-assume    T.assume(c) → nothing, where c is proved from what is known without it. Argument
//                "claims". (`lower-assume` drops any: lowering needs no knowledge any more. This
//                rule is for programs that are still to be reasoned about, where an assumption that
//                nobody can prove must stay.) Obligation: c is definite and true.
// check-assume   T.assume(c) → assert c, "message". Arguments: "message". No obligation: a run that
//                has no fault passes the check, and what it tells holds after it as before.
//                Not for permission to read, which has no value to check.
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// Facts just before the statement at `site`, with the claims that the arguments make there.
Result<std::vector<Expr>> known_at(Context& ctx, const Function& f, const Site& site,
                                   const nlohmann::json& args, std::vector<Obligation>& out) {
    std::vector<Expr> facts = facts_at(ctx, f, site);
    const MemoryModel memory(ctx, f);
    const Result<FactsByPoint> claims = read_claims(memory, args, site, {}, out);
    if (!claims) return claims.error();
    for (const auto& [point, established] : *claims) {
        if (point != site) return error("a claim at another statement");
        append(facts, established);
    }
    return facts;
}

class AddAssume final : public Rule {
  public:
    std::string name() const override { return "add-assume"; }
    std::string summary() const override { return "an assumption that is proved where it stands"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("an assumption stands before a statement");
        const Result<Expr> condition =
            arg_expr(ctx, args, "condition", scope_at(ctx, before, site), kBool);
        if (!condition) return condition.error();
        Expr c = *condition;
        for (Op op : {Op::CallExtern, Op::Undef, Op::Same, Op::Defined}) {
            if (has_op(c, op)) return error("the condition is not one that a program can check");
        }
        for (Buffer b : loaded_buffers(c)) {
            if (in_concurrent_loop(before, site) && stores_to(before.body, b)) {
                return error("the assumption reads " + b->name +
                             ", which is written, in a concurrent loop");
            }
        }
        Proposal out;
        const Function open =
            loaded_buffers(c).empty() ? before : without_region_claims(ctx, before, site, false);
        out.after =
            replace_at(ctx, open, site, ctx.seq({ctx.stmt(Assume{c}), locate(open, site)->stmt}));
        const Result<std::vector<Expr>> facts = known_at(ctx, before, site, args, out.obligations);
        if (!facts) return facts.error();
        Obligation o =
            safe_to_evaluate(ctx, before, *facts, c, "the assumption is proved where it is added");
        o.goal = ctx.all_of({o.goal, definite(ctx, c), c});
        out.obligations.push_back(std::move(o));
        return out;
    }
};

class DropAssume final : public Rule {
  public:
    std::string name() const override { return "drop-assume"; }
    std::string summary() const override { return "an assumption that is proved without it"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const Assume* assume = at->stmt == nullptr ? nullptr : at->stmt->as<Assume>();
        if (assume == nullptr) return error("drop-assume works on an assume");
        if (is_permission(assume->cond)) {
            return error("permission to read is not proved by anything");
        }
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.pass());
        Result<std::vector<Expr>> facts = known_at(ctx, before, site, args, out.obligations);
        if (!facts) return facts.error();
        append(*facts, definedness_facts(ctx, before, {assume->cond}));
        out.obligations.push_back(Obligation{
            "the assumption is proved without it", *facts,
            ctx.all_of({definite(ctx, assume->cond), settled(ctx, assume->cond), assume->cond})});
        return out;
    }
};

class CheckAssume final : public Rule {
  public:
    std::string name() const override { return "check-assume"; }
    std::string summary() const override { return "an assumption as a check at run time"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const Assume* assume = at->stmt == nullptr ? nullptr : at->stmt->as<Assume>();
        if (assume == nullptr) return error("check-assume works on an assume");
        if (is_permission(assume->cond)) {
            return error("permission to read is not knowledge, and nothing that could be checked",
                         "drop it: lower-assume");
        }
        const Result<std::string> message = arg_string(args, "message");
        if (!message) return message.error();
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.stmt(Assert{assume->cond, *message}));
        return out;
    }
};

}  // namespace

const Rule& add_assume_rule() {
    static const AddAssume rule;
    return rule;
}

const Rule& drop_assume_rule() {
    static const DropAssume rule;
    return rule;
}

const Rule& check_assume_rule() {
    static const CheckAssume rule;
    return rule;
}

}  // namespace proviso::rewrite
