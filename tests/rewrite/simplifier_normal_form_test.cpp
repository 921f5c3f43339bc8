// What the simplifier reaches: digits of one number, symbolic sizes, shared factors, facts of all
// sorts; that it grows nothing; and that size and depth of what it is given do not matter.
#include <gtest/gtest.h>

#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"
#include "rewrite/simplify/simplifier.h"

namespace proviso::rewrite {
namespace {

using ir::Expr;

class NormalForm : public testing::Test {
  protected:
    NormalForm() {
        for (const char* name : {"x", "y", "z", "w", "i", "j", "k", "m", "n"}) {
            scope.vars[name] = ctx.var(name, ir::kInt32);
        }
        for (const char* name : {"u", "v"}) scope.vars[name] = ctx.var(name, ir::kUInt8);
        for (const char* name : {"p", "q"}) scope.vars[name] = ctx.var(name, ir::kBool);
        scope.buffers["A"] = ctx.buffer("A", ir::kInt32, {ctx.i32(16)});
    }
    Expr read(const std::string& text) {
        auto e = ir::parse_expr(ctx, text, scope);
        EXPECT_TRUE(e.ok()) << text << (e.ok() ? "" : e.error().str());
        return *e;
    }
    std::string simplify(const std::string& text, const std::vector<std::string>& given = {}) {
        std::vector<Expr> facts;
        for (const std::string& g : given) facts.push_back(read(g));
        Simplifier simplifier(prover);
        Expr e = read(text);
        const Simplified out = simplifier.simplify(e, facts);
        EXPECT_TRUE(out.fixpoint) << text;
        EXPECT_LE(out.result->size, e->size) << text;
        Simplifier again(prover);
        EXPECT_EQ(again.simplify(out.result, facts).result, out.result)
            << text << ": " << ir::print(out.result);
        return ir::print(out.result);
    }

    ir::Context ctx;
    analysis::Prover prover{ctx, {}};
    ir::Scope scope;
};

struct Example {
    const char* expr;
    std::vector<std::string> given;
    const char* result;
};

TEST_F(NormalForm, DigitsOfOneNumber) {
    const std::vector<Example> examples = {
        {"x // 6 * 6 + x // 3 % 2 * 3 + x % 3", {}, "x"},
        {"x % 3 + x // 6 * 6 + x // 3 % 2 * 3", {}, "x"},
        {"y + x // 3 % 2 * 3 + z + x % 3 - w + x // 6 * 6", {}, "x + y + z - w"},
        {"x // 6 * 12 + x // 3 % 2 * 6 + x % 3 * 2", {}, "x * 2"},
        {"x // 24 * 24 + x // 6 % 4 * 6 + x // 2 % 3 * 2 + x % 2", {}, "x"},
        {"x // 6 * 2 + x // 3 % 2", {}, "x // 3"},
        {"x // 3 % 2 * 3 + x % 3", {}, "x % 6"},
        {"x % 6 // 3 * 3 + x % 3", {}, "x % 6"},
        {"x - x // 4 * 4", {}, "x % 4"},
        {"(x + y) // 4 * 4 + (x + y) % 4", {}, "x + y"},
        {"x - x % 4", {}, "x - x % 4"},
        {"x // y * y + x % y", {}, "x"},
        {"x - x // y * y", {}, "x % y"},
        {"x // 6 * 6 + x // 3 % 2 * 3 + x % 4", {}, "x // 3 * 3 + x % 4"},
        {"(x * 16 + y) // 7 * 7 + (x * 2 + y) % 7", {}, "x * 16 + y"},
        {"(x * 16 + y) // 7 * 14 + (x * 9 + y + 7) % 7 * 2", {}, "x * 32 + y * 2"},
        {"(x * 16 + y) // 7 * 7 + (x * 3 + y) % 7", {}, "(x * 16 + y) // 7 * 7 + (x * 3 + y) % 7"},
    };
    for (const Example& e : examples) EXPECT_EQ(simplify(e.expr, e.given), e.result) << e.expr;
}

TEST_F(NormalForm, SymbolicSizes) {
    const std::vector<std::string> tile = {"0 <= j", "j < n", "0 <= i", "i < m"};
    const std::vector<Example> examples = {
        {"(i * n + j) // n", tile, "i"},
        {"(i * n + j) % n", tile, "j"},
        {"(j + n * i + n) // n", tile, "i + 1"},
        {"(i * n + j) // n * n + (i * n + j) % n", tile, "i * n + j"},
        {"(i * n * 4 + j * 4 + k) // (n * 4)", {"0 <= j", "j < n", "0 <= k", "k < 4"}, "i"},
        {"i * n + j < m * n", tile, "True"},
        {"(i * n + n - 1) // n", {"0 < n"}, "i"},
        {"x * n // n", {"0 < n"}, "x"},
        {"x * n % n", {"0 < n"}, "0"},
        {"(i * n + j) // n", {"0 <= j", "j < n + 1", "0 < n"}, "i + j // n"},
    };
    for (const Example& e : examples) EXPECT_EQ(simplify(e.expr, e.given), e.result) << e.expr;
}

TEST_F(NormalForm, SumsAndProducts) {
    const std::vector<Example> examples = {
        {"(x + y) * 2", {}, "(x + y) * 2"},
        {"x * 4 + y * 4 + z", {}, "(x + y) * 4 + z"},
        {"x * n + y * n", {}, "n * (x + y)"},
        {"(x + y) * n - x * n", {}, "n * y"},
        {"(x + 1) * (y + 1) - x * y - x - y", {}, "1"},
        {"-(x - y)", {}, "y - x"},
        {"3 - x - 3", {}, "-x"},
        {"(x + y) * (z + w)", {}, "(w + z) * (x + y)"},
        {"x * 2147483647 + x * 2147483647", {}, "x * 2147483647 * 2"},
    };
    for (const Example& e : examples) EXPECT_EQ(simplify(e.expr, e.given), e.result) << e.expr;
}

// Forms that another analyzer found smaller once (bench/compare_tvm).
TEST_F(NormalForm, PartsThatCancelOrJoin) {
    const std::vector<std::string> box = {"0 <= i", "i < 4", "0 <= j", "j < 4", "0 <= k", "k < 27"};
    const std::vector<std::string> wide = {"0 <= k", "k < 52", "0 <= i",
                                           "i < 40", "0 <= j", "j < 64"};
    const std::vector<Example> examples = {
        {"(j * -3 - k // 3) % 4", box, "(j - k // 3) % 4"},
        {"(j * 3 - k * 7 - 1) % 4", box, "((j - k) * 3 - 1) % 4"},
        {"((k + 29) // 7) % 4", box, "(k + 1) // 7"},
        {"x + (k + 29) // 7 * 2 - 8", box, "(k + 1) // 7 * 2 + x"},
        {"-T.max(i * 4 + j - 3, 0)", box, "T.min(3 - i * 4 - j, 0)"},
        {"k - T.min(i * 64 + k, 215)", box, "T.max(k - 215, i * -64)"},
        {"i * 6 + T.max(i * 8 + j - 4, 0)", box, "i * 6 + T.max(i * 8 + j - 4, 0)"},
        {"j * 6 + k // 26 < i * 62", wide, "j * 3 < i * 31"},
        {"T.min(j * 3 + k, 2) < i * 21 + j * 3 + k", box, "2 < i * 21 + j * 3 + k"},
        {"T.max(j * 64 + i - 5, 0) < i", box, "j < 1 and 0 < i"},
        {"i % 2 * 4 % 6", box, "i % 2 * 4"},
        {"(i // 2 - j // 2 * 2 * i * 2) % 4", box, "i // 2"},
    };
    for (const Example& e : examples) EXPECT_EQ(simplify(e.expr, e.given), e.result) << e.expr;
}

TEST_F(NormalForm, FactsOfAllSorts) {
    const std::vector<Example> examples = {
        {"x", {"x == 3"}, "3"},
        {"n % 4", {"n % 4 == 0"}, "0"},
        {"A[i] + A[i] - A[i]", {}, "A[i]"},
        {"A[i] // 8", {"0 <= A[i]", "A[i] < 8"}, "0"},
        {"A[i + 1 - 1] < 8", {"A[i] < 8"}, "True"},
        {"x < z", {"x < y", "y < z"}, "True"},
        {"T.min(x, y)", {"x <= y"}, "x"},
        {"T.if_then_else(x < 4, x // 4, 7)", {"0 <= x"}, "T.if_then_else(x < 4, 0, 7)"},
        {"p and x < 3", {"p"}, "x < 3"},
        {"u // T.uint8(16)", {"u < T.uint8(16)"}, "T.uint8(0)"},
        {"x * 6 + y < 6", {"0 <= y", "y < 6"}, "x < 1"},
        {"x != 0", {"x > 0"}, "True"},
        {"x * 2 == 7", {}, "False"},
    };
    for (const Example& e : examples) EXPECT_EQ(simplify(e.expr, e.given), e.result) << e.expr;
}

TEST_F(NormalForm, LetsGoWhereTheyAreNotNeeded) {
    const std::vector<Example> examples = {
        {"T.Let(t + 1, where={t: x})", {}, "x + 1"},
        {"T.Let(x + 1, where={t: y // z})", {}, "x + 1"},
        {"T.Let(t * 4, where={t: x + y})", {}, "(x + y) * 4"},
        {"T.Let(t * t, where={t: x + y})", {}, "T.Let(t * t, where={t: x + y})"},
        // What is frozen once must not be read where it may be indeterminate.
        {"T.Let(t * 4, where={t: A[0]})", {}, "T.Let(t * 4, where={t: A[0]})"},
        {"T.Let(t * t // 16, where={t: x % 4})", {}, "0"},
    };
    for (const Example& e : examples) EXPECT_EQ(simplify(e.expr, e.given), e.result) << e.expr;
}

TEST_F(NormalForm, ContradictoryFactsAreSaidSo) {
    Simplifier simplifier(prover);
    const Simplified out = simplifier.simplify(read("x < 7"), {read("x < 3"), read("5 < x")});
    EXPECT_TRUE(out.contradictory);
    EXPECT_FALSE(simplifier.simplify(read("x < 7"), {read("x < 3")}).contradictory);
}

TEST_F(NormalForm, SumOfTenThousandTerms) {
    Expr sum = ctx.i32(0);
    for (int i = 0; i < 10'000; ++i) {
        sum = ctx.add(
            sum, ctx.mul(ctx.var("x" + std::to_string(i % 5'000), ir::kInt32), ctx.i32(i % 7 + 1)));
    }
    Simplifier simplifier(prover);
    const Simplified out = simplifier.simplify(sum);
    EXPECT_TRUE(out.fixpoint);
    EXPECT_LT(out.result->size, sum->size / 2);
    EXPECT_EQ(simplifier.simplify(ctx.sub(sum, out.result)).result, ctx.i32(0));
}

TEST_F(NormalForm, DiamondsAreLookedAtOnce) {
    Expr e = ctx.var("x", ir::kInt32);
    for (int i = 0; i < 64; ++i) e = ctx.min(ctx.add(e, ctx.i32(1)), ctx.sub(e, ctx.i32(1)));
    Simplifier simplifier(prover);
    const Simplified out = simplifier.simplify(e);
    EXPECT_EQ(ir::print(out.result), "x - 64");
    Expr doubled = ctx.var("x", ir::kInt32);
    for (int i = 0; i < 20; ++i) doubled = ctx.add(doubled, doubled);
    EXPECT_EQ(ir::print(simplifier.simplify(doubled).result), "x * 1048576");
    Expr lets = ctx.var("t63", ir::kInt32);
    for (int i = 63; i > 0; --i) {
        Expr t = ctx.var("t" + std::to_string(i - 1), ir::kInt32);
        lets = ctx.let(ctx.var("t" + std::to_string(i), ir::kInt32),
                       ctx.floordiv(ctx.add(t, t), ctx.i32(3)), lets);
    }
    EXPECT_TRUE(simplifier.simplify(lets).fixpoint);
}

TEST_F(NormalForm, DeepNestingIsALimitNotACrash) {
    Expr e = ctx.var("x", ir::kInt32);
    for (int i = 0; i < 20'000; ++i) e = ctx.floordiv(ctx.add(e, ctx.i32(5)), ctx.i32(3));
    Simplifier simplifier(prover);
    EXPECT_FALSE(simplifier.simplify(e).fixpoint);
    Expr nested = ctx.var("x", ir::kInt32);
    for (int i = 0; i < 200; ++i) nested = ctx.floordiv(nested, ctx.i32(2));
    EXPECT_TRUE(simplifier.simplify(nested).fixpoint);
}

TEST_F(NormalForm, HugeLiteralsAreLeftWhereTheyDoNotFit) {
    EXPECT_EQ(simplify("x + 2147483647 + 1"), "x + 2147483647 + 1");
    EXPECT_EQ(simplify("x // 0"), "x // 0");
    EXPECT_EQ(simplify("x % 0"), "x % 0");
}

}  // namespace
}  // namespace proviso::rewrite
