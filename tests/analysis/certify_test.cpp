// The linear decider: what it closes, what it must not, and that it says the same thing twice.
#include "analysis/certify/certify.h"

#include <gtest/gtest.h>

#include "analysis/corpus/obligation_text.h"
#include "ir/text.h"

namespace proviso::analysis {
namespace {

struct Question {
    std::vector<std::string> given;
    std::string goal;
};

std::string text_of(const Question& q) {
    ir::Context ctx;
    ir::Scope scope;
    for (const char* name : {"x", "y", "z", "i", "j", "k", "m", "n", "a", "b", "c"}) {
        scope.vars[name] = ctx.var(name, ir::kInt32);
    }
    for (const char* name : {"p", "q", "r"}) scope.vars[name] = ctx.var(name, ir::kBool);
    scope.buffers["A"] = ctx.buffer("A", ir::kInt32, {ctx.i32(64)});
    Obligation o;
    for (const std::string& fact : q.given) o.facts.push_back(*ir::parse_expr(ctx, fact, scope));
    o.goal = *ir::parse_expr(ctx, q.goal, scope, ir::kBool);
    return to_smt(ctx, o).text;
}

bool closes(const Question& q) {
    return certify(text_of(q)).certificate.has_value();
}

TEST(Certify, Linear) {
    EXPECT_TRUE(closes({{"x < y", "y < z"}, "x + 1 < z"}));
    EXPECT_TRUE(closes({{"x >= 0", "x * 3 <= 10"}, "x <= 3"}));
    EXPECT_TRUE(closes({{}, "2 * x != 2 * y + 1"}));
    EXPECT_TRUE(closes({{"x < y", "y < x"}, "x == 77"}));
}

TEST(Certify, QuotientsAndRemainders) {
    EXPECT_TRUE(closes({{"j >= 0", "j < 8"}, "(i * 8 + j) // 8 == i"}));
    EXPECT_TRUE(closes({{"j >= 0", "j < 8"}, "(i * 8 + j) % 8 == j"}));
    EXPECT_TRUE(closes({{}, "x // 6 * 6 + x // 3 % 2 * 3 + x % 3 == x"}));
    EXPECT_TRUE(closes({{"x <= y"}, "x // 7 <= y // 7"}));
    EXPECT_TRUE(closes({{}, "(n + 7) // 8 * 8 >= n"}));
}

TEST(Certify, SymbolicSizes) {
    EXPECT_TRUE(closes({{"i >= 0", "i < m", "j >= 0", "j < n"}, "i * n + j < m * n"}));
    EXPECT_TRUE(closes({{"n > 0", "j >= 0", "j < n"}, "(i * n + j) // n == i"}));
    EXPECT_TRUE(closes({{"n > 0", "j >= 0", "j < n"}, "(i * n + j) % n == j"}));
    EXPECT_TRUE(closes({{"b > 0"}, "(n + b - 1) // b * b >= n"}));
}

TEST(Certify, BooleanStructureAndOpaqueLiterals) {
    EXPECT_TRUE(closes({{"not p or q", "not q or r", "p"}, "r"}));
    EXPECT_TRUE(closes({{"p or x < 3", "not p"}, "x < 4"}));
    EXPECT_TRUE(closes({{}, "T.min(x, y) + T.max(x, y) == x + y"}));
    EXPECT_TRUE(closes({{"i == j"}, "A[i] == A[j]"}));
}

// Each is false for the values beside it.
TEST(Certify, DoesNotCloseWhatIsFalse) {
    EXPECT_FALSE(closes({{"j >= 0", "j <= 8"}, "(i * 8 + j) // 8 == i"}));                 // j = 8
    EXPECT_FALSE(closes({{}, "x % 20 * 2 % 4 == x % 4"}));                                 // x = 1
    EXPECT_FALSE(closes({{}, "T.truncdiv(x, 4) == x // 4"}));                              // x = -1
    EXPECT_FALSE(closes({{"n > 0", "j >= 0", "j <= n"}, "(i * n + j) // n == i"}));        // j = n
    EXPECT_FALSE(closes({{"i <= m", "j >= 0", "j < n", "i >= 0"}, "i * n + j < m * n"}));  // i = m
    EXPECT_FALSE(closes({{"n != 0"}, "x % n >= 0"}));        // n = -2, x = 1
    EXPECT_FALSE(closes({{"p or q", "q or r"}, "p or r"}));  // q alone
    EXPECT_FALSE(closes({{}, "x * x > x"}));                 // x = 0
}

TEST(Certify, SaysTheSameTwice) {
    const std::string text = text_of({{"j >= 0", "j < 8", "i < 4"}, "(i * 8 + j) // 8 <= 3"});
    const Certified first = certify(text);
    const Certified second = certify(text);
    ASSERT_TRUE(first.certificate.has_value());
    EXPECT_EQ(*first.certificate, *second.certificate);
    EXPECT_EQ(first.work, second.work);
}

TEST(Certify, GivesUpWithAReason) {
    EXPECT_EQ(certify("(assert (< 1").why, "unsupported: a ')' is missing");
    EXPECT_EQ(certify("(frobnicate)").why, "unsupported: unknown command frobnicate");
    EXPECT_EQ(certify("(assert (= x 170141183460469231731687303715884105728))").why,
              "numbers beyond 128 bits");
    CertifyOptions little;
    little.budget = 50;
    EXPECT_EQ(certify(text_of({{}, "x // 6 * 6 + x % 6 == x"}), little).why, "resource");
    const std::string deep = std::string(100'000, '(');
    EXPECT_EQ(certify(deep).why, "unsupported: nested too deeply");
}

// Only what is used is printed.
TEST(Certify, IsPruned) {
    Question q{{"x < y", "y < z"}, "x < z"};
    const std::string small = *certify(text_of(q)).certificate;
    for (int i = 0; i < 1000; ++i) q.given.push_back("A[" + std::to_string(i % 64) + "] < n");
    const Certified large = certify(text_of(q));
    ASSERT_TRUE(large.certificate.has_value());
    EXPECT_LT(large.certificate->size(), small.size() + 40);
    EXPECT_LT(large.work, 100'000U);
}

}  // namespace
}  // namespace proviso::analysis
