// Bit operations in the cheap deciders: which claims close without a solver, and that what is wrong
// or unspecified does not.
#include <gtest/gtest.h>

#include "analysis/cheap/decide.h"
#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"

namespace proviso::analysis {
namespace {

class BitClaims : public testing::Test {
  protected:
    ir::Context ctx;

    ir::Expr read(const std::string& text) {
        ir::Scope scope;
        for (const char* name : {"i", "j", "n", "x", "y"}) {
            scope.vars[name] = ctx.var(name, ir::kInt32);
        }
        scope.vars["u"] = ctx.var("u", ir::kUInt8);
        scope.vars["s"] = ctx.var("s", ir::kInt8);
        return *ir::parse_expr(ctx, text, scope, ir::kBool);
    }
    Obligation claim(const std::vector<std::string>& given, const std::string& goal) {
        Obligation out{{}, {}, read(goal)};
        for (const std::string& fact : given) out.facts.push_back(read(fact));
        return out;
    }
    bool closes(const std::vector<std::string>& given, const std::string& goal) {
        return cheap::decide(ctx, claim(given, goal)).has_value();
    }
};

TEST_F(BitClaims, CloseWithoutASolver) {
    const std::vector<std::string> small = {"0 <= y", "y < 8", "0 <= x", "x < 1000"};
    EXPECT_TRUE(closes({}, "x & 7 < 8"));
    EXPECT_TRUE(closes({}, "x & 24 == (x // 8 % 4) * 8"));
    EXPECT_TRUE(closes({}, "x & -8 == x - x % 8"));
    EXPECT_TRUE(closes({}, "(x >> 3) * 8 + (x & 7) == x"));
    EXPECT_TRUE(closes(small, "(x << 3) | y == 8 * x + y"));
    EXPECT_TRUE(closes(small, "(x << 3) ^ y == (x << 3) | y"));
    EXPECT_TRUE(closes(small, "((x << 3) | y) >> 3 == x"));
    EXPECT_TRUE(closes(small, "((x << 3) | y) & 7 == y"));
    EXPECT_TRUE(closes({}, "x | 5 == x - (x & 5) + 5"));
    EXPECT_TRUE(closes({}, "x ^ y ^ x == y"));
    EXPECT_TRUE(closes({}, "(x | y) + (x & y) == x + y")) << "and that took a solver seconds";
    EXPECT_TRUE(closes({}, "(x ^ y) + 2 * (y & x) == x + y"));
    EXPECT_TRUE(closes({}, "(x | y) - (x & y) == x ^ y"));
    EXPECT_TRUE(closes({}, "(x ^ -1) == -x - 1"));
    EXPECT_TRUE(closes({"0 <= x", "x < 64", "0 <= y", "y < 64"}, "x ^ y < 64"));
}

// The signs of both are known before their bits are looked at, whatever the order of facts.
TEST_F(BitClaims, NoNegativeNumberIsAPowerOfTwo) {
    const std::string power = "x & (x - 1) == 0";
    EXPECT_TRUE(closes({power, "x < 0", "-2147483648 <= x - 1"}, "False"));
    EXPECT_FALSE(closes({power, "x < 0"}, "False")) << "the bits of -2147483649 are unspecified";
    EXPECT_FALSE(closes({power, "-2147483648 <= x - 1"}, "0 < x")) << "0 & -1 is 0";
}

TEST_F(BitClaims, SwizzlesKeepTheirRowAndComeBack) {
    const std::vector<std::string> given = {"0 <= i", "i < 64", "0 <= j", "j < n", "n % 8 == 0"};
    EXPECT_TRUE(closes(given, "(j ^ (i % 8)) ^ (i % 8) == j"));
    EXPECT_TRUE(closes(given, "j ^ (i % 8) < n")) << "only the low three bits change";
    EXPECT_TRUE(closes(given, "(j ^ (i % 8)) // 8 == j // 8"));
    EXPECT_TRUE(closes(given, "0 <= j ^ (i % 8)"));
    const std::vector<std::string> ragged = {"0 <= i", "i < 64", "0 <= j", "j < n"};
    EXPECT_FALSE(closes(ragged, "j ^ (i % 8) < n")) << "n = 1, j = 0, i = 1";
}

TEST_F(BitClaims, WrappingTypesByTheirNumbers) {
    EXPECT_TRUE(closes({}, "u & T.uint8(7) < T.uint8(8)"));
    EXPECT_TRUE(closes({}, "(u | T.uint8(1)) != T.uint8(0)"));
    EXPECT_TRUE(closes({"u < T.uint8(16)"}, "u << T.uint8(2) < T.uint8(64)"));
    EXPECT_FALSE(closes({"u < T.uint8(65)"}, "u << T.uint8(2) < T.uint8(64)")) << "u = 64 wraps";
    EXPECT_FALSE(closes({}, "s & T.int8(-8) < T.int8(0)"));
}

TEST_F(BitClaims, WrongOnesStayOpen) {
    EXPECT_FALSE(closes({"0 <= y", "y < 16"}, "(x << 3) | y == 8 * x + y")) << "bit 3 in both";
    EXPECT_FALSE(closes({}, "x | y == x + y"));
    EXPECT_FALSE(closes({}, "(x ^ y) + (x & y) == x + y")) << "x = y = 1";
    EXPECT_FALSE(closes({}, "(x | y) + (x & i) == x + y"));
    EXPECT_FALSE(closes({}, "x & 8 < 8"));
    EXPECT_FALSE(closes({}, "(x * y) ^ (x * y) == 0")) << "out of range: unspecified";
    EXPECT_FALSE(closes({}, "x ^ y < 64"));
}

// What closes is true of values, too.
TEST_F(BitClaims, HoldWhereverTheyAreEvaluated) {
    ir::Chooser noise(3);
    for (const char* text :
         {"x & 24 == (x // 8 % 4) * 8", "x & -8 == x - x % 8", "x | 5 == x - (x & 5) + 5",
          "x ^ 12 == x + 12 - 2 * (x & 12)", "(x & 6) + (x & -7) == x", "x ^ y ^ x == y",
          "(x | 7) - (x & -8) == 7", "(x & 12) | (y & 3) == (x & 12) + (y & 3)",
          "(x ^ (y & 7)) // 8 == x // 8"}) {
        EXPECT_TRUE(closes({}, text)) << text;
        for (int n = 0; n < 300; ++n) {
            ir::Environment env;
            for (ir::Expr v : ir::free_vars(read(text))) env.vars[v] = noise.choose(v->type);
            const ir::Evaluation out = ir::evaluate(read(text), env);
            if (out.ok()) {
                EXPECT_TRUE(out.value.truth()) << text;
            }
        }
    }
}

}  // namespace
}  // namespace proviso::analysis
