// merge-guards: two adjacent branches whose conditions are the same, opposite, or exclude each
// other, as one.
//
//   before   if c1: S1 else: E1                 after   if c1: { S1; S2 } else: { E1; E2 }
//            if c2: S2 else: E2                         (opposite: S1 with E2, E1 with S2)
//
//   before   if c1: S1 else: E1                 after   if c1: S1 else: { E1; if c2: S2 }
//            if c2: S2                                  (c1 excludes c2)
//
// The site is the first branch. Arguments: "kind": "identical", "complementary" or "exclusive".
// Obligations:
//   1. under the facts before the first branch, c1 and c2 have the same value (opposite values;
//      not both are true); that both are evaluated without a fault is known, since the source does
//      so;
//   2. what the first branch stores ("exclusive": in S1) is in no cell that c2 reads.
// By 2, c2 has after the first branch (after S1) the value that it has before it, and by 1 the
// value of c1 (is false after S1). Neither condition makes an opaque call, and what they bind is
// definite.
#include <nlohmann/json.hpp>
#include <optional>

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
        return "two adjacent branches with the same, opposite or exclusive conditions as one";
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
        const std::optional<Agree> agree = agreement(*kind);
        if (!agree) {
            return error("no kind '" + *kind + "'", "identical, complementary or exclusive");
        }
        const bool exclusive = *agree == Agree::Exclusive;
        if (exclusive && second->else_body != nullptr) {
            return error("the second branch has an else part");
        }
        for (Expr c : {first->cond, second->cond}) {
            if (makes_call(c)) return error("a condition makes an opaque call");
            if (has_op(c, Op::Undef)) return error("a condition mentions an undefined value");
        }
        Stmt with_then = second->then_body;
        Stmt with_else = second->else_body;
        if (*agree == Agree::Opposite) std::swap(with_then, with_else);
        if (exclusive) {
            with_then = nullptr;
            with_else = pair->second;
        }
        Proposal out;
        out.after = replace_pair(ctx, before, *pair,
                                 ctx.if_(first->cond, in_sequence(ctx, first->then_body, with_then),
                                         in_sequence(ctx, first->else_body, with_else)));
        const std::vector<Expr> facts = facts_at(ctx, before, site);
        out.obligations.push_back(
            conditions_agree(ctx, before, facts, first->cond, second->cond, *agree));
        const Site stores = exclusive ? site.child("then") : site;
        unchanged(ctx, before, site, stores, facts, second->cond, out.obligations);
        return out;
    }

  private:
    enum class Agree : std::uint8_t { Same, Opposite, Exclusive };

    static std::optional<Agree> agreement(const std::string& kind) {
        if (kind == "identical") return Agree::Same;
        if (kind == "complementary") return Agree::Opposite;
        if (kind == "exclusive") return Agree::Exclusive;
        return std::nullopt;
    }

    static Obligation conditions_agree(Context& ctx, const Function& f, std::vector<Expr> facts,
                                       Expr c1, Expr c2, Agree how) {
        append(facts, definedness_facts(ctx, f, {c1, c2}));
        for (Expr c : {c1, c2}) {
            for (Expr known : {no_fault(ctx, c), definite(ctx, c)}) {
                if (!is_true(known)) facts.push_back(known);
            }
        }
        Expr agree = nullptr;
        const char* what = nullptr;
        switch (how) {
            case Agree::Same:
                agree = ctx.same(c1, c2);
                what = "the two conditions are the same";
                break;
            case Agree::Opposite:
                agree = ctx.same(c1, ctx.not_(c2));
                what = "the two conditions are opposite";
                break;
            case Agree::Exclusive:  // where c1 is false nothing changes, whatever c2 is
                facts.push_back(c1);
                agree = ctx.not_(c2);
                what = "the two conditions exclude each other";
                break;
        }
        return Obligation{what, std::move(facts),
                          ctx.all_of({settled(ctx, c1), settled(ctx, c2), agree})};
    }

    // What is stored at `stores`, in the first branch at `site`, is in no cell that the condition
    // reads.
    static void unchanged(Context& ctx, const Function& f, const Site& site, const Site& stores,
                          const std::vector<Expr>& facts, Expr condition,
                          std::vector<Obligation>& out) {
        const std::vector<LoadMade> made = loads_made(ctx, condition);
        if (made.empty()) return;
        const MemoryModel memory(ctx, f);
        const std::vector<Expr> outer = point_at(ctx, f, site).loops;
        for (const Access& a : memory.all()) {
            if (!a.is_store || !stores.contains(a.statement)) continue;
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
