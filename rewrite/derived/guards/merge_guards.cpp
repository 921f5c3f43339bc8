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
// What the first branch stores is in no cell that c2 reads: so c2 is what it is before both. Where
// c1 excludes c2, this matters for S1 only, and the second branch is left out where c1 holds.
#include <nlohmann/json.hpp>

#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/adjacent.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

// Statements that come to stand one after the other in an arm of the merged branch.
class Arm {
  public:
    explicit Arm(std::string label) : at_(Site{}.child(std::move(label))) {}

    void add(Stmt s, const Site& origin, Expr when) {
        if (s == nullptr) return;
        const std::size_t count = list_length(s);
        for (std::size_t k = 0; k < count; ++k) {
            statements_.push_back(count == 1 && !s->is<Seq>() ? s : s->as<Seq>()->body[k]);
            parts_.push_back({Site{}, list_element(origin, s, k), {}, {}, when});
        }
    }

    Stmt text(Context& ctx) const { return statements_.empty() ? nullptr : ctx.seq(statements_); }

    void take_parts(std::vector<Part>& out) {
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            parts_[k].now = parts_.size() == 1 ? at_ : at_.child(std::to_string(k));
            out.push_back(std::move(parts_[k]));
        }
    }

  private:
    Site at_;
    std::vector<Stmt> statements_;
    std::vector<Part> parts_;
};

class MergeGuards final : public RescheduleRule {
  public:
    std::string name() const override { return "merge-guards"; }
    std::string summary() const override {
        return "two adjacent branches with the same, opposite or exclusive conditions as one";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
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
        const Site one = Site{}.child("0");
        const Site other = Site{}.child("1");
        Arm then("then");
        Arm otherwise("else");
        then.add(first->then_body, one.child("then"), nullptr);
        otherwise.add(first->else_body, one.child("else"), nullptr);
        Rescheduling out;
        out.count = 2;
        if (*kind == "identical" || *kind == "complementary") {
            const bool same = *kind == "identical";
            (same ? then : otherwise).add(second->then_body, other.child("then"), nullptr);
            (same ? otherwise : then).add(second->else_body, other.child("else"), nullptr);
        } else if (*kind == "exclusive") {
            if (second->else_body != nullptr) return error("the second branch has an else part");
            otherwise.add(pair->second, other, ctx.not_(first->cond));
            out.dropped = {other};
        } else {
            return error("no kind '" + *kind + "'", "identical, complementary or exclusive");
        }
        Stmt body = then.text(ctx);
        out.after = ctx.if_(first->cond, body == nullptr ? ctx.pass() : body, otherwise.text(ctx));
        then.take_parts(out.parts);
        otherwise.take_parts(out.parts);
        return out;
    }
};

}  // namespace

const Rule& merge_guards_rule() {
    static const MergeGuards rule;
    return rule;
}

}  // namespace proviso::rewrite
