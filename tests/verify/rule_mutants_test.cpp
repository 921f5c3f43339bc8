// Mutants of rules: enough of each, made where they should be, found wrong or proved right.
#include <gtest/gtest.h>

#include <algorithm>

#include "rewrite/expression_rules/rule_book.h"
#include "verify/rule_library/mutant_cases.h"
#include "verify/rule_library/mutants_verify.h"

namespace proviso::verify {
namespace {

TEST(RuleMutants, EveryRuleHasAtLeastThree) {
    ir::Context ctx;
    for (const rewrite::ExpressionRule& rule : rewrite::expression_rules()) {
        const auto instance = rewrite::instantiate(ctx, rule, home_kind(rule));
        ASSERT_TRUE(instance.ok()) << rule.name;
        EXPECT_GE(mutants_of(ctx, *instance).size(), 3U) << rule.name;
    }
}

std::vector<RuleMutant> mutants_of_rule(ir::Context& ctx, const char* name) {
    const auto instance =
        rewrite::instantiate(ctx, *rewrite::find_expression_rule(name), ir::kInt32);
    return mutants_of(ctx, *instance);
}

bool has(const std::vector<RuleMutant>& mutants, Slip slip, const std::string& part) {
    return std::any_of(mutants.begin(), mutants.end(), [&](const RuleMutant& m) {
        return m.slip == slip && m.text.find(part) != std::string::npos;
    });
}

TEST(RuleMutants, SlipsAreMadeWhereTheyFit) {
    ir::Context ctx;
    const auto mutants = mutants_of_rule(ctx, "floordiv-drop-rest");
    EXPECT_TRUE(has(mutants, Slip::GuardDropped, "where c2 > 0") ||
                has(mutants, Slip::GuardDropped, "where 0 < c2"));
    EXPECT_TRUE(has(mutants, Slip::NeedDropped, "needs y < c1"));
    EXPECT_TRUE(has(mutants, Slip::Strictness, "y <= c1"));
    EXPECT_TRUE(has(mutants, Slip::DivisionFlavour, "T.truncdiv(x * c1 + y, c2)"));
    EXPECT_TRUE(has(mutants, Slip::OffByOne, "c1 + 1"));
    EXPECT_TRUE(has(mutants, Slip::TermReplaced, "→ y //"));
}

TEST(RuleMutants, NoneIsTheRuleItself) {
    ir::Context ctx;
    for (const char* name : {"add-zero", "min-constants", "lt-offset"}) {
        const auto instance =
            rewrite::instantiate(ctx, *rewrite::find_expression_rule(name), ir::kInt32);
        for (const RuleMutant& m : mutants_of(ctx, *instance)) {
            EXPECT_NE(m.text, instance_text(*instance));
        }
    }
}

TEST(RuleMutants, ThoseOfSomeFamiliesAreAllDecided) {
    for (const char* family : {"multiply", "logic"}) {
        MutantOptions options;
        options.jobs = 2;
        options.family = family;
        const MutantReport report = verify_mutants(rewrite::expression_rules(), options);
        EXPECT_GE(report.fewest, 3U) << family;
        EXPECT_EQ(report.count(MutantFate::Undecided), 0U) << to_text(report);
        EXPECT_GT(report.count(MutantFate::Evaluated), report.mutants.size() / 2) << family;
    }
}

// Guards on signs that are not needed, the other family under a remainder, values at the ends of
// the range that few samples meet, and what only holds for definite terms.
TEST(RuleMutants, ThoseOfDivisionsByProductsAreAllDecided) {
    for (const char* rule : {"floordiv-of-divisor", "digits-join-rest-low",
                             "truncdiv-split-multiple", "mask-of-rest"}) {
        MutantOptions options;
        options.rule = rule;
        const MutantReport report = verify_mutants(rewrite::expression_rules(), options);
        EXPECT_EQ(report.count(MutantFate::Undecided), 0U) << to_text(report);
        EXPECT_GT(report.count(MutantFate::Evaluated), report.mutants.size() / 2) << rule;
    }
}

// Wrong for x = 2**31, which x * -1 brings back into range.
TEST(RuleMutants, AGuardThatIsNeededIsNotProvedAway) {
    static const rewrite::ExpressionRule rule{"wrong", rewrite::kExactInt32, "(x * c1) // c2",
                                              "x // (c2 // c1)",
                                              "c1 < 0 and c2 > 0 and c2 % c1 == 0"};
    ir::Context ctx;
    const auto instance = rewrite::instantiate(ctx, rule, ir::kInt32);
    ASSERT_TRUE(instance.ok());
    RulesVerifyOptions limits;
    limits.rlimit = 400'000;
    EXPECT_FALSE(
        proved_by_cases(ctx, *instance, {Slip::GuardDropped, *instance, "", false}, limits));
}

// The judges must not kill what is right: the library's rules themselves, taken for mutants.
TEST(RuleMutants, ARightRuleIsNotFoundWrong) {
    const MutantReport report = [] {
        static const std::vector<rewrite::ExpressionRule> rule = {
            {"right", rewrite::kExactInt32, "x + c0 < c1", "x < c1 - c0", "", "in_range(x)"}};
        return verify_mutants(rule, {});
    }();
    const auto dropped =
        std::find_if(report.mutants.begin(), report.mutants.end(),
                     [](const MutantVerdict& v) { return v.slip == Slip::NeedDropped; });
    ASSERT_NE(dropped, report.mutants.end());
    EXPECT_TRUE(dropped->fate == MutantFate::Evaluated || dropped->fate == MutantFate::Solver);
}

}  // namespace
}  // namespace proviso::verify
