// check-assume   T.assume(c) → assert c, "message". Arguments: "message". No obligation: a run that
//                has no fault passes the check, and what it tells holds after it as before.
//                Not for permission to read, which has no value to check.
#include "rewrite/rules/statement/assumptions.h"

#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/let_free.h"
#include "analysis/facts/path.h"
#include "ir/planted.h"
#include "ir/well_formed.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// The disjuncts of a condition, left to right.
void disjuncts(Expr c, std::vector<Expr>& out) {
    if (c->op != Op::Or) {
        out.push_back(c);
        return;
    }
    disjuncts(c->arg(0), out);
    disjuncts(c->arg(1), out);
}

// Facts before the statement at `site`, and claims, which may need that the disjuncts of `c` that
// read no memory are false: what they give holds where these are.
Result<std::vector<Expr>> known_unless(Context& ctx, const Function& f, const Site& site, Expr c,
                                       const nlohmann::json& args, std::vector<Obligation>& out) {
    std::vector<Expr> facts = facts_at(ctx, f, site);
    std::vector<Expr> parts;
    disjuncts(c, parts);
    std::vector<Expr> opposite;
    Expr otherwise = ctx.false_();
    for (Expr d : parts) {
        if (has_op(d, Op::Load)) continue;
        opposite.push_back(ctx.not_(d));
        otherwise = is_false(otherwise) ? d : ctx.or_(otherwise, d);
    }
    const MemoryModel memory(ctx, f);
    const Result<FactsByPoint> claims = read_claims(memory, args, site, opposite, out);
    if (!claims) return claims.error();
    for (const auto& [point, established] : *claims) {
        if (point != site) return error("a claim at another statement");
        for (Expr fact : established) {
            facts.push_back(is_false(otherwise) ? fact : ctx.or_(otherwise, fact));
        }
    }
    return facts;
}

// T.undef() stands in permissions to read only.
bool only_in_permissions(Expr c) {
    if (!has_op(c, Op::Undef) || is_read_permission(c)) return true;
    const bool connective = c->op == Op::And || c->op == Op::Or;
    return connective && only_in_permissions(c->arg(0)) && only_in_permissions(c->arg(1));
}

// Assuming `c`, in which a permission to read is true and looks at no cell: when that is no fault,
// and what it comes to.
struct Assuming {
    Expr safe = nullptr;
    Expr value = nullptr;
};
Assuming assuming(Context& ctx, const Function& f, Expr c) {
    if (is_read_permission(c)) {
        Expr cell = c->arg(0)->op == Op::Load ? c->arg(0) : c->arg(1);
        const bool any = planted("add-assume:frozen-index");
        Expr frozen = any ? ctx.true_() : settled(ctx, cell);
        return {ctx.all_of({no_fault(ctx, cell), frozen, loads_accessible(ctx, f, cell)}),
                ctx.true_()};
    }
    if (!has_op(c, Op::Undef)) {
        return {ctx.all_of({no_fault(ctx, c), settled(ctx, c), loads_accessible(ctx, f, c),
                            definite(ctx, c)}),
                let_free(ctx, c)};
    }
    const Assuming a = assuming(ctx, f, c->arg(0));
    const Assuming b = assuming(ctx, f, c->arg(1));
    if (c->op == Op::And) {
        return {ctx.all_of({a.safe, ctx.implies(a.value, b.safe)}), ctx.all_of({a.value, b.value})};
    }
    return {ctx.all_of({a.safe, ctx.or_(a.value, b.safe)}), ctx.any_of({a.value, b.value})};
}

}  // namespace

Result<Proposal> add_assume(Context& ctx, const Function& before, const Site& site, Expr c,
                            const nlohmann::json& args) {
    const Result<Located> at = locate(before, site);
    if (!at) return at.error();
    if (at->stmt == nullptr) return error("an assumption stands before a statement");
    for (Op op : {Op::CallExtern, Op::Same, Op::Defined}) {
        if (has_op(c, op)) return error("the condition is not one that a program can check");
    }
    if (!only_in_permissions(c)) {
        return error("T.undef() stands in permission to read only: p or B[i] == T.undef()");
    }
    for (Buffer b : loaded_buffers(c)) {
        if (stored_beside(before, site, b)) {
            return error("the assumption reads " + b->name +
                         ", which is written, in a concurrent loop");
        }
    }
    Proposal out;
    const Function open =
        loaded_buffers(c).empty() ? before : without_region_claims(ctx, before, site, false);
    out.after =
        replace_at(ctx, open, site, ctx.seq({ctx.stmt(Assume{c}), locate(open, site)->stmt}));
    Result<std::vector<Expr>> facts = known_unless(ctx, before, site, c, args, out.obligations);
    if (!facts) return facts.error();
    append(*facts, definedness_facts(ctx, before, {c}));
    const Assuming now = assuming(ctx, before, c);
    out.obligations.push_back(
        Obligation({Owed::Assumption, "the assumption is proved where it is added", site}, *facts,
                   ctx.all_of({now.safe, now.value})));
    return out;
}

namespace {

class CheckAssume final : public Rule {
  public:
    std::string name() const override { return "check-assume"; }
    std::string summary() const override { return "an assumption as a check at run time"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const Assume* assume = at->as<Assume>();
        if (assume == nullptr) return error("check-assume works on an assume");
        if (is_permission(assume->cond)) {
            return error("permission to read is not knowledge, and nothing that could be checked",
                         "drop it: lower-assume");
        }
        const Result<std::string> message = arg_string(args, "message");
        if (!message) return message.error();
        Proposal out;
        Expr checked = planted("check-assume:opposite") ? ctx.not_(assume->cond) : assume->cond;
        out.after = replace_at(ctx, before, site, ctx.stmt(Assert{checked, *message}));
        return out;
    }
};

}  // namespace

const Rule& check_assume_rule() {
    static const CheckAssume rule;
    return rule;
}

}  // namespace proviso::rewrite
