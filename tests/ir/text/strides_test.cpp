// Buffers with strides: flat memory, in which cells that share memory share it.
#include "ir/text/reader/strides.h"
#include "tests/ir/text/results.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextStrides : TextResults {
    // A function of `declared`, which is the parameter A, and of `B: (8,)` and n.
    static std::string over(const std::string& declared, const std::string& body) {
        return function(declared + ", B: T.Buffer((8,), \"int32\"), n: T.int32", body);
    }
    void parameter_as(const std::string& declared, const std::string& body, const std::string& flat,
                      const std::string& tensor, const std::string& read) {
        const std::string note =
            "T.func_attr({\"" + std::string(kStridesAttr) + "\": {\"A\": \"" + tensor + "\"}})\n";
        reads_as(over(declared, body), over(flat, note + read));
    }
    static Inputs inputs(const Tensor& a) {
        return {{"A", a}, {"B", counted({8}, 100)}, {"n", Value::of_int(0)}};
    }
    std::string opaque(const std::string& text) {
        const auto file = parse_program(ctx, text, "f.py");
        EXPECT_TRUE(file.ok()) << file.error().str();
        return file.ok() && file->opaque.size() == 1 ? file->opaque[0].reason.message : "";
    }
};

TEST_F(TextStrides, AllocationsAreFlat) {
    // 1 + 3 * 9 + 7 cells: behind the last row there is no gap.
    body_as("X = T.alloc_buffer((4, 8), \"int32\", strides=[9, 1])\nX[n, 2] = X[1, n]",
            "X = T.alloc_buffer((35,), \"int32\")\nX[n * 9 + 2] = X[9 + n]");
    body_as("X = T.alloc_buffer((4, 8), \"int32\", scope=\"shared\", strides=[1, 4])\nX[n, 2] = 0",
            "X = T.alloc_buffer((32,), \"int32\", scope=\"shared\")\nX[n + 8] = 0");
    body_as("with T.decl_buffer((3, 0, 2), \"int32\", strides=[7, 3, 1]) as X:\n    pass\nB[0] = 1",
            "with T.decl_buffer((0,), \"int32\") as X:\n    pass\nB[0] = 1");
    body_as("X = T.alloc_buffer((4, 3), \"int32\", strides=[n, 1])\nX[n, 2] = 0",
            "X = T.alloc_buffer((3 * n + 3,), \"int32\")\nX[n * n + 2] = 0");
    // The number of a cell that int32 does not hold.
    body_as("X = T.alloc_buffer((65536, 2), \"int8\", strides=[65537, 1])\nX[n, 1] = T.int8(0)",
            "X = T.alloc_buffer((T.int64(4294967297),), \"int8\")\n"
            "X[T.Cast(\"int64\", n) * T.int64(65537) + T.int64(1)] = T.int8(0)");
}

TEST_F(TextStrides, ParametersAreFlat) {
    parameter_as("A: T.Buffer((2, 3), \"int32\", strides=(4, 1))", "A[1, 0] = A.strides[0] * n",
                 "A: T.Buffer((7,), \"int32\")", "(2, 3), strides (4, 1)", "A[4] = 4 * n");
    parameter_as("A: T.Buffer((2, 3), \"int32\", strides=(4, 1))", "A[n, 2] = A[1, n]",
                 "A: T.Buffer((7,), \"int32\")", "(2, 3), strides (4, 1)",
                 "A[n * 4 + 2] = A[4 + n]");
    reads_as(
        "@T.prim_func\ndef f(a: T.handle):\n    m, s = T.int32(), T.int32()\n"
        "    A = T.match_buffer(a, (m, 3), \"int8\", strides=[s, 2])\n    A[0, 1] = A[m - 1, 0]\n",
        "@T.prim_func\ndef f(var_A: T.handle, m: T.int32, s: T.int32):\n"
        "    T.func_attr({\"proviso.strides\": {\"A\": \"(m, 3), strides (s, 2)\"}})\n"
        "    A = T.match_buffer(var_A, (T.if_then_else(0 < m, (m - 1) * s + 5, 0),), \"int8\")\n"
        "    A[2] = A[(m - 1) * s]\n");
    reads_as(
        "@T.prim_func\ndef f(p: T.handle(\"int8\")):\n"
        "    A = T.Buffer((2, 2), \"int8\", data=p, strides=[3, 1])\n    A[1, 1] = A[0, 1]\n",
        "@T.prim_func\ndef f(A: T.Buffer((5,), \"int8\")):\n"
        "    T.func_attr({\"proviso.strides\": {\"A\": \"(2, 2), strides (3, 1)\"}})\n"
        "    A[4] = A[1]\n");
    // The stride of one cell says nothing, but its variable may be used.
    reads_as(
        "@T.prim_func\ndef f(a: T.handle, B: T.Buffer((8,), \"int32\")):\n    s = T.int32()\n"
        "    A = T.match_buffer(a, (1, 3), \"int8\", strides=[s, 1])\n    B[0] = s\n",
        "@T.prim_func\ndef f(A: T.Buffer((1, 3), \"int8\"), B: T.Buffer((8,), \"int32\"), "
        "s: T.int32):\n    B[0] = s\n");
}

// A name in quotes that nothing binds is a scalar parameter, as in a shape.
TEST_F(TextStrides, QuotedStridesOfParameters) {
    reads_as(
        "@T.prim_func\ndef f(A: T.Buffer((4, 4), \"int8\", strides=(\"s\", 1)), "
        "B: T.Buffer((4, 4), \"int8\", strides=(\"s * 2\", \"t\"))):\n    A[1, 2] = B[3, 1]\n",
        "@T.prim_func\ndef f(var_A: T.handle, var_B: T.handle, s: T.int32, t: T.int32):\n"
        "    T.func_attr({\"proviso.strides\": {\"A\": \"(4, 4), strides (s, 1)\", "
        "\"B\": \"(4, 4), strides (s * 2, t)\"}})\n"
        "    A = T.match_buffer(var_A, (3 * s + 4,), \"int8\")\n"
        "    B = T.match_buffer(var_B, (3 * (s * 2) + 3 * t + 1,), \"int8\")\n"
        "    A[s + 2] = B[3 * (s * 2) + t]\n");
    // That of a shape, of a scalar parameter, of the file, and a type variable.
    reads_as(
        "N = 8\nk = TypeVar(\"k\")\n@T.prim_func\n"
        "def f(A: T.Buffer((\"n\", 4), \"int8\", strides=(\"n\", 1)), "
        "B: T.Buffer((2, 4), \"int8\", strides=(\"p\", \"N\")), "
        "C: T.Buffer((2,), \"int8\", strides=(\"k\",)), p: T.int64):\n    C[1] = B[1, 1]\n",
        "@T.prim_func\ndef f(var_A: T.handle, var_B: T.handle, var_C: T.handle, p: T.int64, "
        "k: T.int64, n: T.int32):\n"
        "    T.func_attr({\"proviso.strides\": {\"A\": \"(n, 4), strides (n, 1)\", "
        "\"B\": \"(2, 4), strides (p, T.int64(8))\", \"C\": \"(2,), strides (k,)\"}})\n"
        "    A = T.match_buffer(var_A, (T.if_then_else(0 < n, (n - 1) * n + 4, 0),), \"int8\")\n"
        "    B = T.match_buffer(var_B, (p + T.int64(25),), \"int8\")\n"
        "    C = T.match_buffer(var_C, (k + T.int64(1),), \"int8\")\n"
        "    C[k] = B[p + T.int64(8)]\n");
    EXPECT_THAT(fails("@T.prim_func\ndef f(A: T.Buffer((4,), \"int8\", strides=(\"s +\",))):\n"
                      "    A[0] = T.int8(0)\n"),
                HasSubstr("\"s +\" is no expression"));
}

TEST_F(TextStrides, CellsAreWhereTheStridesSay) {
    const std::string copy = "for i, j in T.grid(2, 3):\n    B[i * 3 + j] = A[i, j]";
    // Trap: compact cells would give 0 1 2 3 4 5.
    EXPECT_EQ(result(over("A: T.Buffer((2, 3), \"int32\", strides=(4, 1))", copy),
                     inputs(counted({7})), "B"),
              "0 1 2 4 5 6 106 107");
    EXPECT_EQ(result(over("A: T.Buffer((2, 3), \"int32\", strides=(1, 2))", copy),
                     inputs(counted({6})), "B"),
              "0 2 4 1 3 5 106 107");
    const std::string symbolic =
        "@T.prim_func\ndef f(a: T.handle, B: T.Buffer((8,), \"int32\")):\n"
        "    s, t = T.int32(), T.int32()\n"
        "    A = T.match_buffer(a, (2, 3), \"int32\", strides=[s, t])\n"
        "    for i, j in T.grid(2, 3):\n        B[i * 3 + j] = A[i, j]\n";
    Inputs in{{"A", counted({10})},
              {"B", counted({8}, 100)},
              {"s", Value::of_int(5)},
              {"t", Value::of_int(2)}};
    EXPECT_EQ(result(symbolic, in, "B"), "0 2 4 5 7 9 106 107");
    in["A"] = counted({6});
    in["s"] = Value::of_int(1);
    EXPECT_EQ(result(symbolic, in, "B"), "0 2 4 1 3 5 106 107");
    // What lies between the cells is the caller's, and stays.
    EXPECT_EQ(result(over("A: T.Buffer((2, 2), \"int32\", strides=(3, 1))",
                          "for i, j in T.grid(2, 2):\n    A[i, j] = A[i, j] + 10"),
                     inputs(counted({5})), "A"),
              "10 11 2 13 14");
}

// Trap: with cells of their own, no store would be seen through another index.
TEST_F(TextStrides, CellsThatMeetAreOne) {
    const std::string one =
        "X = T.alloc_buffer((4,), \"int32\", strides=[0])\nfor i in range(4):\n    X[i] = i\n"
        "for i in range(4):\n    B[i] = X[i]";
    const std::string a = "A: T.Buffer((1,), \"int32\")";
    EXPECT_EQ(result(over(a, one), inputs(counted({1})), "B"), "3 3 3 3 104 105 106 107");
    // X[i, j] is cell i + j; row 2 is stored last, row 1 has the last word in cell 1.
    const std::string diagonals =
        "X = T.alloc_buffer((3, 3), \"int32\", strides=[1, 1])\nfor i, j in T.grid(3, 3):\n"
        "    X[i, j] = i * 10 + j\nB[0] = X[0, 0]\nB[1] = X[0, 1]\nB[2] = X[0, 2]\nB[3] = X[1, 1]\n"
        "B[4] = X[1, 2]\nB[5] = X[2, 2]";
    EXPECT_EQ(result(over(a, diagonals), inputs(counted({1})), "B"), "0 10 20 20 21 22 106 107");
    // A race is one in the memory that iterations share.
    EXPECT_THAT(result(over(a,
                            "X = T.alloc_buffer((4,), \"int32\", strides=[0])\n"
                            "for i in T.parallel(4):\n    X[i] = i"),
                       inputs(counted({1})), "B"),
                HasSubstr("race"));
}

TEST_F(TextStrides, SymbolicExtents) {
    const std::string text =
        "@T.prim_func\ndef f(a: T.handle, B: T.Buffer((8,), \"int32\")):\n    m = T.int32()\n"
        "    A = T.match_buffer(a, (m, 2), \"int32\", strides=[3, 1])\n"
        "    for i, j in T.grid(m, 2):\n        B[i * 2 + j] = A[i, j]\n";
    Inputs in{{"A", counted({5})}, {"B", counted({8}, 100)}, {"m", Value::of_int(2)}};
    EXPECT_EQ(result(text, in, "B"), "0 1 3 4 104 105 106 107");
    in["A"] = counted({0});
    in["m"] = Value::of_int(0);  // no cell, and not 2 - 3 of them
    EXPECT_EQ(result(text, in, "B"), "100 101 102 103 104 105 106 107");
}

// Claims on rows are claims on what lies between their ends.
TEST_F(TextStrides, Claims) {
    const std::string text =
        over("A: T.Buffer((2, 3), \"int32\", strides=(4, 1))",
             "for i in range(2):\n    with T.block(\"b\"):\n        vi = T.axis.spatial(2, i)\n"
             "        T.reads(A[vi, 0:3])\n        T.writes(B[vi])\n"
             "        B[vi] = A[vi, 0] + A[vi, 2]");
    EXPECT_THAT(print(read(text)), HasSubstr("T.reads(A[vi * 4:vi * 4 + 2 + 1])"));
    EXPECT_EQ(result(text, inputs(counted({7})), "B"), "2 10 102 103 104 105 106 107");
}

// The memory of a view is that of the buffer at the bottom, from its start.
TEST_F(TextStrides, MemoryOfViews) {
    const std::string a = "A: T.Buffer((8,), \"int32\")";
    EXPECT_EQ(result(over(a,
                          "X = T.alloc_buffer((2, 2), \"int32\", strides=[3, 1])\n"
                          "Y = T.decl_buffer((5,), \"int32\", data=X.data)\n"
                          "for k in range(5):\n    Y[k] = k\n"
                          "for i, j in T.grid(2, 2):\n    B[i * 2 + j] = X[i, j]"),
                     inputs(counted({8})), "B"),
              "0 1 3 4 104 105 106 107");
    for (const char* view : {"strides=[2]", "elem_offset=4"}) {
        reads_as(over(a, "V = T.Buffer((4,), \"int32\", data=A.data, " + std::string(view) +
                             ")\nW = T.Buffer((4,), \"int32\", data=V.data)\nW[n] = 0"),
                 over(a, "A[n] = 0"));
    }
    reads_as(over(a,
                  "with T.block(\"b\"):\n    V = T.match_buffer(A[4:8], (4,), \"int32\")\n"
                  "    W = T.Buffer((4,), \"int32\", data=V.data)\n    W[n] = 0"),
             over(a, "with T.block(\"b\"):\n    A[n] = 0"));
}

TEST_F(TextStrides, WhatHasNoMeaning) {
    EXPECT_EQ(opaque(over("A: T.Buffer((4,), \"int32\", strides=(-1,))", "pass")),
              "a stride below 0 has no meaning here");
    EXPECT_EQ(opaque(over("A: T.Buffer((4,), \"int32\", buffer_type=\"auto\")", "pass")),
              "only buffers of type \"default\" have a meaning here");
    EXPECT_THAT(fails(over("A: T.Buffer((4, 2), \"int32\", strides=(1,))", "pass")),
                HasSubstr("1 strides, but 2 dimensions"));
    EXPECT_THAT(
        fails(over("A: T.Buffer((4, 2), \"int32\", strides=(T.int64(70368744177664), 1))", "pass")),
        HasSubstr("larger than 2**47 bytes"));
    EXPECT_THAT(fails(over("A: T.Buffer((4,), \"int32\", strides=(2,), elem_offset=1)", "pass")),
                HasSubstr("starts at 0"));
    EXPECT_THAT(fails(over("A: T.Buffer((4,), \"int32\", strides=(2,))",
                           "T.func_attr({\"proviso.strides\": {}})")),
                HasSubstr("what the reader says of strides"));
}

// TVM's FlattenBuffer gives such a buffer whole rows, which end after its last cell.
TEST_F(TextStrides, WholeRowsOfTheMemoryHaveNoMeaning) {
    const std::string a = "A: T.Buffer((4, 6), \"int32\", strides=(8, 1))";
    EXPECT_EQ(opaque(over(a, "X = T.decl_buffer((32,), \"int32\", data=A.data)\nX[n] = 0")),
              "the view has a cell number 31, but the buffer has 30 cells");
    EXPECT_EQ(opaque(over(a,
                          "Y = T.Buffer((30,), \"int32\", data=A.data)\n"
                          "X = T.decl_buffer((32,), \"int32\", data=Y.data)\nX[n] = 0")),
              "the view has a cell number 31, but the buffer has 30 cells");
    EXPECT_THAT(fails(over("A: T.Buffer((30,), \"int32\")",
                           "X = T.decl_buffer((32,), \"int32\", data=A.data)\nX[n] = 0")),
                HasSubstr("cell number 31"));
}

TEST_F(TextStrides, AreNoArgumentsOfFunctions) {
    const auto m = parse_module(ctx,
                                "@T.prim_func\ndef g(A: T.Buffer((7,), \"int8\")):\n    A[0] = 1\n"
                                "@T.prim_func\ndef f(B: T.Buffer((4,), \"int8\", strides=[2])):\n"
                                "    g(B)\n",
                                "m.py");
    ASSERT_FALSE(m.ok());
    EXPECT_THAT(m.error().str(), HasSubstr("`B` is a view"));
}

}  // namespace
}  // namespace proviso::ir
