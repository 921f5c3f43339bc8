// merge-stores: a branch between two stores to one cell as one store of a choice.
//
//   before   if c: B[i] = x  else: B[j] = y         after   B[i] = T.if_then_else(c, x, y)
//
// No arguments. The indices are over variables and constants. These are several steps: in each arm
// the value is replaced by the choice, and in the second one j by i; then both arms do the same,
// and one statement stands for both.
#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/rules/sequence.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

// The store stands for both arms of the branch.
Rescheduling one_for_both(Stmt store, Expr condition, Expr otherwise) {
    Rescheduling out;
    out.after = store;
    const Site root;
    out.parts = {{root, root.child("then"), {}, {}, nullptr, condition},
                 {root, root.child("else"), {}, {}, nullptr, otherwise}};
    return out;
}

class MergeStores final : public Rule {
  public:
    std::string name() const override { return "merge-stores"; }
    int version() const override { return 2; }
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
        for (const Store* s : {one, other}) {
            for (Expr i : s->indices) {
                if (has_any(i, {Op::Load, Op::CallExtern, Op::Undef})) {
                    return error("an index is over more than variables");
                }
            }
        }
        std::vector<Move> moves;
        const auto replace = [&](const std::string& about, const Site& where, Expr to) {
            moves.push_back(move_by(ctx, about, "replace", where, {{"to", print(to)}}));
        };
        for (std::size_t k = 0; k < one->indices.size(); ++k) {
            Expr i = one->indices[k];
            if (i == other->indices[k]) continue;
            if (i->type != other->indices[k]->type) {
                return error("the stores' indices differ in type");
            }
            replace("both branches store to the same cell: ",
                    site.child("else").child("index" + std::to_string(k)), i);
        }
        Expr value = ctx.if_then_else(branch->cond, one->value, other->value);
        for (const char* arm : {"then", "else"}) {
            replace("the choice is the value: ", site.child(arm).child("value"), value);
        }
        const auto merged = [&](const Function& f) {
            return reschedule(ctx, f, site,
                              one_for_both(ctx.store(one->buffer, one->indices, value),
                                           branch->cond, ctx.not_(branch->cond)));
        };
        moves.push_back({"", merged});
        return in_sequence(before, moves);
    }
};

}  // namespace

const Rule& merge_stores_rule() {
    static const MergeStores rule;
    return rule;
}

}  // namespace proviso::rewrite
