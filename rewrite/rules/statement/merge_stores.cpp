// merge-stores: a branch between two stores to one cell as one store of a choice.
//
//   before   if c: B[i] = x  else: B[j] = y         after   B[i] = T.if_then_else(c, x, y)
//
// No arguments. The indices are over variables and constants; the condition makes no opaque call.
// Obligations, where c is false and j is computed without a fault: so is i, and both are the same
// cell. T.if_then_else evaluates the chosen arm only, as the branch does; an arm that is undefined
// makes the cell undefined, as the store does; c is evaluated once in both.
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class MergeStores final : public Rule {
  public:
    std::string name() const override { return "merge-stores"; }
    std::string summary() const override {
        return "a branch between two stores to one cell as one store of a choice";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        (void)args;
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const IfElse* branch = at->as<IfElse>();
        const Store* one = branch == nullptr ? nullptr : branch->then_body->as<Store>();
        const Store* other = branch == nullptr || branch->else_body == nullptr
                                 ? nullptr
                                 : branch->else_body->as<Store>();
        if (one == nullptr || other == nullptr) {
            return error("merge-stores works on a branch between two stores");
        }
        if (one->buffer != other->buffer) return error("the stores are to different buffers");
        if (makes_call(branch->cond)) return error("the condition makes an opaque call");
        for (const Store* s : {one, other}) {
            for (Expr i : s->indices) {
                if (has_any(i, {Op::Load, Op::CallExtern, Op::Undef})) {
                    return error("an index is over more than variables");
                }
            }
        }
        Proposal out;
        Expr value = ctx.if_then_else(branch->cond, one->value, other->value);
        out.after = replace_at(ctx, before, site, ctx.store(one->buffer, one->indices, value));
        std::vector<Expr> facts = facts_at(ctx, before, site.child("else"));
        std::vector<Expr> goal;
        for (std::size_t k = 0; k < one->indices.size(); ++k) {
            Expr i = one->indices[k];
            Expr j = other->indices[k];
            if (i == j) continue;
            if (i->type != j->type) return error("the stores' indices differ in type");
            append(facts, {no_fault(ctx, j), in_range(ctx, j)});
            append(goal, {no_fault(ctx, i), in_range(ctx, i), ctx.eq(i, j)});
        }
        if (goal.empty()) return out;
        out.obligations.push_back(
            Obligation({Owed::SameCell, "both branches store to the same cell", site, one->buffer},
                       std::move(facts), ctx.all_of(goal)));
        return out;
    }
};

}  // namespace

const Rule& merge_stores_rule() {
    static const MergeStores rule;
    return rule;
}

}  // namespace proviso::rewrite
