// The linear decider: what it closes, what it must not, and that it says the same thing twice.
#include "analysis/certify/certify.h"

#include <gtest/gtest.h>

#include <functional>

#include "analysis/certcheck/check.h"
#include "analysis/obligation.h"
#include "ir/text.h"
#include "tests/analysis/noise.h"

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
    scope.buffers["F"] = ctx.buffer("F", ir::kFloat32, {ctx.i32(64)});
    scope.buffers["D"] = ctx.buffer("D", ir::kFloat64, {ctx.i32(64)});
    Obligation o;
    for (const std::string& fact : q.given) o.facts.push_back(*ir::parse_expr(ctx, fact, scope));
    o.goal = *ir::parse_expr(ctx, q.goal, scope, ir::kBool);
    return to_smt(ctx, o).text;
}

// What is closed, the checker must accept.
bool closes(const Question& q) {
    const std::string text = text_of(q);
    const Certified c = certify(text);
    if (!c.certificate) return false;
    const auto verdict = certcheck::check_certificate(text, *c.certificate);
    EXPECT_TRUE(verdict.accepted) << verdict.why << "\n" << text << *c.certificate;
    return true;
}

TEST(Certify, Linear) {
    EXPECT_TRUE(closes({{"x < y", "y < z"}, "x + 1 < z"}));
    EXPECT_TRUE(closes({{"x >= 0", "x * 3 <= 10"}, "x <= 3"}));
    EXPECT_TRUE(closes({{}, "2 * x != 2 * y + 1"}));
    EXPECT_TRUE(closes({{"x < y", "y < x"}, "x == 77"}));
}

// Multiplied out, it would have a million terms.
TEST(Certify, ProductsOfManySumsAreLeftAlone) {
    std::string product = "(x + 1)";
    for (const char* v : {"y", "z", "i", "j", "k", "m", "n", "a", "b", "c"}) {
        product += std::string(" * (") + v + " + 1) * (" + v + " + 2)";
    }
    const Certified c = certify(text_of({{}, product + " == 7"}));
    EXPECT_FALSE(c.certificate);
    EXPECT_EQ(c.why, "unsupported: a product of long sums");
}

TEST(Certify, QuotientsAndRemainders) {
    EXPECT_TRUE(closes({{"j >= 0", "j < 8"}, "(i * 8 + j) // 8 == i"}));
    EXPECT_TRUE(closes({{"j >= 0", "j < 8"}, "(i * 8 + j) % 8 == j"}));
    EXPECT_TRUE(closes({{}, "x // 6 * 6 + x // 3 % 2 * 3 + x % 3 == x"}));
    EXPECT_TRUE(closes({{"x <= y"}, "x // 7 <= y // 7"}));
    EXPECT_TRUE(closes({{}, "(n + 7) // 8 * 8 >= n"}));
}

// What single rows hide: quotients of one dividend, digits of digits, equations without a unit.
TEST(Certify, PairsOfRows) {
    EXPECT_TRUE(closes({{}, "x % 24 // 6 == x // 6 % 4"}));
    EXPECT_TRUE(closes({{"x // 4 == y // 4"}, "x // 16 == y // 16"}));
    EXPECT_TRUE(
        closes({{"b >= 0", "b < 4", "c >= 0", "c < 5"}, "(a * 20 + b * 5 + c) // 5 % 4 == b"}));
    EXPECT_TRUE(closes({{"x % 3 == 0", "x % 5 == 0"}, "x % 15 == 0"}));
}

TEST(Certify, SymbolicSizes) {
    EXPECT_TRUE(closes({{"i >= 0", "i < m", "j >= 0", "j < n"}, "i * n + j < m * n"}));
    EXPECT_TRUE(closes({{"n > 0", "j >= 0", "j < n"}, "(i * n + j) // n == i"}));
    EXPECT_TRUE(closes({{"n > 0", "j >= 0", "j < n"}, "(i * n + j) % n == j"}));
    EXPECT_TRUE(closes({{"b > 0"}, "(n + b - 1) // b * b >= n"}));
    EXPECT_TRUE(closes({{"n > 0"}, "x // n * n + x % n == x"}));
    EXPECT_TRUE(closes({{"n > 0", "x == k * n"}, "x // n * n == x"}));
}

// Tiles within tiles, all sizes unknown.
TEST(Certify, TilesOfUnknownSizes) {
    const std::vector<std::string> tile = {"i >= 0", "j >= 0", "j < n", "x >= 0", "x < k"};
    EXPECT_TRUE(closes({tile, "((i * n + j) * k + x) // (n * k) == i"}));
    EXPECT_TRUE(closes({tile, "((i * n + j) * k + x) // k % n == j"}));
    EXPECT_TRUE(closes({tile, "((i * n + j) * k + x) % k == x"}));
    EXPECT_TRUE(closes({tile, "((i * n + j) * k + x) // k // n == i"}));
    EXPECT_TRUE(closes({{"z > 0", "y > 0"}, "(x * z) // (y * z) == x // y"}));
    EXPECT_TRUE(closes({{"y > 0"}, "(x + y - 1) // y * y // y == (x + y - 1) // y"}));
    // x = k and j = n - 1; j = n; z = 0 makes a division by zero, z < 0 rounds alike but for x < 0
    const std::vector<std::string> wider = {"i >= 0", "j >= 0", "j < n", "x >= 0", "x <= k"};
    EXPECT_FALSE(closes({wider, "((i * n + j) * k + x) // (n * k) == i"}));
    EXPECT_FALSE(closes({wider, "((i * n + j) * k + x) // k % n == j"}));
    EXPECT_FALSE(closes({{"y > 0"}, "(x * z) // (y * z) == x // y"}));
    EXPECT_FALSE(closes({{"z > 0", "y > 0"}, "(x * z + 1) // (y * z) == (x + 1) // y"}));
    EXPECT_FALSE(closes({{"y > 0"}, "(x + y) // y * y // y == (x + y - 1) // y"}));
}

// Floor and truncating division by an unknown of any sign; multiples of it that come out.
TEST(Certify, QuotientsByUnknowns) {
    const std::string r = "T.truncmod(x, n)";
    const std::string differ = r + " != 0 and (" + r + " < 0) != (n < 0)";
    EXPECT_TRUE(closes({{"n != 0"}, "x % n == " + r + " + T.Select(" + differ + ", n, 0)"}));
    EXPECT_TRUE(
        closes({{"n != 0"}, "x // n == T.truncdiv(x, n) - T.Select(" + differ + ", 1, 0)"}));
    EXPECT_TRUE(closes({{"x >= 0", "n > 0"}, "(x - n) % n == x % n"}));
    EXPECT_TRUE(closes({{"n != 0"}, "(x - 3 * n) // n == x // n - 3"}));
    EXPECT_TRUE(closes({{"n < 0"}, "(-x) // (-n) == x // n"}));
    // x = -1, n = 2; x = 1, n = 2; any x; x = 3, n = 2, k = -1; x = -2, n = 2
    EXPECT_FALSE(closes({{"n > 0"}, "x % n == T.truncmod(x, n)"}));
    EXPECT_FALSE(closes({{"n != 0"}, "(x - n) % (-n) == x % n"}));
    EXPECT_FALSE(closes({{"n != 0"}, "(x - 2 * n) // n == x // n - 1"}));
    EXPECT_FALSE(closes({{"n > 0"}, "(x + k) // n == x // n + k // n"}));
    EXPECT_FALSE(closes({{"n != 0"}, "x // n == T.truncdiv(x, n) - T.Select(x < 0, 1, 0)"}));
}

TEST(Certify, BooleanStructureAndOpaqueLiterals) {
    EXPECT_TRUE(closes({{"not p or q", "not q or r", "p"}, "r"}));
    EXPECT_TRUE(closes({{"p or x < 3", "not p"}, "x < 4"}));
    EXPECT_TRUE(closes({{}, "T.min(x, y) + T.max(x, y) == x + y"}));
    EXPECT_TRUE(closes({{"i == j"}, "A[i] == A[j]"}));
}

// What padding with zeros rests on, and its neighbours.
TEST(Certify, SumsAndProductsOfFloats) {
    const std::string finite = "T.abs(F[2]) < T.float32(\"inf\")";
    EXPECT_TRUE(closes({{"F[0] != F[0]"}, "F[0] + F[1] != F[0] + F[1]"}));
    EXPECT_TRUE(closes({{"not same(F[0], T.float32(-0.0))", "same(F[1], T.float32(0.0))", finite},
                        "same(F[0] + F[1] * F[2], F[0])"}));
    EXPECT_TRUE(closes(
        {{"not same(D[0], T.float64(-0.0))"}, "not same(D[0] + D[1] * D[2], T.float64(-0.0))"}));
    EXPECT_TRUE(closes({{"F[0] >= T.float32(0.0)", "F[1] >= T.float32(0.0)"},
                        "not (F[0] * F[1] < T.float32(0.0))"}));
    EXPECT_TRUE(closes({{}, "same(F[0] * T.float32(1.0), F[0])"}));
    EXPECT_TRUE(closes({{"F[0] < F[1]", "F[1] < F[2]"}, "F[0] < F[2]"}));
    // an infinite factor; an accumulator of -0.0; a sum that overflows to NaN
    EXPECT_FALSE(closes({{"not same(F[0], T.float32(-0.0))", "same(F[1], T.float32(0.0))"},
                         "same(F[0] + F[1] * F[2], F[0])"}));
    EXPECT_FALSE(closes({{"same(F[1], T.float32(0.0))", finite}, "same(F[0] + F[1], F[0])"}));
    EXPECT_FALSE(closes({{"F[0] == F[0]", "F[1] == F[1]"}, "F[0] + F[1] == F[0] + F[1]"}));
    EXPECT_FALSE(closes({{"F[0] <= F[1]", "F[1] <= F[0]"}, "same(F[0], F[1])"}));  // 0.0, -0.0
    EXPECT_FALSE(closes({{"not (F[0] < F[1])"}, "F[1] <= F[0]"}));                 // NaN
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

// A chain of inequalities needs all of them: quadratic at worst, a tableau fills up.
TEST(Certify, WorkOnAChain) {
    const auto work = [](int length) {
        std::string text;
        for (int k = 0; k <= length; ++k) {
            text += "(declare-fun v" + std::to_string(k) + " () Int)\n";
        }
        for (int k = 0; k < length; ++k) {
            text += "(assert (<= v" + std::to_string(k) + " v" + std::to_string(k + 1) + "))\n";
        }
        text += "(assert (not (<= v0 v" + std::to_string(length) + ")))\n(check-sat)\n";
        const Certified c = certify(text);
        EXPECT_TRUE(c.certificate && certcheck::check_certificate(text, *c.certificate).accepted);
        return c.work;
    };
    EXPECT_LT(work(200), 16 * work(50));
}

// --- random claims: what is closed holds for all small values ------------------------------------

// A term or claim, as text and as a function of the values of x, y, z.
struct Sample {
    std::string text;
    std::function<std::int64_t(const std::int64_t*)> value;
};

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

Sample binary(const char* op, const Sample& a, const Sample& b) {
    const std::string name(op);
    const auto f = [name](std::int64_t x, std::int64_t y) -> std::int64_t {
        if (name == "+") return x + y;
        if (name == "-") return x - y;
        if (name == "*") return x * y;
        if (name == "//") return floor_div(x, y);
        if (name == "%") return x - floor_div(x, y) * y;
        if (name == "<") return x < y ? 1 : 0;
        if (name == "<=") return x <= y ? 1 : 0;
        if (name == "==") return x == y ? 1 : 0;
        return name == "and" ? x & y : x | y;
    };
    return {"(" + a.text + " " + name + " " + b.text + ")",
            [=](const std::int64_t* v) { return f(a.value(v), b.value(v)); }};
}

Sample number(std::int64_t n) {
    return {"(" + std::to_string(n) + ")", [n](const std::int64_t*) { return n; }};
}

Sample random_term(Noise& r, int depth) {
    static const char* names[] = {"x", "y", "z"};
    if (depth == 0 || r.below(5) == 0) {
        const int k = r.below(3);
        if (r.below(3) == 0) return number(r.below(9) - 2);
        return {names[k], [k](const std::int64_t* v) { return v[k]; }};
    }
    switch (r.below(7)) {
        case 0: return binary("*", random_term(r, depth - 1), number(r.below(7) - 2));
        case 1: return binary("//", random_term(r, depth - 1), number(2 + r.below(5)));
        case 2: return binary("%", random_term(r, depth - 1), number(2 + r.below(5)));
        case 3: return binary("*", random_term(r, 0), random_term(r, 0));
        case 4: return binary("-", random_term(r, depth - 1), random_term(r, depth - 1));
        default: return binary("+", random_term(r, depth - 1), random_term(r, depth - 1));
    }
}

Sample random_claim(Noise& r, int depth) {
    if (depth > 0 && r.below(3) == 0) {
        return binary(r.below(2) == 0 ? "and" : "or", random_claim(r, depth - 1),
                      random_claim(r, depth - 1));
    }
    const char* ops[] = {"<", "<=", "==", "<="};
    return binary(ops[r.below(4)], random_term(r, 2), random_term(r, 2));
}

class RandomCertify : public testing::TestWithParam<int> {};

TEST_P(RandomCertify, NothingFalseIsClosed) {
    Noise r(static_cast<std::uint64_t>(GetParam()));
    int closed = 0;
    for (int round = 0; round < 150; ++round) {
        Question q{{"x >= -2", "x < 7", "y >= 0", "y < 6", "z >= 0", "z < 5"}, ""};
        std::vector<Sample> facts;
        for (int k = r.below(3); k > 0; --k) facts.push_back(random_claim(r, 0));
        for (const Sample& f : facts) q.given.push_back(f.text);
        const Sample goal = random_claim(r, 2);
        q.goal = goal.text;
        CertifyOptions options;
        options.budget = 200'000;
        const std::string text = text_of(q);
        const Certified c = certify(text, options);
        if (!c.certificate) continue;
        ++closed;
        const auto verdict = certcheck::check_certificate(text, *c.certificate);
        EXPECT_TRUE(verdict.accepted) << verdict.why << "\n" << text << *c.certificate;
        std::int64_t v[3];
        for (v[0] = -2; v[0] < 7; ++v[0]) {
            for (v[1] = 0; v[1] < 6; ++v[1]) {
                for (v[2] = 0; v[2] < 5; ++v[2]) {
                    bool given = true;
                    for (const Sample& f : facts) given = given && f.value(v) != 0;
                    ASSERT_TRUE(!given || goal.value(v) != 0) << text;
                }
            }
        }
    }
    EXPECT_GT(closed, 10);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCertify, testing::Range(1, 5));

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
