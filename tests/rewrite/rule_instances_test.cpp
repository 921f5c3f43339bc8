// Every rule on random instances: where its conditions hold and the left side does not fault, the
// right side gives the same. Terms are loads that may fault or be indeterminate, and in exact
// integers give values beyond their type's range. This is the evaluator's word, independent of the
// encoder and of the solvers.
#include <gtest/gtest.h>

#include <map>

#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"
#include "rewrite/rules/measure.h"
#include "rewrite/rules/refused.h"
#include "tests/rewrite/rule_instances.h"

namespace proviso::rewrite {
namespace {

using ir::Expr;
using ir::Value;

struct Instance {
    Expr left = nullptr;
    Expr right = nullptr;
    std::vector<Expr> needs;
    std::map<std::string, ir::Evaluated> terms;
};

class Terms {
  public:
    Terms(ir::Context& ctx, std::uint64_t seed) : ctx_(ctx), maker_(ctx, seed), random_(seed) {}

    std::optional<Instance> make(const RuleInstance& rule, bool hostile) {
        const auto found = maker_.bindings(rule);
        if (!found) return std::nullopt;
        Bindings bindings = *found;
        Instance out;
        for (Expr& term : bindings.terms) {
            if (term == nullptr || term->op != ir::Op::Var) continue;
            const std::string name = *term->name;
            out.terms.emplace(name, value(term->type, hostile));
            term = ctx_.load(ctx_.buffer(name, term->type, {ctx_.i32(1)}), {ctx_.i32(0)});
        }
        out.left = build(ctx_, rule.left, bindings);
        out.right = build(ctx_, rule.right, bindings);
        const auto needs = build_needs(ctx_, rule, bindings);
        if (out.left == nullptr || out.right == nullptr || !needs) return std::nullopt;
        for (const Need& need : rule.needs) {
            // analysis::in_range trusts loads, which our terms are stand-ins for: check by hand.
            Expr e = build(ctx_, need.pattern, bindings);
            out.needs.push_back(need.in_range && e->type.is_exact_int() ? ctx_.le(e, e) : e);
            if (need.in_range && !e->type.is_exact_int()) out.needs.pop_back();
        }
        return out;
    }

  private:
    ir::Evaluated value(ir::ScalarType type, bool hostile) {
        const auto dice = random_() % 40;
        if (hostile && dice == 0) return ir::FaultKind::OutOfBounds;
        if (hostile && dice == 1) return Value::indet();
        Value v = *ir::constant_value(test::interesting_constant(ctx_, type, random_));
        if (type.is_exact_int() && hostile && dice < 8) {
            v = Value::of_int(v.integer() * ir::Integer(3) + ir::Integer(type.max_value()));
        }
        return v;
    }

    ir::Context& ctx_;
    test::InstanceMaker maker_;
    std::mt19937_64 random_;
};

ir::Evaluation run(Expr e, const Instance& instance) {
    ir::Environment environment;
    environment.load = [&](Expr load, std::span<const Value>) {
        return instance.terms.at(load->buffer->name);
    };
    return ir::evaluate(e, environment);
}

bool needs_hold(const Instance& instance) {
    for (Expr need : instance.needs) {
        const ir::Evaluation e = run(need, instance);
        if (!e.ok() || e.value.is_indet() || !e.value.truth()) return false;
    }
    return true;
}

bool refines(const ir::Evaluation& left, const ir::Evaluation& right) {
    if (!left.ok()) return true;
    return right.ok() && (left.value.is_indet() || left.value == right.value);
}

std::string described(const RuleInstance& rule, const Instance& instance) {
    std::string out = std::string(rule.rule->name) + ": " + ir::print(instance.left) + " → " +
                      ir::print(instance.right) + " with";
    for (const auto& [name, e] : instance.terms) {
        out += " " + name + " = " + (e.ok() ? e.value.str(rule.kind) : "a fault");
    }
    return out;
}

// Instances that met all conditions and whose left side did not fault.
int count_checked(ir::Context& ctx, const RuleInstance& rule, int tries, std::string& wrong) {
    Terms terms(ctx, 7);
    int checked = 0;
    for (int i = 0; i < tries && wrong.empty(); ++i) {
        const auto instance = terms.make(rule, i % 2 == 0);
        if (!instance || !needs_hold(*instance)) continue;
        const ir::Evaluation left = run(instance->left, *instance);
        checked += left.ok() ? 1 : 0;
        if (!refines(left, run(instance->right, *instance))) wrong = described(rule, *instance);
    }
    return checked;
}

TEST(RuleInstances, TheSidesAgreeWhereTheConditionsHold) {
    int never = 0;
    for (const RuleInstance& rule : RuleBook::standard().instances()) {
        ir::Context ctx;
        std::string wrong;
        const int checked = count_checked(ctx, rule, 60, wrong);
        EXPECT_TRUE(wrong.empty()) << wrong;
        never += checked == 0 ? 1 : 0;
    }
    // Narrow conditions may be missed by chance; most must not be.
    EXPECT_LT(never, static_cast<int>(RuleBook::standard().instances().size() / 20));
}

// The check above has teeth: it finds most of the refused rules wrong by chance alone.
TEST(RuleInstances, TheSameCheckFindsWrongRules) {
    std::size_t found = 0;
    for (const RefusedRule& refused : refused_rules()) {
        ir::Context ctx;
        const auto rule = instantiate(ctx, refused.rule, *ir::ScalarType::parse(refused.kind));
        ASSERT_TRUE(rule.ok()) << rule.error().str();
        std::string wrong;
        count_checked(ctx, *rule, 3000, wrong);
        found += wrong.empty() ? 0 : 1;
    }
    EXPECT_GE(found, refused_rules().size() * 4 / 5);
}

TEST(Termination, EveryRuleIsDecreasing) {
    for (const RuleInstance& rule : RuleBook::standard().instances()) {
        EXPECT_TRUE(is_decreasing(rule))
            << rule.rule->name << " " << rule.kind.str() << ": " << rule_text(*rule.rule);
    }
}

TEST(Termination, AReversedRuleIsNot) {
    ir::Context ctx;
    for (const char* name :
         {"floordiv-split-multiple", "mul-sum", "add-same", "floormod-keep-rest"}) {
        RuleInstance rule = *RuleBook::standard().find(name, ir::kInt32);
        std::swap(rule.left, rule.right);
        EXPECT_FALSE(is_decreasing(rule)) << name;
    }
}

}  // namespace
}  // namespace proviso::rewrite
