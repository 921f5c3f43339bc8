// Expressions that other simplifiers make small, and near ones that must stay: what is shared by
// both operands of min and max, quotients a constant apart, chains of bit operators, choices,
// casts. Each result is no larger than its expression and simplifies to itself.
#include <gtest/gtest.h>

#include "ir/text.h"
#include "rewrite/rules/common.h"
#include "rewrite/simplify/simplifier.h"

namespace proviso::rewrite {
namespace {

using ir::Expr;

struct Example {
    const char* expr;
    std::vector<std::string> given;
    const char* result;
};

class Reach : public testing::Test {
  protected:
    Reach() {
        function.body = ctx.pass();
        for (const char* name : {"x", "y", "z", "w", "i", "j", "k", "l", "m", "n"}) {
            scope.vars[name] = ctx.var(name, ir::kInt32);
        }
        scope.vars["u"] = ctx.var("u", ir::kUInt8);
        scope.vars["v"] = ctx.var("v", ir::kUInt8);
        for (const char* name : {"p", "q"}) scope.vars[name] = ctx.var(name, ir::kBool);
        scope.buffers["A"] = ctx.buffer("A", ir::kInt32, {ctx.i32(16)});
    }
    Expr read(const std::string& text) {
        auto e = ir::parse_expr(ctx, text, scope);
        EXPECT_TRUE(e.ok()) << text << (e.ok() ? "" : e.error().str());
        return *e;
    }
    void expect(const std::vector<Example>& examples) {
        for (const Example& x : examples) {
            std::vector<Expr> facts;
            for (const std::string& g : x.given) facts.push_back(read(g));
            Expr e = read(x.expr);
            Simplifier simplifier(prover);
            const Simplified out = simplifier.simplify(e, facts);
            EXPECT_TRUE(out.fixpoint) << x.expr;
            EXPECT_LE(out.result->size, e->size) << x.expr;
            EXPECT_EQ(ir::print(out.result), x.result) << x.expr;
            Simplifier again(prover);
            EXPECT_EQ(again.simplify(out.result, facts).result, out.result) << x.expr;
            if (out.result == e) continue;
            for (const analysis::Obligation& o :
                 replacement_obligations(ctx, function, facts, e, out.result)) {
                EXPECT_EQ(prover.prove(o).verdict, analysis::Verdict::Proved) << x.expr;
            }
        }
    }

    ir::Context ctx;
    analysis::Prover prover{ctx, {}};
    ir::Scope scope;
    ir::Function function;
};

TEST_F(Reach, WhatMinAndMaxShare) {
    expect({
        {"T.min(x * 8, y * 8) // 8", {}, "T.min(x, y)"},
        {"T.max(x * 4, y * 4)", {}, "T.max(x, y) * 4"},
        {"T.min(x * -4, y * -4)", {}, "T.max(x, y) * -4"},
        {"T.min(x * 8, 32) // 8", {}, "T.min(x, 4)"},
        {"T.min(x * 8 + z, y * 8 + z)", {}, "T.min(x, y) * 8 + z"},
        {"T.min(x + 7, y + 7)", {"0 <= x", "0 <= y"}, "T.min(x, y) + 7"},
        {"T.min(x * n, y * n)", {"0 <= n"}, "n * T.min(x, y)"},
        {"T.min(x * n, y * n)", {"n <= 0"}, "n * T.max(x, y)"},
        {"T.min(y * 2, 2) % 2", {}, "0"},
        {"T.min(x * 4, y) // 4", {}, "T.min(x, y // 4)"},
        {"T.max(x * 16, 8) % 8", {}, "0"},
    });
}

TEST_F(Reach, MinAndMaxKeepWhatIsNotShared) {
    expect({
        // Of unknown sign: for a negative n it would be the maximum.
        {"T.min(x * n, y * n)", {}, "T.min(n * x, n * y)"},
        // 4 divides one operand only.
        {"T.min(x * 4, y * 6) % 4", {}, "T.min(x * 4, y * 6) % 4"},
        // Not the same coefficient of z.
        {"T.min(x + z, y - z)", {}, "T.min(x + z, y - z)"},
        // x * y may be no int32 where the sum is one.
        {"T.min(x * y + z, x * y * 2 + z)", {}, "T.min(x * y + z, x * y * 2 + z)"},
    });
}

TEST_F(Reach, OperandsThatNeverMatter) {
    expect({
        {"T.max(T.max(y, 4), y + 3)", {}, "T.max(y + 3, 4)"},
        {"T.min(T.min(x * 12, 12), 1)", {"-100 < x", "x < 100"}, "T.min(x * 12, 1)"},
        {"T.max(T.min(x, y), z) <= y", {}, "z <= y"},
        {"5 < T.max(7 - x, T.max(y, 4))", {"0 <= x", "x < 9"}, "5 < T.max(y, 7 - x)"},
        // y + 3 is not above 4 everywhere, nor y.
        {"T.max(T.max(y, 4), z + 3)", {}, "T.max(z + 3, T.max(y, 4))"},
        {"T.max(T.min(x, y), z) <= w", {}, "T.max(z, T.min(x, y)) <= w"},
    });
}

TEST_F(Reach, QuotientsAConstantApart) {
    expect({
        {"(x + 17) // 5 - (x + 2) // 5", {}, "3"},
        {"(x * 4 + 7) // 8 - (x * 4 + 3) // 8", {}, "x % 2"},
        {"x // 2 + (x + 1) // 2", {}, "x"},
        {"x // 3 + (x + 1) // 3 + (x + 2) // 3", {}, "x"},
        {"x % 2 + (x + 1) % 2", {}, "1"},
        {"x // 2 + x % 2 - (x + 1) // 2", {}, "0"},
        {"(x + 3) // 4 * 4 - x // 4 * 4", {}, "T.min(x % 4, 1) * 4"},
        {"(x + 2) // 4 - x // 4", {}, "x // 2 % 2"},
        {"(x + 4) // 8 - (x + 5) // 8", {}, "((x + 5) % 8 - 1) // 8"},
        // One residue of three is missing; the divisors differ.
        {"x // 3 + (x + 1) // 3", {}, "x // 3 + (x + 1) // 3"},
        {"x // 2 + (x + 1) // 3", {}, "x // 2 + (x + 1) // 3"},
    });
}

TEST_F(Reach, TermsOfTwoValues) {
    expect({
        {"(x % 2 * 2 + 1) // 3", {}, "x % 2"},
        {"(x * 5 + 2) // 4", {"-1 <= x", "x <= 0"}, "x"},
        {"(x % 2 * 3 + 7) // 5 * 4", {}, "x % 2 * 4 + 4"},
        {"T.min(x % 2 * 3, 1)", {}, "x % 2"},
        {"(x % 3 + 1) // 3", {}, "x % 3 // 2"},
        {"T.truncdiv(x, 6) == 0", {"-9 < x"}, "T.abs(x) < 6"},
        // Traps: three values; a step that is met twice; a remainder of a negative number; T.abs of
        // the least number.
        {"(x % 3 * 2 + 1) // 3", {}, "(x % 3 * 2 + 1) // 3"},
        {"(x * 5 + 2) // 4", {"0 <= x", "x <= 2"}, "(x * 5 + 2) // 4"},
        {"(x % 5 + 1) // 3", {}, "(x % 5 + 1) // 3"},
        {"x % 6 == x", {}, "x == x % 6"},
        {"T.truncdiv(x, 6) == 0", {}, "T.truncdiv(x, 6) == 0"},
    });
}

TEST_F(Reach, WholeQuotientsAndDigits) {
    expect({
        {"x // 8 * 8", {"x % 8 == 0"}, "x"},
        {"x % 8 == 3 and x // 8 % 2 == 1", {}, "x % 16 == 11"},
        {"T.truncdiv(x * -6 - y, 3)", {"0 <= x", "0 <= y", "y < 3"}, "x * -2"},
        {"T.Select(x > 3, 1, 0) + T.Select(x > 3, 0, 1)", {}, "1"},
        // Traps.
        {"x // 8 * 8", {"x % 4 == 0"}, "x // 8 * 8"},
        {"x % 8 == 3 and x // 16 % 2 == 1", {}, "x % 8 == 3 and x // 16 % 2 == 1"},
        {"T.truncdiv(x * -6 - y, 3)", {"0 <= x", "0 <= y", "y < 4"}, "T.truncdiv(x * -6 - y, 3)"},
    });
}

TEST_F(Reach, FactorsSharedWithALoneTerm) {
    expect({
        {"x * y - x * 2", {}, "x * (y - 2)"},
        {"n * n + n * 32", {}, "n * (n + 32)"},
        // As short as they are, whatever scales them.
        {"x * y + x", {}, "x * y + x"},
        {"(x + x * x) * 5", {}, "(x * x + x) * 5"},
        {"x * y * 12 + y * 4", {}, "x * y * 12 + y * 4"},
    });
}

TEST_F(Reach, ChainsOfBits) {
    expect({
        {"x ^ y ^ x", {}, "y"},
        {"x ^ (y ^ x)", {}, "y"},
        {"(x ^ y) ^ (z ^ y)", {}, "x ^ z"},
        {"(x & y) & x", {}, "x & y"},
        {"(x | y) & z & x", {}, "x & z"},
        {"(u & v) | u", {}, "u"},
        {"(x & 7) ^ (x & 8)", {}, "x % 16"},
        {"(y ^ (z % 8)) // 8", {"0 <= y", "y < 8"}, "0"},
        {"(x | 16) % 16", {"0 <= x", "x < 5"}, "x"},
        // x may have bit 4 as well.
        {"x | 16", {"0 <= x", "x < 17"}, "x | 16"},
        {"(x ^ y) & x", {}, "x & (x ^ y)"},
    });
}

TEST_F(Reach, ComparisonsWithParts) {
    expect({
        {"x // 6 != 0", {"0 <= x", "x < 16"}, "6 <= x"},
        {"x // 4 == 3", {"0 <= x", "x < 16"}, "12 <= x"},
        {"x * n <= 0", {"0 <= x", "0 < n"}, "x <= 0"},
        {"x // 8 % 32 < 12", {}, "x % 256 < 96"},
        {"x // 8 % 32 == 0", {}, "x % 256 < 8"},
        {"y * 4 < x * 4 + 32", {}, "y < x + 8"},
        {"x + 7 != 8", {"0 <= x"}, "x != 1"},
        // A quotient in the middle of its range; n may be negative.
        {"x // 6 != 1", {"0 <= x", "x < 18"}, "x // 6 != 1"},
        {"x * n <= 0", {"0 <= x"}, "n * x <= 0"},
    });
}

TEST_F(Reach, ArmsOfAChoice) {
    expect({
        {"T.Select(n == 3, T.min(n, 4), n + 2)", {}, "T.Select(n == 3, n, n + 2)"},
        {"T.Select(x < 4, T.min(x, 8), y)", {}, "T.Select(x < 4, x, y)"},
        {"T.Select(x < 4, x, T.max(x, 2))", {}, "x"},
        // What the condition was before it lost its load does not matter.
        {"T.Select(n != T.Select(False, A[0], 7), n, n // 16)", {}, "T.Select(n != 7, n, 0)"},
        // The quotient by y is evaluated in any case, and faults where y is 0.
        {"T.Select(y != 0, x // y * y + x % y, x)", {}, "x"},
        // So might A[5]: a quotient may be that, unless its divisor is -1, but a sum may not.
        {"T.Select(A[5] != 12, x, 1) // y == y % 12",
         {"16 <= y", "y < 24"},
         "T.Select(A[5] != 12, x, 1) // y == y - 12"},
        // A[0] might be indeterminate.
        {"T.Select(A[0] < 4, T.min(A[0], 8), y)", {}, "T.Select(A[0] < 4, T.min(A[0], 8), y)"},
    });
}

TEST_F(Reach, Casts) {
    const std::vector<std::string> small = {"0 <= x", "x < 100", "0 <= y", "y < 100"};
    expect({
        {"T.Cast('int32', T.Cast('int64', x) * T.int64(4) + T.Cast('int64', y))", small,
         "x * 4 + y"},
        {"T.Cast('int32', T.min(T.Cast('int64', x), T.int64(7)) // T.int64(2))",
         {},
         "T.min(x, 7) // 2"},
        // x + 5 may be no int32: the cast wraps.
        {"T.Cast('int32', T.Cast('int64', x) + T.int64(5))",
         {},
         "T.Cast(\"int32\", T.Cast(\"int64\", x) + T.int64(5))"},
    });
}

TEST_F(Reach, QuotientsOfRemainders) {
    expect({
        {"x // 4 % 6 // 4", {}, "x % 24 // 16"},
        {"x * 5 // 2 % 2", {}, "x // 2 % 2"},
        {"x * 7 // 16 // 8", {}, "x * 7 // 128"},
        {"(x + y) % 16 % 2", {}, "(x + y) % 2"},
        {"(-n - 8) % 16", {"0 <= n", "n < 99"}, "(8 - n) % 16"},
    });
}

}  // namespace
}  // namespace proviso::rewrite
