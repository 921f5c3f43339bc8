// The simplifier against the evaluator on generated expressions, and that the check itself notices
// wrong rules.
#include "fuzz/campaign/simplifier_campaign.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/text.h"

namespace proviso::fuzz {
namespace {

TEST(SimplifierCampaign, FindsNothing) {
    SimplifierCampaign options;
    options.expressions = 3000;
    options.seed = 5;
    const SimplifierReport report = run_simplifier_campaign(options);
    EXPECT_EQ(report.findings, 0U);
    for (const auto& f : report.told) ADD_FAILURE() << f.index << " " << f.kind << ": " << f.detail;
    EXPECT_GT(report.counts.changed, 1500U);
    EXPECT_GT(report.counts.samples, 20000U);
    EXPECT_GT(report.counts.exhausted, 100U);
    EXPECT_LT(report.counts.nodes_after, report.counts.nodes_before);
}

// Found by campaigns, made small: a load that may be indeterminate was dropped inside something
// that is observed.
TEST(SimplifierCampaign, WhatWasFoundStaysFixed) {
    struct Case {
        const char* expr;
        std::vector<const char*> facts;
    };
    const std::vector<Case> cases = {
        {"b + a + T.Select(A[4] <= 10, b, b) < 2", {}},
        {"b + T.Select(A[4] <= 10, b, b) < A[4]", {}},
        {"b != A[5] % 6 // 7 + b * b", {"a < 1", "0 <= b"}},
        {"a & T.abs(T.min(A[2], -2147483648))", {}},
        {"T.Select(A[5] < 12, a, a) * b // 16", {}},
        {"T.if_then_else(5 <= a, T.Select(True, T.undef(\"int32\"), A[a % 6]) <= 2147483645, a < "
         "A[1])",
         {"a % 6 == 1"}},
    };
    ir::Context ctx;
    Question q;
    q.kind = ir::kInt32;
    ir::Scope scope;
    for (const char* name : {"a", "b"}) {
        q.vars.push_back(ctx.var(name, ir::kInt32));
        scope.vars[name] = q.vars.back();
    }
    q.vars.push_back(ctx.var("p", ir::kBool));
    scope.vars["p"] = q.vars.back();
    q.buffer = ctx.buffer("A", ir::kInt32, {ctx.i32(kCells)});
    scope.buffers["A"] = q.buffer;
    for (const Case& c : cases) {
        const auto e = ir::parse_expr(ctx, c.expr, scope);
        ASSERT_TRUE(e.ok()) << e.error().str();
        q.expr = *e;
        q.facts.clear();
        for (const char* f : c.facts) q.facts.push_back(*ir::parse_expr(ctx, f, scope, ir::kBool));
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            SimplifierCounts counts;
            const auto found = check_simplifier(ctx, q, seed, counts);
            EXPECT_FALSE(found.has_value()) << found->kind << ": " << found->detail;
        }
    }
}

TEST(SimplifierCampaign, DoesNotDependOnTheNumberOfThreads) {
    SimplifierCampaign options;
    options.expressions = 600;
    nlohmann::json one = run_simplifier_campaign(options).json();
    options.jobs = 3;
    nlohmann::json three = run_simplifier_campaign(options).json();
    one.erase("time");
    three.erase("time");
    EXPECT_EQ(one, three);
}

// Planted: a wrong rule among none but itself. Each trap is one that compilers have fallen into.
TEST(SimplifierCampaign, NoticesWrongRules) {
    using rewrite::ExpressionRule;
    const std::vector<ExpressionRule> wrong = {
        {"float-self-difference", rewrite::kFloats, "x - x", "0.0"},
        {"wrapping-cancel", rewrite::kWrapping, "(x + c0) - c1", "x"},
        {"modulo-as-and", rewrite::kWrapSigned, "T.truncmod(x, c0)", "x % c0"},
        {"select-swapped", rewrite::kAll, "T.Select(p, x, y)", "T.Select(p, y, x)"},
    };
    for (const ExpressionRule& rule : wrong) {
        const rewrite::RuleBook book(std::span<const ExpressionRule>(&rule, 1));
        SimplifierCampaign options;
        options.expressions = 500;
        options.seed = 3;
        options.book = &book;
        EXPECT_GT(run_simplifier_campaign(options).findings, 0U) << rule.name;
    }
}

}  // namespace
}  // namespace proviso::fuzz
