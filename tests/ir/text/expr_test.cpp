// Expressions in and out: each line reads, and prints in canonical form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ir/text.h"

namespace proviso::ir {
namespace {

struct TextExpr : testing::Test {
    Context ctx;
    Scope scope;
    Expr i = ctx.var("i", kInt32);
    Expr j = ctx.var("j", kInt32);
    Expr n = ctx.var("n", kInt64);
    Expr b = ctx.var("b", kBool);
    Expr c = ctx.var("c", kBool);
    Expr x = ctx.var("x", kFloat32);
    Expr y = ctx.var("y", kFloat32);
    Expr u = ctx.var("u", kUInt8);
    Buffer A = ctx.buffer("A", kFloat32, {ctx.i32(4), ctx.i32(4)});
    Buffer B = ctx.buffer("B", kInt32, {ctx.i32(8)});
    Buffer Z = ctx.buffer("Z", kFloat32, {});

    TextExpr() {
        scope.vars = {{"i", i}, {"j", j}, {"n", n}, {"b", b},
                      {"c", c}, {"x", x}, {"y", y}, {"u", u}};
        scope.buffers = {{"A", A}, {"B", B}, {"Z", Z}};
    }

    Expr read(const std::string& text, std::optional<ScalarType> expected = std::nullopt) {
        auto result = parse_expr(ctx, text, scope, expected);
        EXPECT_TRUE(result.ok()) << text << "\n" << (result.ok() ? "" : result.error().str());
        return result.ok() ? *result : ctx.false_();
    }
    // Reads as this expression, and its canonical text reads back as the same handle.
    void same(const std::string& text, Expr expected) {
        Expr e = read(text);
        EXPECT_EQ(e, expected) << text << " was read as " << print(e) << ", not "
                               << print(expected);
        EXPECT_EQ(read(print(expected)), expected) << print(expected);
    }
    // Canonical: prints as it was written.
    void canonical(const std::string& text) { EXPECT_EQ(print(read(text)), text); }
    void prints(const std::string& text, const std::string& printed) {
        EXPECT_EQ(print(read(text)), printed) << text;
        EXPECT_EQ(print(read(printed)), printed);
    }
    std::string fails(const std::string& text, std::optional<ScalarType> expected = std::nullopt) {
        auto result = parse_expr(ctx, text, scope, expected);
        EXPECT_FALSE(result.ok()) << text << " was read as " << print(*result);
        return result.ok() ? "" : result.error().str();
    }
};

TEST_F(TextExpr, CanonicalTextIsKept) {
    for (const char* text : {
             "i",
             "3",
             "-3",
             "-(3)",
             "-(-3)",
             "-i",
             "-(-i)",
             "True",
             "T.int64(-3)",
             "-(T.int64(3))",
             "T.uint64(18446744073709551615)",
             "T.float32(0.5)",
             "T.float32(-0.0)",
             "T.float32(\"inf\")",
             "T.float32(\"-inf\")",
             "T.float32(\"nan\")",
             "T.float64(0.1)",
             "T.float16(0.1)",
             "T.bfloat16(1e-38)",
             "i + j - 3",
             "i - (j - 3)",
             "i + (j + 3)",
             "i + -3",
             "(i + j) * 3 // 4 % 5",
             "i * (j // 3)",
             "T.truncdiv(i, j) + T.truncmod(i, 2)",
             "T.min(i, T.max(j, 3))",
             "i < j and j <= 4 or not b",
             "b and c and b",
             "(b and c) and b",
             "b and (b or c)",
             "not b and c",
             "not (b and c)",
             "(i < j) == b",
             "b != (i == j)",
             "not i < j",
             "i << 2 >> 1",
             "i & 3 | j ^ 1",
             "(i | 3) & j",
             "T.Select(b, x, y)",
             "T.if_then_else(i < 4, A[i, j], T.float32(0.0))",
             "T.Let(k * k, where={k: i + 1})",
             "T.Let(T.Let(k + l, where={l: k}), where={k: i})",
             "T.Cast(\"int64\", i) + n",
             "T.Cast(\"int64\", 3)",
             "A[i, j + 1] / x",
             "Z[()]",
             "T.exp(x) + T.pow(x, y) + T.nearbyint(x) + T.abs(x)",
             "T.abs(i)",
             "T.isnan(x)",
             "T.likely(i < j) and not T.likely(b)",
             "T.call_extern(\"float32\", \"f\", i, x)",
             "T.call_extern(\"float32\", \"f\")",
             "T.undef(\"float32\")",
             "A[0, 0] == T.undef(\"float32\")",
             "defined(A[i, j]) and same(x, A[i, j])",
             "T.uint8(200) + u",
         }) {
        canonical(text);
    }
}

TEST_F(TextExpr, OtherSpellingsReadAsTheSame) {
    same("0 <= i < 4", ctx.and_(ctx.le(ctx.i32(0), i), ctx.lt(i, ctx.i32(4))));
    same("i > j", ctx.lt(j, i));
    same("i >= j", ctx.le(j, i));
    same("x if b else y", ctx.if_then_else(b, x, y));
    same("T.likely(i < j)", ctx.cast(kBool, ctx.lt(i, j)));
    same("T.int64(i)", ctx.cast(kInt64, i));
    same("T.cast(i, \"int64\")", ctx.cast(kInt64, i));
    same("i.astype(\"int64\")", ctx.cast(kInt64, i));
    same("T.let(k, i + 1, k * k)", ctx.let(ctx.var("k", kInt32), ctx.add(i, ctx.i32(1)),
                                           ctx.mul(ctx.var("k", kInt32), ctx.var("k", kInt32))));
    same("T.undef(dtype=\"float32\")", ctx.undef(kFloat32));
    same("A[0, 0] == T.undef()",
         ctx.eq(ctx.load(A, {ctx.i32(0), ctx.i32(0)}), ctx.undef(kFloat32)));
    same("T.round(x)", ctx.math(MathFn::Round, {x}));
    same("T.fabs(x)", ctx.math(MathFn::Abs, {x}));
    same("T.abs(i)", ctx.math(MathFn::Abs, {i}));
    same("T.power(x, y)", ctx.math(MathFn::Pow, {x, y}));
    same("T.shift_left(i, 2)", ctx.make(Op::Shl, {i, ctx.i32(2)}));
    same("T.shift_right(i, 2)", ctx.make(Op::Shr, {i, ctx.i32(2)}));
    same("T.floordiv(i, j)", ctx.floordiv(i, j));
    same("T.indexdiv(i, j)", ctx.floordiv(i, j));
    same("T.floormod(i, j)", ctx.floormod(i, j));
    same("T.indexmod(i, j)", ctx.floormod(i, j));
    same("T.truncdiv(i, j)", ctx.make(Op::TruncDiv, {i, j}));
    same("T.truncmod(i, j)", ctx.make(Op::TruncMod, {i, j}));
    same("T.bitwise_and(i, 7)", ctx.make(Op::BitAnd, {i, ctx.i32(7)}));
    same("T.bitwise_or(i, 7)", ctx.make(Op::BitOr, {i, ctx.i32(7)}));
    same("T.bitwise_xor(i, 7)", ctx.make(Op::BitXor, {i, ctx.i32(7)}));
    same("T.bitwise_not(i)", ctx.make(Op::BitXor, {i, ctx.i32(-1)}));
    same("T.Select(b, i, j)", ctx.select(b, i, j));
    same("T.if_then_else(b, i, j)", ctx.if_then_else(b, i, j));
    same("T.max(i, j)", ctx.max(i, j));
    same("T.Cast(\"int64\", i)", ctx.cast(kInt64, i));
    same("T.int64(3)", ctx.int_imm(kInt64, 3));
    // TVM's definition, also of the type that a neighbour says.
    same("T.ceildiv(i, 4)", ctx.floordiv(ctx.sub(ctx.add(i, ctx.i32(4)), ctx.i32(1)), ctx.i32(4)));
    same("T.ceildiv(i, j)", ctx.floordiv(ctx.sub(ctx.add(i, j), ctx.i32(1)), j));
    const Expr three = ctx.int_imm(kInt64, 3);
    same("n < T.ceildiv(3, 3)",
         ctx.lt(n, ctx.floordiv(ctx.sub(ctx.add(three, three), ctx.int_imm(kInt64, 1)), three)));
    same("~i", ctx.make(Op::BitXor, {i, ctx.i32(-1)}));
    same("~u", ctx.make(Op::BitXor, {u, ctx.int_imm(kUInt8, 255)}));
    same("+i", i);
    same("T.GT(i, j)", ctx.lt(j, i));
    // Older printers add the type of the result.
    same("T.exp(x, dtype=\"float32\")", ctx.math(MathFn::Exp, {x}));
    same("T.if_then_else(b, 1, 2, dtype=\"int64\")", ctx.if_then_else(b, ctx.i64(1), ctx.i64(2)));
    same("T.call_extern(\"f\", i, dtype=\"int32\")", ctx.call_extern(kInt32, "f", {i}));
    same("T.bool(True)", ctx.true_());
    same("0x1F", ctx.i32(31));
    same("1_000", ctx.i32(1000));
    same("T.max_value(\"int32\")", ctx.i32(2147483647));
    same("T.min_value(\"float32\")", ctx.float_imm(kFloat32, -0x1.fffffep127));
    same("T.Div(i, j)", ctx.make(Op::TruncDiv, {i, j}));
    same("( i\n  + j )  # a comment", ctx.add(i, j));
    same("i + \\\n j", ctx.add(i, j));
    same("A[(i, j)]", ctx.load(A, {i, j}));
}

TEST_F(TextExpr, BareLiteralsTakeTheTypeOfTheirNeighbour) {
    same("n + 3", ctx.add(n, ctx.i64(3)));
    same("3 - n", ctx.sub(ctx.i64(3), n));
    same("n * (2 + 3)", ctx.mul(n, ctx.add(ctx.i64(2), ctx.i64(3))));
    same("x + 1", ctx.add(x, ctx.float_imm(kFloat32, 1)));
    same("x < 0.5", ctx.lt(x, ctx.float_imm(kFloat32, 0.5)));
    same("u + 200", ctx.add(u, ctx.int_imm(kUInt8, 200)));
    same("T.min(n, 3)", ctx.min(n, ctx.i64(3)));
    same("T.max(x, -float(\"inf\"))", ctx.max(x, ctx.neg(ctx.float_imm(kFloat32, HUGE_VAL))));
    same("T.if_then_else(b, 0, n)", ctx.if_then_else(b, ctx.i64(0), n));
    same("T.Select(x < 1.0, 1, 2)",
         ctx.select(ctx.lt(x, ctx.float_imm(kFloat32, 1)), ctx.i32(1), ctx.i32(2)));
    EXPECT_EQ(read("3", kInt64), ctx.i64(3));
    EXPECT_EQ(read("0", kFloat16), ctx.float_imm(kFloat16, 0));
    EXPECT_EQ(read("1 + 0.5"), ctx.add(ctx.float_imm(kFloat32, 1), ctx.float_imm(kFloat32, 0.5)));
    EXPECT_EQ(read("-2147483648"), ctx.i32(-2147483648LL));
    EXPECT_EQ(read("0.1"), ctx.float_imm(kFloat32, 0.1F));
}

TEST_F(TextExpr, AMinusSignMakesAConstantOnlyDirectlyBeforeANumber) {
    EXPECT_EQ(read("-3"), ctx.i32(-3));
    EXPECT_EQ(read("-(3)"), ctx.neg(ctx.i32(3)));
    EXPECT_EQ(read("--3"), ctx.neg(ctx.i32(-3)));
    EXPECT_EQ(read("-3 % 5"), ctx.floormod(ctx.i32(-3), ctx.i32(5)));
    EXPECT_EQ(read("i - 3"), ctx.sub(i, ctx.i32(3)));
    EXPECT_EQ(read("i -3"), ctx.sub(i, ctx.i32(3)));
}

TEST_F(TextExpr, LetsInsideEachOtherGetDifferentNames) {
    prints("T.Let(T.Let(k, where={k: k + 1}), where={k: i})",
           "T.Let(T.Let(k_1, where={k_1: k + 1}), where={k: i})");
    // One expression may stand in several places: side by side the name stays.
    prints("T.Let(k, where={k: i}) + T.Let(k, where={k: i})",
           "T.Let(k, where={k: i}) + T.Let(k, where={k: i})");
    // A name of the scope is not taken.
    prints("T.Let(i, where={i: j}) + i", "T.Let(i_1, where={i_1: j}) + i");
}

TEST_F(TextExpr, EveryTypeOfFloatPrintsItsShortestDecimal) {
    EXPECT_EQ(print(ctx.float_imm(kFloat32, 0.1F)), "T.float32(0.1)");
    EXPECT_EQ(print(ctx.float_imm(kFloat64, 0.1F)), "T.float64(0.10000000149011612)");
    EXPECT_EQ(print(ctx.float_imm(kFloat32, 16777216)), "T.float32(16777216.0)");
    EXPECT_EQ(print(ctx.float_imm(kFloat16, 65504)), "T.float16(65504.0)");
    EXPECT_EQ(print(ctx.float_imm(kFloat32, 1e20F)), "T.float32(1e+20)");
    EXPECT_EQ(print(ctx.float_imm(kFloat64, 5e-324)), "T.float64(5e-324)");
    EXPECT_EQ(read("T.float64(5e-324)"), ctx.float_imm(kFloat64, 5e-324));
    EXPECT_EQ(read("T.float64(1e-400)"), ctx.float_imm(kFloat64, 0.0));
}

TEST_F(TextExpr, MistakesAreShownWhereTheyAre) {
    EXPECT_EQ(fails("i + x"),
              "<expression>:1:3: error: the operands of `+` have types int32 and float32\n"
              "  i + x\n"
              "    ^\n"
              "  hint: cast one of them: T.Cast(\"int32\", …)");
    EXPECT_EQ(fails("i / j"),
              "<expression>:1:3: error: `/` does not divide int32\n"
              "  i / j\n"
              "    ^\n"
              "  hint: `//` rounds toward -inf, T.truncdiv toward 0; for floats, cast first");
    EXPECT_EQ(fails("T.expp(x)"),
              "<expression>:1:1: error: `T.expp` is not supported\n"
              "  T.expp(x)\n"
              "  ^\n"
              "  hint: did you mean `T.exp`?");
    EXPECT_EQ(fails("A[i]"),
              "<expression>:1:1: error: `A` has 2 dimensions, but 1 index is given\n"
              "  A[i]\n"
              "  ^");
    EXPECT_EQ(fails("i +\n  k * 2"),
              "<expression>:2:3: error: `k` is not defined\n"
              "    k * 2\n"
              "    ^");
}

TEST_F(TextExpr, WhatIsRefused) {
    const std::pair<const char*, const char*> table[] = {
        {"1.5 + i", "1.5 is a float, but int32 is expected here"},
        {"3000000000", "3000000000 does not fit int32"},
        {"u + 256", "256 does not fit uint8"},
        {"x + 16777217", "16777217 is not exact in float32"},
        {"T.float16(70000.0)", "70000.0 is out of the range of float16"},
        {"99999999999999999999", "too large for every type"},
        {"b + 1", "a bool is expected here, not 1"},
        {"b + c", "`+` does not take bool"},
        {"i and b", "must be bool, not int32"},
        {"not i", "must be bool, not int32"},
        {"b & c", "is for integers, not bool"},
        {"x % y", "is for integers, not float32"},
        {"A", "`A` is a buffer, not a value"},
        {"i[0]", "`i` is a scalar, not a buffer"},
        {"A[b, i]", "an index must be an integer, not bool"},
        {"A[0:2, i]", "a slice as an index has no meaning here"},
        {"T.undef()", "the type of T.undef() is not known here"},
        {"T.exp(i)", "takes floats, not int32"},
        {"T.ceildiv(x, y)", "`T.ceildiv` is for integers, not float32"},
        {"T.ceildiv(i, u)", "the operands of `T.ceildiv` have types int32 and uint8"},
        {"T.ceildiv(i)", "`T.ceildiv` takes 2 arguments, not 1"},
        {"T.power(i, j)", "`T.power` takes floats, not int32"},
        {"T.mod(i, j)", "hint: `%` rounds toward -inf, T.truncmod toward 0"},
        {"T.all(b, c)", "hint: write `a and b`"},
        {"T.logical_not(b)", "hint: write `not a`"},
        {"T.rsqrt(i)", "`T.rsqrt` takes floats, not int32"},
        {"T.rsqrt(x, y)", "`T.rsqrt` takes 1 argument, not 2"},
        {"T.Ramp(i, 1, 4)", "vectors are written as loops"},
        {"int(x)", "hint: write T.int32(x)"},
        {"f(i)", "T.call_extern(\"int32\", \"f\", …)"},
        {"i = 3", "hint: compare with `==`"},
        {"i \u2264 j", "character `\u2264` is not understood"},
        {"i \u2264 j", "hint: write `<=`"},
        {"\xff", "character `\\xff` is not understood"},
        {"\xe2\x28", "character `\\xe2` is not understood"},
        {"T.min(i)", "`T.min` takes 2 arguments, not 1"},
        {"T.min(i, j, 3)", "`T.min` takes 2 arguments, not 3"},
        {"T.if_then_else(i, 1, 2)", "the condition must be bool"},
        {"T.Select(b, i, n)", "the two arms have types int32 and int64"},
        {"T.block(\"b\")", "`T.block` is a statement, not a value"},
        {"T.Cast(\"flaot32\", i)", "did you mean `float32`?"},
        {"T.undef(dtyp=\"int32\")", "did you mean `dtype`?"},
        {"i ** 2", "operator `**` is not supported"},
        {"i is j", "`is` between expressions is not supported"},
        {"i +", "expected an expression, found the end of the text"},
        {"(i + j", "`(` is never closed"},
        {"(i + j]", "`]` closes `(` of line 1"},
        {"i j", "expected the end of the expression, found `j`"},
        {"\"text", "this string is not closed"},
        {"i $ j", "character `$` is not understood"},
        {"lambda i: i", "a lambda is not a value"},
        {"[k for k in i]", "what Python computes has no meaning here"},
        {"f\"x\"", "prefix `f`"},
        {"T", "`T` is not defined"},
        {"T.float32", "`T.float32` is not a value"},
        {"A.data", "attribute `.data` has no meaning here"},
        {"u == i", "have types uint8 and int32"},
        {"defined(i)", "`defined` takes a load"},
        {"T.exp(x, dtype=\"float64\")", "the result of `T.exp` is float32, not float64"},
        {"T.call_extern(\"f\")", "`T.call_extern` takes 2 arguments, not 1"},
        {"T.call_extern(dtype=\"int32\")", "`T.call_extern` takes at least 2 arguments, not 1"},
    };
    for (const auto& [text, message] : table) {
        EXPECT_THAT(fails(text), testing::HasSubstr(message)) << text;
    }
    EXPECT_THAT(fails("i", kInt64), testing::HasSubstr("this expression is int32, not int64"));
}

// No input may exhaust the stack: deep nesting and long chains are errors.
TEST_F(TextExpr, DepthIsLimited) {
    const auto repeat = [](const std::string& part, int times) {
        std::string out;
        for (int k = 0; k < times; ++k) out += part;
        return out;
    };
    EXPECT_EQ(read(repeat("(", 150) + "i" + repeat(")", 150)), i);
    EXPECT_THAT(fails(repeat("(", 2000) + "i" + repeat(")", 2000)),
                testing::HasSubstr("nested more than 200 deep"));
    EXPECT_THAT(fails(repeat("-", 100000) + "i"), testing::HasSubstr("nested more than 200"));
    EXPECT_THAT(fails(repeat("not ", 100000) + "b"), testing::HasSubstr("nested more than 200"));
    EXPECT_THAT(fails("i" + repeat(" + i", 100000)),
                testing::HasSubstr("more than 1000 operators deep"));
    EXPECT_THAT(fails("b" + repeat(" and b", 100000)),
                testing::HasSubstr("more than 1000 operators deep"));
    EXPECT_THAT(fails("0" + repeat(" < i", 100000)),
                testing::HasSubstr("more than 1000 operators deep"));
    EXPECT_THAT(fails("T" + repeat(".a", 100000)),
                testing::HasSubstr("more than 1000 operators deep"));
    read("i" + repeat(" + i", 900));
    read("b" + repeat(" and b", 900));
}

TEST(Sha256, IsTheStandardOne) {
    EXPECT_EQ(sha256_hex("abc"),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace proviso::ir
