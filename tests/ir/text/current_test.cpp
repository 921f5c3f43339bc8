// Spellings that TVM prints since version 0.27, beside those of the versions before.
#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextCurrent : TextReader {
    // A body over A (4, 4) of float32 and B (2, 3, 4) of int32.
    static constexpr const char* kBuffers =
        "A: T.Buffer((4, 4), \"float32\"), B: T.Buffer((2, 3, 4), \"int32\"), n: T.int32";
    void over(const std::string& text, const std::string& canonical_text) {
        reads_as(function(kBuffers, text), function(kBuffers, canonical_text));
    }
    std::string over_fails(const std::string& text) { return fails(function(kBuffers, text)); }
    // Kept without a meaning, with this reason.
    void over_opaque(const std::string& text, const std::string& reason) {
        const auto file = parse_program(ctx, function(kBuffers, text), "f.py");
        ASSERT_TRUE(file.ok()) << text << file.error().str();
        ASSERT_EQ(file->opaque.size(), 1U) << text;
        EXPECT_THAT(file->opaque[0].reason.str(), HasSubstr(reason)) << text;
    }
};

// X = A.view(…) is T.decl_buffer of all of A.
TEST_F(TextCurrent, ViewsByMethodAreAllCellsInAnotherShape) {
    for (const char* head : {"X = A.view(16)", "X = A.view(-1)", "X = A.view(4 * 4)",
                             "X = T.decl_buffer((16,), \"float32\", data=A.data)"}) {
        over(std::string(head) + "\nX[n] = X[3]", "A[n // 4, n % 4] = A[0, 3]");
    }
    for (const char* head : {"X = A.view(2, 8)", "X = A.view(2, -1)", "X = A.view(-1, 8)"}) {
        over(std::string(head) + "\nX[n, 3] = T.float32(0)",
             "A[(n * 8 + 3) // 4, (n * 8 + 3) % 4] = T.float32(0.0)");
    }
    // Of an allocation, of a view, and dimensions that stay as they are.
    over("X = T.alloc_buffer((8, 2), \"int32\")\nY = X.view(16)\nZ = Y.view(4, 4)\nZ[n, 1] = 0",
         "X = T.alloc_buffer((8, 2), \"int32\")\nX[(n * 4 + 1) // 2, (n * 4 + 1) % 2] = 0");
    over("X = B.view(6, 4)\nX[n, 1] = 0", "B[n // 3, n % 3, 1] = 0");
}

TEST_F(TextCurrent, ViewsByMethodOfSymbolicShape) {
    const std::string head =
        "@T.prim_func\ndef f(var_A: T.handle, n: T.int64):\n"
        "    A = T.match_buffer(var_A, (n, T.int64(16)), \"float32\")\n";
    const std::string plain = head + "    A[n - T.int64(1), T.int64(3)] = T.float32(0.0)\n";
    for (const char* view : {"X = A.view(n, T.int64(16))", "X = A.view(-1, 16)",
                             "X = A.view(n, T.int64(-1))", "X = A.view(n, -1)"}) {
        const bool typed = std::string(view).find("T.int64(-1)") != std::string::npos;
        const std::string text =
            head + "    " + view + "\n    X[n - T.int64(1), T.int64(3)] = T.float32(0)\n";
        if (typed) {  // a typed -1 is an extent, and no buffer has it
            EXPECT_THAT(fails(text), HasSubstr("an extent is negative"));
        } else {
            reads_as(text, plain);
        }
    }
    reads_as(head + "    X = A.view(n * T.int64(16))\n    X[n] = T.float32(0)\n",
             head + "    A[n // T.int64(16), n % T.int64(16)] = T.float32(0.0)\n");
}

TEST_F(TextCurrent, ViewsByMethodOfOtherCellsAreRefused) {
    EXPECT_THAT(over_fails("X = A.view(15)\nX[0] = T.float32(0)"),
                HasSubstr("this view has 15 cells, and `A` has 16 cells"));
    EXPECT_THAT(over_fails("X = A.view(4, 2)"), HasSubstr("this view has 8 cells"));
    EXPECT_THAT(over_fails("X = A.view(3, -1)"), HasSubstr("16 cells do not divide into 3 cells"));
    EXPECT_THAT(over_fails("X = A.view(-1, -1)"), HasSubstr("only one extent"));
    EXPECT_THAT(over_fails("X = A.view(0, -1)"), HasSubstr("do not divide into 0 cells"));
    EXPECT_THAT(over_fails("X = n.view(4)"), HasSubstr("`n` is a scalar, not a buffer"));
    EXPECT_THAT(over_fails("X = M.view(4)"), HasSubstr("`M` is not defined"));
    EXPECT_THAT(over_fails("x: T.int32 = A.view(16)"), HasSubstr("a buffer has no annotation"));
}

TEST_F(TextCurrent, ViewsByMethodWithoutAMeaning) {
    over_opaque("X = A.view(\"uint8\")", "a view of another type has no meaning here");
    over_opaque("X = A.view(16, layout=\"default\")", "a layout of a buffer");
    over_opaque(
        "X = T.decl_buffer((4,), \"float32\", data=A.data, elem_offset=4)\nY = X.view(2, 2)",
        "`X` does not start where its memory does");
    over_opaque("X = T.alloc_buffer((4, 4), \"float32\", strides=[8, 1])\nY = X.view(16)",
                "has strides");
}

// A quoted expression in a shape defines what nothing binds: an int32.
TEST_F(TextCurrent, QuotedNamesOfShapesAreSizes) {
    const std::string plain =
        "@T.prim_func\ndef f(var_A: T.handle, var_C: T.handle, n: T.int32):\n"
        "    A = T.match_buffer(var_A, (n, 16), \"float32\")\n"
        "    C = T.match_buffer(var_C, (n * 16,), \"float32\")\n"
        "    C[n] = A[n - 1, 3]\n";
    const std::string line = "    C[n] = A[n - 1, 3]\n";
    const auto with = [&](const std::string& a, const std::string& c, const std::string& head) {
        return "@T.prim_func\ndef f(A: T.Buffer(" + a + ", \"float32\"), C: T.Buffer(" + c +
               ", \"float32\")):\n" + head + line;
    };
    reads_as(with("(\"n\", 16)", "(\"n * 16\",)", ""), plain);
    reads_as(with("(\"n\", 16)", "(n * 16,)", ""), plain);
    reads_as(with("(\"n\", 16)", "\"n * 16\"", "    n = T.int32()\n"), plain);
    // A name alone is looked up, and so is one of another function.
    EXPECT_THAT(fails(with("(n, 16)", "(\"n\",)", "")), HasSubstr("`n` is not defined"));
    EXPECT_THAT(fails(with("(\"n\", 16)", "(n,)", "    n = T.int64()\n")),
                HasSubstr("`n` is int32 in the shape above"));
    EXPECT_THAT(fails(with("(\"n +\", 16)", "(4,)", "")), HasSubstr("\"n +\" is no expression"));
    EXPECT_THAT(fails(with("(\"C\", 16)", "(4,)", "")), HasSubstr("`C` is a buffer, not a size"));
}

// A constant of the file is no size.
TEST_F(TextCurrent, QuotedConstantsOfTheFile) {
    const std::string line = "    A[0, 0] = T.float32(0)\n";
    reads_as("N = 16\n@T.prim_func\ndef f(A: T.Buffer((\"N\", 4), \"float32\")):\n" + line,
             "@T.prim_func\ndef f(A: T.Buffer((16, 4), \"float32\")):\n"
             "    A[0, 0] = T.float32(0.0)\n");
    reads_as(
        "N = 16\n@T.prim_func\n"
        "def f(A: T.Buffer((\"N * m\", \"N // 4\"), \"float32\")):\n    A[m, N] = T.float32(0)\n",
        "@T.prim_func\ndef f(var_A: T.handle, m: T.int32):\n"
        "    A = T.match_buffer(var_A, (16 * m, 4), \"float32\")\n"
        "    A[m, 16] = T.float32(0.0)\n");
    // A parameter of the name hides it.
    reads_as(
        "N = 16\n@T.prim_func\ndef f(A: T.Buffer((\"N\", 4), \"float32\"), N: T.int32):\n" + line,
        "@T.prim_func\ndef f(var_A: T.handle, N: T.int32):\n"
        "    A = T.match_buffer(var_A, (N, 4), \"float32\")\n"
        "    A[0, 0] = T.float32(0.0)\n");
    EXPECT_THAT(
        fails("N = 0.5\n@T.prim_func\ndef f(A: T.Buffer((\"N\", 4), \"float32\")):\n" + line),
        HasSubstr("an extent must be an integer"));
}

TEST_F(TextCurrent, QuotedNamesOfScalarParametersAreThese) {
    reads_as(
        "@T.prim_func\ndef f(A: T.Buffer((\"n\",), \"float32\"), n: T.int64, s: T.float32):\n"
        "    A[n - T.int64(1)] = s\n",
        "@T.prim_func\ndef f(var_A: T.handle, n: T.int64, s: T.float32):\n"
        "    A = T.match_buffer(var_A, (n,), \"float32\")\n    A[n - T.int64(1)] = s\n");
}

// n = TypeVar("n") and def f[n](…): an int64.
TEST_F(TextCurrent, TypeVariablesAreSizesOfInt64) {
    const std::string plain =
        "@T.prim_func\ndef f(var_A: T.handle, n: T.int64):\n"
        "    A = T.match_buffer(var_A, (n, 4), \"float32\")\n    A[n - T.int64(1), 0] = "
        "T.float32(0.0)\n";
    const std::string body = "    A[n - T.int64(1), 0] = T.float32(0)\n";
    const std::string head = "@T.prim_func\ndef f";
    for (const std::string& text :
         {"from typing import TypeVar\nn = TypeVar(\"n\")\n" + head +
              "(A: T.Buffer((n, 4), \"float32\")):\n" + body,
          "n = TypeVar(\"n\")\nother = TypeVar(\"other\")\n" + head +
              "(A: T.Buffer((\"n\", 4), \"float32\")):\n" + body,
          head + "[n](A: T.Buffer((n, 4), \"float32\")):\n" + body,
          head + "[n: int](A: T.Buffer((n, 4), \"float32\")):\n" + body}) {
        reads_as(text, plain);
    }
    // A parameter of the name is meant instead.
    reads_as(
        "n = TypeVar(\"n\")\n@T.prim_func\ndef f(A: T.Buffer((\"n\",), \"int32\"), n: "
        "T.int32):\n    A[n - 1] = 0\n",
        "@T.prim_func\ndef f(var_A: T.handle, n: T.int32):\n"
        "    A = T.match_buffer(var_A, (n,), \"int32\")\n    A[n - 1] = 0\n");
    EXPECT_THAT(fails(head + "[n: float](A: T.Buffer((n, 4), \"float32\")):\n" + body),
                HasSubstr("a type parameter is a size, of int"));
    EXPECT_THAT(fails(head + "[n](A: T.Buffer((4, 4), \"float32\"), n: T.int32):\n" + body),
                HasSubstr("parameter `n` is given twice"));
    EXPECT_THAT(fails(head + "[n](A: T.Buffer((4, 4), \"float32\")):\n    pass\n"),
                HasSubstr("`n` is in no shape of a parameter"));
}

// An opaque function keeps what it says of its sizes.
TEST_F(TextCurrent, OpaqueFunctionsKeepTheirSizes) {
    const std::string text =
        "n = TypeVar(\"n\")\n\n@T.prim_func\ndef f[m, k: int](A: T.Buffer((n, m, \"j * k\"), "
        "\"float32\")):\n    while n < j:\n        A[0, m, k] = T.float32(0)\n";
    const auto file = parse_program(ctx, text, "f.py");
    ASSERT_TRUE(file.ok()) << file.error().str();
    ASSERT_EQ(file->opaque.size(), 1U);
    EXPECT_EQ(file->canonical, text);
}

TEST_F(TextCurrent, QuotedStridesOfAWindow) {
    const std::string head = "with T.block(\"b\"):\n    v = T.axis.spatial(4, n)\n";
    over(head +
             "    X = T.match_buffer(A[v, 0:4], (4,), strides=(\"s0\",), offset_factor=1)\n"
             "    X[1] = X[0] + T.Cast(\"float32\", s0)",
         head + "    A[v, 1] = A[v, 0] + T.Cast(\"float32\", 1)");
    EXPECT_THAT(over_fails(head + "    X = T.match_buffer(A[v, 0:4], (4,), strides=(\"s + 1\",))"),
                HasSubstr("a stride in quotes is a name"));
}

TEST_F(TextCurrent, BuffersByScope) {
    for (const char* line : {"X = T.alloc_local((4, 2), \"int32\")", "X: T.int32[4, 2]"}) {
        over(std::string(line) + "\nX[n, 0] = n",
             "X = T.alloc_buffer((4, 2), \"int32\", scope=\"local\")\nX[n, 0] = n");
    }
    over("X = T.alloc_shared((4,))\nX[n] = T.float32(0)",
         "X = T.alloc_buffer((4,), \"float32\", scope=\"shared\")\nX[n] = T.float32(0.0)");
    over("X: T.float16[4]\nX[n] = T.float16(0)",
         "X = T.alloc_buffer((4,), \"float16\", scope=\"local\")\nX[n] = T.float16(0.0)");
    EXPECT_THAT(over_fails("X: T.int32[4] = 1"), HasSubstr("a buffer has no first value"));
    EXPECT_THAT(over_fails("T.alloc_local((4,))"), HasSubstr("`T.alloc_local` needs a name"));
}

// T.attr of a loop, as a line, is an annotation of the loop.
TEST_F(TextCurrent, AttributesOfLoopsAreAnnotations) {
    over(
        "for i in range(4):\n    T.attr(i, \"pragma_unroll_explicit\", 0)\n    A[i, 0] = "
        "T.float32(0)",
        "for i in T.serial(4, annotations={\"pragma_unroll_explicit\": 0}):\n    A[i, 0] = "
        "T.float32(0.0)");
    over(
        "T.attr({\"pragma_scope\": \"seq\", \"pragma_unroll_explicit\": True})\n"
        "for i in range(4):\n    A[i, 0] = T.float32(0)",
        "for i in T.serial(4, annotations={\"pragma_scope\": \"seq\", "
        "\"pragma_unroll_explicit\": True}):\n    A[i, 0] = T.float32(0.0)");
    over(
        "j = T.int32()\nT.attr(j, \"pragma_auto_unroll_max_step\", 16)\n"
        "for i, j in T.grid(4, 4):\n    A[i, j] = T.float32(0)",
        "for i in range(4):\n"
        "    for j_1 in T.serial(4, annotations={\"pragma_auto_unroll_max_step\": 16}):\n"
        "        A[i, j_1] = T.float32(0.0)");
    over_opaque("T.attr({\"pragma_scope\": \"seq\"})\nA[0, 0] = T.float32(0)",
                "neither around it nor its next line");
    over_opaque("T.attr({\"pragma_debug_skip_region\": 1})\nfor i in range(4):\n    pass",
                "only attributes of loops");
    over_opaque("for i in range(4):\n    T.attr(i, \"pragma_import_c\", \"\")\n    pass",
                "only the attributes \"thread_extent\"");
}

// Since TVM 0.27 `x = v` is a buffer of one cell, and a later `x = w` stores to it.
TEST_F(TextCurrent, ScalarsThatABodyChangesAreBuffers) {
    const std::string plain =
        "acc = T.alloc_buffer((1,), \"float32\", scope=\"local\")\nacc[0] = T.float32(0.0)\n"
        "for k in range(4):\n    acc[0] = acc[0] + A[n, k]\nA[n, 0] = acc[0]";
    for (const char* first : {"acc: T.float32 = T.float32(0.0)", "acc = T.float32(0.0)",
                              "acc: T.float32\nacc = T.float32(0.0)", "acc: T.float32 = 0"}) {
        for (const char* change : {"acc = acc + A[n, k]", "acc += A[n, k]"}) {
            over(std::string(first) + "\nfor k in range(4):\n    " + change + "\nA[n, 0] = acc",
                 plain);
        }
    }
    over("t: T.int32\nt = 1\nB[0, 0, t] = 0",
         "t = T.alloc_buffer((1,), \"int32\", scope=\"local\")\nt[0] = 1\nB[0, 0, t[0]] = 0");
    over("t = n\nt += 2\nB[0, 0, t] = 0",
         "t = T.alloc_buffer((1,), \"int32\", scope=\"local\")\nt[0] = n\nt[0] = t[0] + 2\n"
         "B[0, 0, t[0]] = 0");
    // Both branches, and what follows them.
    over("t = 1\nif n < 3:\n    t = 2\nelse:\n    t = 3\nt = t + 1\nB[0, 0, t] = 0",
         "t = T.alloc_buffer((1,), \"int32\", scope=\"local\")\nt[0] = 1\nif n < 3:\n    t[0] = 2\n"
         "else:\n    t[0] = 3\nt[0] = t[0] + 1\nB[0, 0, t[0]] = 0");
    // A store casts, as all stores do.
    over("t: T.float32 = 1\nfor k in range(4):\n    t = k\nA[0, 0] = t",
         "t = T.alloc_buffer((1,), \"float32\", scope=\"local\")\nt[0] = T.float32(1.0)\n"
         "for k in range(4):\n    t[0] = T.Cast(\"float32\", k)\nA[0, 0] = t[0]");
}

TEST_F(TextCurrent, ScalarsThatNoBodyChangesAreLets) {
    over("t = n\nt = t + 1\nB[0, 0, t] = 0",
         "t: T.int32 = n\nt_1: T.int32 = t + 1\nB[0, 0, t_1] = 0");
    over("for i in range(4):\n    t = i\n    B[0, 0, t] = 0\nt = n\nB[0, 0, t] = 0",
         "for i in range(4):\n    t: T.int32 = i\n    B[0, 0, t] = 0\nt_1: T.int32 = n\n"
         "B[0, 0, t_1] = 0");
    // A declaration in the body is of another scalar.
    over(
        "t = n\nfor i in range(4):\n    t: T.int32 = i\n    t = t + 1\n    B[0, 0, t] = 0\n"
        "B[0, 0, t] = 1",
        "t: T.int32 = n\nfor i in range(4):\n    t_1: T.int32 = i\n    t_2: T.int32 = t_1 + 1\n"
        "    B[0, 0, t_2] = 0\nB[0, 0, t] = 1");
    over("t = n\nfor t in range(4):\n    B[0, 0, t] = 0\nB[0, 0, t] = 1",
         "t: T.int32 = n\nfor t_1 in range(4):\n    B[0, 0, t_1] = 0\nB[0, 0, t] = 1");
    // TVM 0.27 casts to the type of the first value; versions before gave the name another type.
    EXPECT_THAT(over_fails("t = n\nt = A[0, 0]"),
                HasSubstr("`t` is int32, and this value is float32"));
    EXPECT_THAT(over_fails("t = n\nt = T.int64(3)"), HasSubstr("write the cast"));
}

// What does not change in TVM, or is a new name there, is refused where it would look like a
// change.
TEST_F(TextCurrent, WhatDoesNotChange) {
    const std::string change = "\nfor k in range(4):\n    t = k\nB[0, 0, t] = 0";
    for (const char* first : {"t: T.let[T.int32] = n", "t: T.let = n", "t = T.bind(n)"}) {
        EXPECT_THAT(over_fails(first + change), HasSubstr("this does not change the `t` outside"));
    }
    EXPECT_THAT(over_fails("for k in range(4):\n    n = k"),
                HasSubstr("this does not change the `n` outside"));
    EXPECT_THAT(over_fails("for k in range(4):\n    n += k"),
                HasSubstr("only cells of buffers can be changed"));
    EXPECT_THAT(over_fails("t = n\nfor k in range(4):\n    t = k\nt = T.bind(n)"),
                HasSubstr("`t` is a buffer already"));
    EXPECT_THAT(over_fails("A = n"), HasSubstr("`A` is a buffer already"));
    EXPECT_THAT(over_fails("t: T.let[T.int32]"), HasSubstr("`t` has no value"));
}

// The name of a buffer of shape (1,) is its cell.
TEST_F(TextCurrent, OneCellByItsName) {
    const std::string params = "C: T.Buffer((1,), \"int32\"), D: T.Buffer((8,), \"int32\")";
    reads_as(
        function(params, "C = 16\nD[C] = C + 1\nC += 2\nif C < 3:\n    C = D[0]"),
        function(params,
                 "C[0] = 16\nD[C[0]] = C[0] + 1\nC[0] = C[0] + 2\nif C[0] < 3:\n    C[0] = D[0]"));
    EXPECT_THAT(fails(function(params, "D[0] = D")), HasSubstr("`D` is a buffer, not a value"));
    EXPECT_THAT(fails(function(params, "D = 1")), HasSubstr("`D` is a buffer already"));
    // A second name of the buffer in TVM, which would see later stores.
    EXPECT_THAT(fails(function(params, "x = C\nD[0] = x")),
                HasSubstr("`C` is a buffer, not a value"));
    reads_as(function(params, "x: T.int32 = C\nC = 3\nD[0] = x"),
             function(params, "x: T.int32 = C[0]\nC[0] = 3\nD[0] = x"));
}

TEST_F(TextCurrent, ReciprocalSquareRoot) {
    over("A[0, 0] = T.rsqrt(A[0, 1])", "A[0, 0] = T.float32(1.0) / T.sqrt(A[0, 1])");
    reads_as(function("H: T.Buffer((4,), \"float16\")", "H[0] = T.rsqrt(H[1] + T.float16(1))"),
             function("H: T.Buffer((4,), \"float16\")",
                      "H[0] = T.float16(1.0) / T.sqrt(H[1] + T.float16(1.0))"));
}

}  // namespace
}  // namespace proviso::ir
