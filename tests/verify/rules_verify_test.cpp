// The rule library against both solvers. The whole library takes minutes, so tests here take a
// sample of each family; `proviso rules verify` (and the test of that command) covers it all.
#include "verify/rule_library/rules_verify.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/children.h"
#include "rewrite/expression_rules/pattern_build.h"
#include "rewrite/expression_rules/refused.h"

namespace proviso::verify {
namespace {

RulesVerifyOptions quick() {
    RulesVerifyOptions out;
    out.jobs = 2;
    out.rlimit = 500'000;
    out.cvc5_rlimit = 100'000;
    out.wall_limit_s = 10;
    return out;
}

// One rule or two of most families, for every kind that they claim.
TEST(RulesVerify, ASampleIsProvedByBothSolvers) {
    for (const char* only : {"sub-of-sums", "mul-sum", "floordiv-one", "floormod-of-sub-floormod",
                             "min-common-term", "lt-cancel", "not-of-and", "lt-and-gt-empty",
                             "if-nested-then", "cast-same", "float-lt-negs"}) {
        RulesVerifyOptions options = quick();
        options.only = only;
        const RulesReport report = verify_rules(rewrite::expression_rules(), options);
        EXPECT_FALSE(report.rules.empty()) << only;
        EXPECT_EQ(report.count(RuleStatus::Refuted), 0U) << to_text(report);
        EXPECT_GE(report.count(RuleStatus::Proved) * 3, report.rules.size() * 2) << to_text(report);
    }
}

// Faults in rules that a glance may miss: a condition dropped, a bound off by one, an arm evaluated
// that was not, a term observed that was not, a kind that wraps.
TEST(RulesVerify, PlantedFaultsAreRefuted) {
    using rewrite::ExpressionRule;
    const std::vector<ExpressionRule> wrong = {
        {"needs-dropped", rewrite::kExactInt32, "x // 4", "0", "", "0 <= x"},
        {"off-by-one", rewrite::kExactInt32, "x % 4", "x", "", "0 <= x; x <= 4"},
        {"evaluates-more", rewrite::kExactInt32, "T.if_then_else(p, x, 0)", "T.Select(p, x, 0)"},
        {"observes-more", rewrite::kExactInt32, "x + y == x", "y == 0"},
        {"computes-with-indet", rewrite::kExactInt32, "x % 8", "x - 8", "", "8 <= x; x < 16"},
        {"wraps", rewrite::kWrapInt8, "x + 1 < y + 1", "x < y"},
        {"order-of-and", rewrite::kBoolean, "p and q", "q and p"},
    };
    const RulesReport report = verify_rules(wrong, quick());
    ASSERT_EQ(report.rules.size(), wrong.size());
    for (const RuleVerdict& v : report.rules) {
        EXPECT_EQ(v.status, RuleStatus::Refuted) << v.rule << " " << v.reason;
        EXPECT_FALSE(v.model.empty()) << v.rule;
    }
    EXPECT_FALSE(report.ok());
}

// A condition on bits of a number beyond the type's range faults: there the rule does not apply. No
// negative number but the least one could satisfy this one.
TEST(RulesVerify, AConditionThatCannotBeEvaluatedDoesNotHold) {
    const std::vector<rewrite::ExpressionRule> rules = {
        {"of-none", rewrite::kExactInt32, "x & c0", "0", "c0 < 0 and (c0 & (c0 - 1)) == 0"},
        {"of-some", rewrite::kExactInt32, "x & c0", "0", "c0 <= 1 and (c0 & (c0 - 1)) == 0"}};
    const RulesReport report = verify_rules(rules, quick());
    ASSERT_EQ(report.rules.size(), 2U);
    EXPECT_EQ(report.rules[0].status, RuleStatus::Proved) << report.rules[0].reason;
    EXPECT_NE(report.rules[1].status, RuleStatus::Proved) << "x & 1";
    ir::Context ctx;
    const auto rule = rewrite::instantiate(ctx, rules[0], ir::kInt32);
    ASSERT_TRUE(rule.ok());
    rewrite::Bindings bindings;
    for (ir::Expr v : ir::free_vars(rule->left)) {
        const auto slot = static_cast<std::size_t>(rewrite::slot_of(v));
        bindings.terms[slot] = ctx.int_imm(ir::kInt32, ir::kInt32.min_value());
    }
    EXPECT_FALSE(rewrite::where_holds(*rule, bindings));
}

TEST(RulesVerify, TheReportDoesNotDependOnJobs) {
    RulesVerifyOptions one = quick();
    one.only = "add-zero";
    one.jobs = 1;
    RulesVerifyOptions many = one;
    many.jobs = 4;
    const auto report = [](const RulesVerifyOptions& o) {
        return to_json(verify_rules(rewrite::expression_rules(), o)).dump();
    };
    EXPECT_EQ(report(one), report(many));
}

TEST(RulesVerify, RefusedRulesAreRefutedAndReplayed) {
    const std::vector<RefusedVerdict> verdicts = verify_refused(quick());
    EXPECT_GE(verdicts.size(), 40U);
    for (const RefusedVerdict& v : verdicts) {
        EXPECT_TRUE(v.refuted) << v.rule;
        std::string model;
        for (const auto& [name, value] : v.model) model += " " + name + "=" + value;
        EXPECT_TRUE(v.replayed) << v.rule << ": " << v.left << " against " << v.right << model;
    }
}

}  // namespace
}  // namespace proviso::verify
