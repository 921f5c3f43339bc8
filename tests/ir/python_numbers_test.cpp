// Operators of numbers are computed as Python does it, before anything has a type.
#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct PythonNumbers : TextReader {
    static constexpr const char* kCells =
        "D: T.Buffer((4,), \"uint8\"), S: T.Buffer((4,), \"int8\"), A: T.Buffer((4,), "
        "\"float32\"), "
        "H: T.Buffer((4,), \"float16\"), C: T.Buffer((4,), \"int32\"), b: T.Buffer((4,), \"bool\")";
    void line_is(const std::string& line, const std::string& canonical_line) {
        reads_as(function(kCells, line + "\n"), function(kCells, canonical_line + "\n"));
    }
    std::string line_fails(const std::string& line) { return fails(function(kCells, line + "\n")); }
};

TEST_F(PythonNumbers, IntegersDoNotWrapInTheTypeOfTheirPlace) {
    line_is("D[0] = (200 + 100) // 2", "D[0] = T.uint8(150)");
    line_is("S[0] = (100 + 100) // 4", "S[0] = T.int8(50)");
    line_is("C[0] = 65536 * 65536 // 65536", "C[0] = 65536");
    line_is("C[0] = (1 << 33) >> 30", "C[0] = 8");
    line_is("C[0] = 2 ** 70 >> 68", "C[0] = 4");
    line_is("b[0] = D[0] == (200 + 100) // 2", "b[0] = D[0] == T.uint8(150)");
    line_is("D[0] = D[1] & (200 + 100) // 2", "D[0] = D[1] & T.uint8(150)");
}

TEST_F(PythonNumbers, FloatsAreDoubles) {
    line_is("A[0] = 16777216.0 + 1.0 - 16777216.0", "A[0] = T.float32(1.0)");
    line_is("H[0] = 60000.0 * 2 / 4", "H[0] = T.float16(30000.0)");
    line_is("b[0] = 0.1 + 0.2 == 0.3", "b[0] = False");
    line_is("b[0] = 0.5 + 0.25 == 0.75", "b[0] = True");
    line_is("A[0] = 7 / 2", "A[0] = T.float32(3.5)");
    line_is("A[0] = -0.0 * 1.0", "A[0] = T.float32(-0.0)");
    line_is("A[0] = -float(\"inf\")", "A[0] = T.float32(\"-inf\")");
    line_is("A[0] = 0.1 + 0.2", "A[0] = T.float32(0.3)");
}

// Floor and rest go toward the divisor's sign, of floats as well.
TEST_F(PythonNumbers, DivisionRoundsDown) {
    line_is("C[0] = -7 // 2", "C[0] = -4");
    line_is("C[0] = -7 % 3", "C[0] = 2");
    line_is("C[0] = 7 % -3", "C[0] = -2");
    line_is("C[0] = 7 // -1", "C[0] = -7");
    line_is("A[0] = -7.5 // 2", "A[0] = T.float32(-4.0)");
    line_is("A[0] = -7.5 % 2", "A[0] = T.float32(0.5)");
    line_is("A[0] = 7.5 % -2", "A[0] = T.float32(-0.5)");
    line_is("A[0] = 2 ** -1", "A[0] = T.float32(0.5)");
    line_is("C[0] = -5 >> 1", "C[0] = -3");
}

TEST_F(PythonNumbers, ComparisonsLogicAndBits) {
    line_is("b[0] = 1 < 2 < 3", "b[0] = True");
    line_is("b[0] = 3 == 3.0 and not 2 > 5", "b[0] = True");
    line_is("b[0] = 2 ** 60 + 1 == 1152921504606846976.0", "b[0] = False");
    line_is("C[0] = 0 or 7", "C[0] = 7");
    line_is("C[0] = 5 and 6", "C[0] = 6");
    line_is("C[0] = ~5 & 0xff", "C[0] = 250");
    line_is("C[0] = True + True", "C[0] = 2");
    line_is("C[0] = C[1] if 3 > 2 else C[2]", "C[0] = C[1]");
}

TEST_F(PythonNumbers, CallsOfPython) {
    line_is("C[0] = max(3, abs(-7), 2) + min(4, 9)", "C[0] = 11");
    line_is("C[0] = int(7 / 2) + len([1, 2, 3])", "C[0] = 6");
    line_is("A[0] = float(3) / 2", "A[0] = T.float32(1.5)");
}

TEST_F(PythonNumbers, ConstantsOfTheFileAreNumbers) {
    const std::string constants = "N = (200 + 100) // 2\nHALF = 1 / 2\nM = N + 1.0 * 0\n";
    reads_as(constants + function(kCells, "D[0] = N\nA[0] = HALF * 3\nC[0] = N * 2 - 299\n"),
             function(kCells, "D[0] = T.uint8(150)\nA[0] = T.float32(1.5)\nC[0] = 1\n"));
}

// What has a type computes in it.
TEST_F(PythonNumbers, TypedConstantsAreNoNumbers) {
    canonical(function(kCells, "D[0] = (T.uint8(200) + T.uint8(100)) // T.uint8(2)\n"));
    canonical(function(kCells, "C[0] = T.int32(3) - 1\n"));
    canonical(function(kCells, "C[0] = C[1] + 1 + 2\n"));
    line_is("C[0] = C[1] + (1 + 2)", "C[0] = C[1] + 3");
    canonical(function(kCells, "C[0] = T.truncdiv(7, 2)\n"));
    line_is("D[0] = (T.min(200, 100) + 200) // 2",
            "D[0] = T.Cast(\"uint8\", (T.min(200, 100) + 200) // 2)");
    line_is("D[0] = T.min(200, 100)", "D[0] = T.min(T.uint8(200), T.uint8(100))");
}

// Every operator of constants in a program prints so that it reads back as that operator.
TEST_F(PythonNumbers, OperatorsOfConstantsPrintWithAType) {
    const Buffer c = ctx.buffer("C", kInt32, {ctx.int_imm(kInt32, 4)}, "global");
    const auto num = [&](int n) { return ctx.int_imm(kInt32, n); };
    const auto reads_back = [&](Expr value, const std::string& line) {
        const Function f{"f", {c}, {}, ctx.store(c, {num(0)}, value)};
        const std::string text =
            "@T.prim_func\ndef f(C: T.Buffer((4,), \"int32\")):\n    C[0] = " + line + "\n";
        EXPECT_EQ(print(f), text);
        const auto back = parse_function(ctx, text, "f.py");
        ASSERT_TRUE(back.ok()) << back.error().str();
        EXPECT_TRUE(*back == f) << text;
    };
    reads_back(ctx.sub(num(3), num(1)), "T.int32(3) - 1");
    reads_back(ctx.mul(num(2), ctx.sub(num(3), num(1))), "2 * (T.int32(3) - 1)");
    reads_back(ctx.mul(ctx.sub(num(3), num(1)), num(2)), "(T.int32(3) - 1) * 2");
    reads_back(ctx.neg(num(3)), "-(T.int32(3))");
    reads_back(ctx.select(ctx.make(Op::Lt, {num(3), num(4)}), num(1), num(2)),
               "T.Select(T.int32(3) < 4, 1, 2)");
    reads_back(ctx.select(ctx.not_(ctx.bool_imm(true)), num(1), num(2)),
               "T.Select(not T.bool(True), 1, 2)");
    reads_back(ctx.select(ctx.and_(ctx.bool_imm(true), ctx.bool_imm(false)), num(1), num(2)),
               "T.Select(T.bool(True) and False, 1, 2)");
    reads_back(ctx.make(Op::Min, {num(3), num(4)}), "T.min(3, 4)");
    // Expressions that stand alone are read without computing, and printed so.
    EXPECT_EQ(print(ctx.sub(num(3), num(1))), "3 - 1");
    EXPECT_TRUE(*parse_expr(ctx, "3 - 1", Scope{}) == ctx.sub(num(3), num(1)));
}

TEST_F(PythonNumbers, MistakesNameTheirPlace) {
    EXPECT_THAT(line_fails("C[0] = 4 + 1 // 0"), HasSubstr("f.py:3:18: error: a division by zero"));
    EXPECT_THAT(line_fails("A[0] = 1.0 / 0"), HasSubstr("a division by zero"));
    EXPECT_THAT(line_fails("C[0] = 5 % 0"), HasSubstr("a division by zero"));
    EXPECT_THAT(line_fails("C[0] = 1 << -1"), HasSubstr("a shift by a negative number"));
    EXPECT_THAT(line_fails("C[0] = 2 ** 200"), HasSubstr("more than 127 bits"));
    EXPECT_THAT(line_fails("A[0] = 1e308 * 10"), HasSubstr("too large for a float"));
    EXPECT_THAT(line_fails("D[0] = 200 + 100"), HasSubstr("300 does not fit uint8"));
    EXPECT_THAT(line_fails("C[0] = 1 << 33"),
                HasSubstr("does not fit int32 (-2**31 to 2**31 - 1)"));
    EXPECT_THAT(line_fails("H[0] = 60000.0 * 2"), HasSubstr("out of the range of float16"));
    EXPECT_THAT(line_fails("A[0] = 1.5 << 2"), HasSubstr("`<<` is for integers"));
    EXPECT_THAT(fails("N = 3 // 0\n" + function(kCells, "C[0] = 1\n")),
                HasSubstr("f.py:1:7: error: a division by zero"));
}

// Lists of lists pass the limit of one list together.
TEST_F(PythonNumbers, WhatPythonMakesIsLimited) {
    const char* text =
        "x = T.meta_var([[k for k in range(9999)] for j in range(9999)])\nC[0] = 1\n";
    EXPECT_THAT(fails(function(kCells, text)), HasSubstr("has more than 1000000 values"));
    std::string doubled = "L0 = [1, 2]\n";
    for (int i = 1; i < 40; ++i) {
        const std::string before = "L" + std::to_string(i - 1);
        doubled += "L" + std::to_string(i) + " = [" + before + ", " + before + "]\n";
    }
    EXPECT_THAT(fails(doubled + function(kCells, "C[0] = 1\n")), HasSubstr("more than 1000000"));
    const char* within =
        "x = T.meta_var([[k for k in range(99)] for j in range(99)])\nC[0] = x[2][3]\n";
    reads_as(function(kCells, within), function(kCells, "C[0] = 3\n"));
}

}  // namespace
}  // namespace proviso::ir
