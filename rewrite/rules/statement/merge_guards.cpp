// merge-guards: two adjacent branches whose conditions are the same, or opposite, as one.
//
//   before   if c1: S1 else: E1                 after   if c1: { S1; S2 } else: { E1; E2 }
//            if c2: S2 else: E2                         (opposite: S1 with E2, E1 with S2)
//
// The site is the first branch. Arguments: "kind": "identical" or "complementary".
// Obligations:
//   1. under the facts before the first branch, c1 and c2 have the same value (opposite values);
//      that both are evaluated without a fault is known, since the source does so;
//   2. what the first branch stores is in no cell that c2 reads.
// By 2, c2 has after the first branch the value that it has before it, and by 1 the value of c1.
// Neither condition makes an opaque call, and what they bind is definite.
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/adjacent.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class MergeGuards final : public Rule {
  public:
    std::string name() const override { return "merge-guards"; }
    std::string summary() const override {
        return "two adjacent branches with the same or opposite conditions as one";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<AdjacentPair> pair = adjacent_pair(before, site);
        if (!pair) return pair.error();
        const IfElse* first = pair->first->as<IfElse>();
        const IfElse* second = pair->second->as<IfElse>();
        if (first == nullptr || second == nullptr) {
            return error("merge-guards works on two branches that follow each other");
        }
        const Result<std::string> kind = arg_string(args, "kind");
        if (!kind) return kind.error();
        if (*kind != "identical" && *kind != "complementary") {
            return error("no kind '" + *kind + "'", "identical or complementary");
        }
        for (Expr c : {first->cond, second->cond}) {
            if (makes_call(c)) return error("a condition makes an opaque call");
            if (has_op(c, Op::Undef)) return error("a condition mentions an undefined value");
        }
        const bool opposite = *kind == "complementary";
        Stmt with_then = opposite ? second->else_body : second->then_body;
        Stmt with_else = opposite ? second->then_body : second->else_body;
        Proposal out;
        out.after = replace_pair(ctx, before, *pair,
                                 ctx.if_(first->cond, in_sequence(ctx, first->then_body, with_then),
                                         in_sequence(ctx, first->else_body, with_else)));
        const std::vector<Expr> facts = facts_at(ctx, before, site);
        out.obligations.push_back(
            conditions_agree(ctx, before, facts, first->cond, second->cond, opposite));
        unchanged(ctx, before, site, facts, second->cond, out.obligations);
        return out;
    }

  private:
    static Obligation conditions_agree(Context& ctx, const Function& f, std::vector<Expr> facts,
                                       Expr c1, Expr c2, bool opposite) {
        append(facts, definedness_facts(ctx, f, {c1, c2}));
        for (Expr c : {c1, c2}) {
            for (Expr known : {no_fault(ctx, c), definite(ctx, c)}) {
                if (!is_true(known)) facts.push_back(known);
            }
        }
        Expr agree = ctx.same(c1, opposite ? ctx.not_(c2) : c2);
        return Obligation{
            opposite ? "the two conditions are opposite" : "the two conditions are the same",
            std::move(facts), ctx.all_of({settled(ctx, c1), settled(ctx, c2), agree})};
    }

    static void unchanged(Context& ctx, const Function& f, const Site& site,
                          const std::vector<Expr>& facts, Expr condition,
                          std::vector<Obligation>& out) {
        const std::vector<LoadMade> made = loads_made(ctx, condition);
        if (made.empty()) return;
        const MemoryModel memory(ctx, f);
        const std::vector<Expr> outer = point_at(ctx, f, site).loops;
        for (const Access& a : memory.all()) {
            if (!a.is_store || !site.contains(a.statement)) continue;
            for (const LoadMade& load : made) {
                if (load.load->buffer != a.buffer) continue;
                std::set<std::string> names = memory.taken_names();
                Instance store = renamed(ctx, a, names);
                for (Expr v : outer) store.at[v] = v;
                Obligation o{"the first branch does not change the second condition (store at " +
                                 a.statement.str() + ")",
                             facts, ctx.false_()};
                o.facts.push_back(store.may(ctx));
                o.facts.push_back(same_cell(ctx, {load.load->args.begin(), load.load->args.end()},
                                            store.index(ctx)));
                out.push_back(std::move(o));
            }
        }
    }
};

}  // namespace

const Rule& merge_guards_rule() {
    static const MergeGuards rule;
    return rule;
}

}  // namespace proviso::rewrite
