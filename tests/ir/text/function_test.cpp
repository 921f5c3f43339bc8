// Functions and modules in and out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/text.h"
#include "ir/well_formed.h"
#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;
using testing::Not;

struct TextFunction : TextReader {};

TEST_F(TextFunction, AWholeFunctionInCanonicalForm) {
    canonical(R"(@T.prim_func
def pad(A: T.Buffer((14,), "float32"), B: T.Buffer((16,), "float32")):
    T.func_attr({"global_symbol": "pad", "tir.noalias": True})
    for i in range(4):
        for j in T.vectorized(4):
            if i * 4 + j < 14:
                B[i * 4 + j] = A[i * 4 + j] * T.float32(2.0)
            else:
                B[i * 4 + j] = T.undef("float32")
)");
}

TEST_F(TextFunction, EveryStatementInCanonicalForm) {
    body("pass");
    body("B[0] = n");
    body("B[n + 1] = B[n] + 1\nB[0] = -3");
    body("for i in range(1, n):\n    B[i] = i");
    body("for i in T.parallel(8):\n    pass");
    body("for i in T.unroll(n, n * 2):\n    B[i] = 0");
    body("for i in T.thread_binding(8, thread=\"threadIdx.x\"):\n    B[i] = 0");
    body("for i in T.thread_binding(n, 8, thread=\"blockIdx.z\"):\n    B[i] = 0");
    body("for i in range(T.int64(4)):\n    A[i, T.int64(0)] = T.float32(1.0)");
    body("if n < 3:\n    B[0] = 1");
    body("if n < 3:\n    B[0] = 1\nelif n < 4:\n    pass\nelse:\n    B[0] = 2");
    body("if n < 3:\n    pass\nelse:\n    pass");
    body("assert n <= 8, \"n is at most 8\"");
    body("assert n <= 8");
    body("T.assume(n <= 8)");
    body("T.assume(n < 3 or A[n, 0] == T.undef(\"float32\"))");
    body("T.evaluate(B[n])");
    body("T.evaluate(T.call_extern(\"int32\", \"log\", n, B[0]))");
    body("x: T.int32 = n * 2\nB[x] = x");
    body("x: T.float64 = T.float64(0.1)");
    body("with T.LetStmt(n * 2) as x:\n    B[x] = x\nB[0] = 1");
    body("X = T.alloc_buffer((4, n), \"float32\")\nX[0, 0] = T.float32(1.0)");
    body("X = T.alloc_buffer((), \"int64\", scope=\"local\")\nX[()] = T.int64(3)");
    body("with T.decl_buffer((4,), \"float32\", scope=\"shared\") as X:\n    pass\nB[0] = 1");
    body("x: T.int32 = n\nX = T.alloc_buffer((x,), \"int32\")\ny: T.int32 = x\nX[y] = 0");
}

TEST_F(TextFunction, BlocksInCanonicalForm) {
    body(R"(for i in range(8):
    for j in range(2, 8):
        with T.block("sum"):
            vi = T.axis.spatial(8, i)
            vj = T.axis.reduce((2, 8), j)
            T.where(i * 8 + j < n)
            T.reads(A[vi, vj], B[0:4])
            T.writes(B[vi])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + T.Cast("int32", A[vi, vj]))");
    body("with T.block(\"b\"):\n    T.reads()\n    T.writes(B[n:n + 2], B[3], B[n])\n    B[n] = 0");
    body("with T.block():\n    pass");
    body("with T.block(\"b\"):\n    v = T.axis.opaque(T.int64(4), T.int64(1))");
    body("with T.block(\"b\"):\n    X = T.alloc_buffer((4,), \"int32\")\n    X[0] = 0");
    body("with T.block(\"b\"):\n    with T.init():\n        B[0] = 0\nB[1] = 0");
}

TEST_F(TextFunction, OtherSpellingsOfBlocks) {
    body_as(
        "for i, j in T.grid(8, n):\n    with T.sblock(\"b\"):\n"
        "        vi, vj = T.axis.remap(\"SR\", [i, j])\n        B[vi] = vj",
        "for i in range(8):\n    for j in range(n):\n        with T.block(\"b\"):\n"
        "            vi = T.axis.spatial(8, i)\n            vj = T.axis.reduce(n, j)\n"
        "            B[vi] = vj");
    body_as(
        "with T.block(\"root\"):\n    T.reads()\n    T.writes()\n"
        "    X = T.alloc_buffer([4], \"int32\")\n    X[0] = 0",
        "X = T.alloc_buffer((4,), \"int32\")\nX[0] = 0");
    // An allocation among the lines of the head belongs to the body.
    body_as(
        "with T.block(\"b\"):\n    X = T.alloc_buffer((4,), \"int32\")\n    T.reads()\n"
        "    with T.init():\n        B[0] = 0\n    X[0] = 0",
        "with T.block(\"b\"):\n    T.reads()\n    with T.init():\n        B[0] = 0\n"
        "    X = T.alloc_buffer((4,), \"int32\")\n    X[0] = 0");
    body_as("with T.block(\"b\"):\n    T.reads([A[0:8, :], B])\n    pass",
            "with T.block(\"b\"):\n    T.reads(A[0:8, 0:8], B[0:8])");
    body_as(
        "with T.block(\"b\"):\n    vi = T.axis.S(8, 3)\n    vk = T.axis.R(T.int64(4), 0)\n"
        "    pass",
        "with T.block(\"b\"):\n    vi = T.axis.spatial(8, 3)\n"
        "    vk = T.axis.reduce(T.int64(4), T.int64(0))");
}

TEST_F(TextFunction, OtherSpellingsOfStatements) {
    body_as("for i in T.serial(0, 8):\n    B[i] += 2\n", "for i in range(8):\n    B[i] = B[i] + 2");
    body_as("for i in T.grid(8): B[i] = 0", "for i in range(8):\n    B[i] = 0");
    body_as("x = n * 2\nB[x] = x", "x: T.int32 = n * 2\nB[x] = x");
    body_as("x: T.int64 = 3", "x: T.int64 = T.int64(3)");
    body_as("T.evaluate(T.assume(n < 3, dtype=\"bool\"))", "T.assume(n < 3)");
    body_as("T.call_extern(\"int32\", \"sync\")", "T.evaluate(T.call_extern(\"int32\", \"sync\"))");
    body_as("X = T.decl_buffer((4,), \"int32\")\nX[0] = 0",
            "X = T.alloc_buffer((4,), \"int32\")\nX[0] = 0");
    body_as("X = T.allocate([4], \"int32\", \"local\")\nX[0] = 0",
            "X = T.alloc_buffer((4,), \"int32\", scope=\"local\")\nX[0] = 0");
    body_as(
        "with T.allocate([16], \"int32\", \"global\") as p:\n"
        "    X = T.decl_buffer((4, 4), \"int32\", data=p)\n    X[0, 1] = 0",
        "X = T.alloc_buffer((4, 4), \"int32\")\nX[0, 1] = 0");
    body_as(
        "p = T.allocate([16], \"int32\")\nX = T.Buffer((4, 4), \"int32\", data=p)\n"
        "X[0, 1] = 0",
        "X = T.alloc_buffer((4, 4), \"int32\")\nX[0, 1] = 0");
    body_as("with T.Assert(n < 3, \"small\"):\n    B[n] = 0", "assert n < 3, \"small\"\nB[n] = 0");
    body_as("\"\"\"What it does.\"\"\"\nB[0] = 0; B[1] = 0  # two\n\n# nothing",
            "B[0] = 0\nB[1] = 0");
    body_as("A[0, 0] = 0\nA[0, 1] = 1.5", "A[0, 0] = T.float32(0.0)\nA[0, 1] = T.float32(1.5)");
    body_as("if n < 1:\n    pass\nelse:\n    if n < 2:\n        B[0] = 0",
            "if n < 1:\n    pass\nelif n < 2:\n    B[0] = 0");
    body_as("T.assume(n < 3 or A[n, 0] == T.undef())",
            "T.assume(n < 3 or A[n, 0] == T.undef(\"float32\"))");
    body_as("B[\n  0  # first\n] = (n +\n      1)", "B[0] = n + 1");
}

TEST_F(TextFunction, ParametersInAllSpellings) {
    for (const char* type :
         {"T.Buffer((14,), \"int32\")", "T.Buffer[(14,), \"int32\"]", "T.Buffer(14, \"int32\")",
          "T.Buffer[14, \"int32\"]", "T.Buffer([14], dtype=\"int32\")",
          "T.Buffer((14,), \"int32\", scope=\"global\")"}) {
        reads_as(function(std::string("A: ") + type, "A[0] = 0"),
                 function("A: T.Buffer((14,), \"int32\")", "A[0] = 0"));
    }
    reads_as(function("A: T.Buffer[(4, 5)]", "pass"),
             function("A: T.Buffer((4, 5), \"float32\")", "pass"));
    reads_as(function("n: T.int64(), b: T.bool, x: T.float16", "pass"),
             function("n: T.int64, b: T.bool, x: T.float16", "pass"));
    reads_as(
        "@T.prim_func(private=True, check_well_formed=False)\n"
        "def f(A: T.Buffer(4, \"int8\")) -> None:\n    pass\n",
        function("A: T.Buffer((4,), \"int8\")", "pass"));
}

// A shape that is not constant cannot stand in an annotation, which Python evaluates first.
TEST_F(TextFunction, SymbolicShapesAreMatched) {
    canonical(R"(@T.prim_func
def f(n: T.int32, var_A: T.handle, B: T.Buffer((4,), "float32")):
    A = T.match_buffer(var_A, (n, n * 2), "float32")
    A[0, 0] = B[0]
)");
    // The order of parameters does not matter, and size variables become parameters at the end.
    reads_as(R"(@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.var("int64")
    A = T.match_buffer(a, (n,))
    B = T.match_buffer(b, [m], dtype="int8")
    A[0] = T.float32(0)
)",
             R"(@T.prim_func
def f(var_A: T.handle, var_B: T.handle, n: T.int32, m: T.int64):
    A = T.match_buffer(var_A, (n,), "float32")
    B = T.match_buffer(var_B, (m,), "int8")
    A[0] = T.float32(0.0)
)");
    reads_as(function("A: T.handle", "A = T.match_buffer(A, (4,), \"int8\")"),
             function("A: T.Buffer((4,), \"int8\")", "pass"));
    // A handle takes no name from the program.
    canonical(R"(@T.prim_func
def f(n: T.int32, var_A_1: T.handle):
    A = T.match_buffer(var_A_1, (n,), "float32")
    for var_A in range(n):
        A[var_A] = T.float32(0.0)
)");
}

TEST_F(TextFunction, NamesOfBindersAreMadeUnique) {
    body_as("for i in range(4):\n    B[i] = 0\nfor i in range(4):\n    B[i] = i",
            "for i in range(4):\n    B[i] = 0\nfor i_1 in range(4):\n    B[i_1] = i_1");
    body_as("x = 1\nx = x + 1\nB[x] = x", "x: T.int32 = 1\nx_1: T.int32 = x + 1\nB[x_1] = x_1");
    body_as(
        "for i in range(4):\n    with T.block(\"b\"):\n        i = T.axis.spatial(4, i)\n"
        "        B[i] = 0\n    B[i] = 1",
        "for i in range(4):\n    with T.block(\"b\"):\n        i_1 = T.axis.spatial(4, i)\n"
        "        B[i_1] = 0\n    B[i] = 1");
    // What is written as i_1 further down makes way.
    body_as(
        "for i in range(4):\n    for i in range(4):\n        for i_1 in range(4):\n"
        "            B[i] = i_1",
        "for i in range(4):\n    for i_1 in range(4):\n        for i_1_1 in range(4):\n"
        "            B[i_1] = i_1_1");
    body_as("T = 3\nB[T] = 0", "T_1: T.int32 = 3\nB[T_1] = 0");
    body_as("B[0] = T.Let(k, where={k: n})\nfor k in range(4):\n    B[k] = T.Let(n, where={n: k})",
            "B[0] = T.Let(k, where={k: n})\nfor k_1 in range(4):\n"
            "    B[k_1] = T.Let(n_1, where={n_1: k_1})");
}

TEST_F(TextFunction, Attributes) {
    canonical(function("n: T.int32, A: T.Buffer((4,), \"float32\")",
                       "T.func_attr({\"a\": [1, -2.5, 1e+300, \"x\\n\\\"\"], \"b\": {\"c\": True, "
                       "\"d\": []}, \"proviso.licences\": [\"finite(A)\", \"reassociate\"], "
                       "\"tir_var_upper_bound\": {\"n\": 1024}})\npass"));
    const Function f = read(
        function("n: T.int32",
                 "T.func_attr({\"tir_var_upper_bound\": {\"n\": T.int64(7)}, \"x\": (1, 2)})"));
    EXPECT_EQ(f.upper_bound("n"), 7);
    EXPECT_EQ(f.lower_bound("n"), std::nullopt);
}

TEST_F(TextFunction, ModulesOfBothKinds) {
    const std::string classes = R"(from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "int32")):
        A[0] = 1

    @T.prim_func
    def other(A: T.Buffer((4,), "int32")):
        for i in range(4):
            A[i] = 2
)";
    const auto m = parse_module(ctx, classes, "m.py");
    ASSERT_TRUE(m.ok()) << m.error().str();
    EXPECT_EQ(print(*m), classes);
    ASSERT_NE(m->find("other"), nullptr);
    const auto flat = parse_module(ctx, print(m->functions[0]) + "\n" + print(m->functions[1]), "");
    ASSERT_TRUE(flat.ok()) << flat.error().str();
    EXPECT_TRUE(*flat == *m);
    EXPECT_EQ(content_hash(*flat), content_hash(*m));
    EXPECT_NE(content_hash(m->functions[0]), content_hash(m->functions[1]));
    EXPECT_EQ(content_hash(*m), "sha256:" + sha256_hex(classes));

    const auto none = parse_module(ctx, "@I.ir_module\nclass Module:\n    pass\n", "m.py");
    ASSERT_TRUE(none.ok());
    EXPECT_TRUE(none->functions.empty());
    EXPECT_TRUE(*parse_module(ctx, print(*none), "m.py") == *none);
}

TEST_F(TextFunction, StatementsThatStandAlone) {
    Scope scope;
    scope.vars["i"] = ctx.var("i", kInt32);
    scope.buffers["B"] = ctx.buffer("B", kInt32, {ctx.i32(8)});
    const auto s = parse_stmt(ctx, "for j in range(i):\n    B[j] = i\n", scope);
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_EQ(print(*s), "for j in range(i):\n    B[j] = i\n");
    EXPECT_EQ(print(*s, 1), "    for j in range(i):\n        B[j] = i\n");
    // A name of the scope is not bound again.
    const auto shadow = parse_stmt(ctx, "for i in range(4):\n    B[i] = i\n", scope);
    ASSERT_TRUE(shadow.ok());
    EXPECT_EQ(print(*shadow), "for i_1 in range(4):\n    B[i_1] = i_1\n");
    const auto wrong = parse_stmt(ctx, "B[0] = 1\nB[k] = 0\n", scope, "args");
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().str(),
              "args:2:3: error: `k` is not defined\n"
              "  B[k] = 0\n"
              "    ^");
}

TEST_F(TextFunction, MistakesAreShownWhereTheyAre) {
    EXPECT_EQ(fails(R"(@T.prim_func
def f(A: T.Buffer((14,), "float32")):
    for i in T.paralel(14):
        A[i] = T.float32(0)
)"),
              "f.py:3:14: error: `T.paralel` is no range of a loop\n"
              "      for i in T.paralel(14):\n"
              "               ^\n"
              "  hint: did you mean `T.parallel`?");
    EXPECT_EQ(fails(R"(@T.prim_func
def f(A: T.Buffer((14,), "int32")):
    A[0] = A[0] + 1.5
)"),
              "f.py:3:12: error: the value stored to `A` is float32, not int32\n"
              "      A[0] = A[0] + 1.5\n"
              "             ^\n"
              "  hint: cast: T.Cast(\"int32\", …)");
    EXPECT_EQ(fails(R"(@T.prim_func
def f(A: T.Buffer((14,), "int32")):
    for i in range(4):
        A[i] = 0
      A[0] = 1
)"),
              "f.py:5:7: error: this indentation matches no line above\n"
              "        A[0] = 1\n"
              "        ^\n"
              "  hint: lines of one body start in the same column");
    EXPECT_EQ(fails("def f(): pass\n"),
              "f.py:1:1: error: function `f` has no decorator\n"
              "  def f(): pass\n"
              "  ^\n"
              "  hint: write @T.prim_func above it");
    // A tab is one column, and so is a letter of several bytes.
    EXPECT_EQ(fails("@T.prim_func\ndef f(n: T.int32):\n\tassert \"é\" == m\n"),
              "f.py:3:9: error: a string is not a value here\n"
              "  \tassert \"é\" == m\n"
              "  \t       ^");
}

TEST_F(TextFunction, WhatIsRefusedInABody) {
    const std::pair<const char*, const char*> table[] = {
        {"B[0] = A[0, 0]", "the value stored to `B` is float32, not int32"},
        {"B[0, 0] = 0", "`B` has 1 dimension, but 2 indices are given"},
        {"C[0] = 0", "`C` is not defined"},
        {"n[0] = 0", "`n` is a scalar, not a buffer"},
        {"n += 1", "only cells of buffers can be changed"},
        {"B = 3", "`B` is a buffer already"},
        {"x = T.bind(1)\nfor i in range(4):\n    x = x + 1", "does not change the `x` outside"},
        {"for i in range(4):\n    i = 2", "does not change the `i` outside"},
        {"for i in range(4):\n    pass\nB[i] = 0", "`i` is not in scope here"},
        {"if n < 3:\n    x = 1\nB[x] = 0", "`x` is not in scope here"},
        {"for i in range(4.5):\n    pass", "a loop bound must be an integer, not float32"},
        {"for i in range(T.uint8(4)):\n    pass", "must be int32 or int64, not uint8"},
        {"for i in range(0, 8, n):\n    pass", "a step that may be 0 or negative has no meaning"},
        {"for i in range(n, T.int64(8)):\n    pass", "have types int32 and int64"},
        {"for i in n:\n    pass", "a loop runs over range(…)"},
        {"for i, j in range(4):\n    pass", "one loop variable is expected"},
        {"for i, j in T.grid(4):\n    pass", "2 loop variables, but T.grid has 1 extents"},
        {"for i in T.thread_binding(4):\n    pass", "needs the name of its thread"},
        {"for i in T.thread_binding(4, thread=\"threadIdx.w\"):\n    pass",
         "did you mean `threadIdx.x`?"},
        {"if A[0, 0]:\n    pass", "the condition of `if` must be bool, not float32"},
        {"if A[0, 0] == T.undef():\n    pass", "the condition of `if` is always indeterminate"},
        {"B[T.undef(\"int32\")] = 0", "this index is always indeterminate"},
        {"for i in range(T.undef(\"int32\")):\n    pass",
         "this loop bound is always indeterminate"},
        {"T.assume(A[0, 0] < T.undef())", "this assumption is always indeterminate"},
        {"T.assume(n)", "an assumption must be bool"},
        {"assert n < 3, n", "the message of an assert is a string"},
        {"if n == 0:\n    return n", "has a result, and may come to its end without one"},
        {"while n < 3:\n    pass", "this `while` has no meaning here: no bound"},
        {"n < 3", "this line has no effect"},
        {"T.asume(n < 3)", "did you mean `T.assume`?"},
        {"defined(B[0])", "stands in obligations only"},
        {"x: T.int32 = T.int64(3)", "the value of `x` is int64, not int32"},
        {"x: T.let[T.int32]", "`x` has no value"},
        {"x, y = n", "one value for several names"},
        {"x: T.in32 = 1", "did you mean `int32`?"},
        {"X = T.alloc_buffer((4,), \"flot32\")", "did you mean `float32`?"},
        {"X = T.alloc_buffer((4,), \"int32\", scope=\"a warp\")", "scope \"a warp\" is not a name"},
        {"X = T.alloc_buffer((4,), \"int32\", strides=[-2])", "a stride below 0"},
        {"X = T.alloc_buffer((-1,), \"int32\")", "an extent is negative"},
        {"X = T.alloc_buffer((1000000, 1000000, 1000000))", "larger than 2**47 bytes"},
        {"X = T.alloc_buffer((T.int64(70368744177664), T.int64(1)))", "larger than 2**47 bytes"},
        {"X = T.alloc_buffer((1.5,))", "an extent must be an integer"},
        {"X = T.Buffer((4,), \"int32\")", "`T.Buffer` makes no memory"},
        {"with T.block(\"b\"):\n    B[0] = 0\n    T.reads(B[0])",
         "stands before the body of a block"},
        {"with T.block(\"b\"):\n    B[0] = 0\n    vi = T.axis.spatial(4, n)",
         "block iterators stand before the body"},
        {"with T.block(\"b\"):\n    T.where(n < 3)\n    T.where(n < 4)", "given twice"},
        {"with T.block(\"b\"):\n    vi = T.axis.spatial(4, n)\n    T.where(vi < 3)",
         "T.where cannot use the iterator `vi`"},
        {"with T.block(\"b\"):\n    vi = T.axis.spatial(4, n)\n    vj = T.axis.spatial(4, vi)",
         "`vi` is not defined"},
        {"with T.block(\"b\"):\n    vi = T.axis.spatal(4, n)", "did you mean `spatial`?"},
        {"with T.block(\"b\"):\n    vi = T.axis.spatial(T.int64(4), n)",
         "the end of the domain is int64, not int32"},
        {"with T.block(\"b\"):\n    vi = T.axis.remap(\"S\", [n])",
         "this is not the variable of an enclosing loop"},
        {"with T.block(\"b\"):\n    vi = T.axis.remap(\"SS\", [n])", "1 iterators, 2 kinds and 1"},
        {"with T.block(\"b\"):\n    T.reads(A[0:4])", "has 2 dimensions, but the region has 1"},
        {"with T.block(\"b\"):\n    X = T.alloc_buffer((4,), \"int32\")\n    with T.init():\n"
         "        X[0] = 0",
         "`T.init` uses `X`"},
        {"with T.init():\n    pass", "`T.init` stands before the body of a block"},
        {"with open(\"f\"):\n    pass", "`with open(…)` is not supported"},
        {"with n:\n    pass", "`with` needs a call of `T`"},
        {"if n < 3:\n    T.func_attr({\"a\": 1})", "`T.func_attr` stands at the top of a function"},
        {"T.func_attr({\"a\": 1})\nT.func_attr({\"a\": 2})", "attribute \"a\" is given twice"},
        {"T.func_attr({\"proviso.licences\": [\"fast\"]})", "licence \"fast\" is not known"},
        {"T.func_attr({\"proviso.licences\": [\"finite(B)\"]})", "is not known"},
        {"T.func_attr({\"tir_var_upper_bound\": {\"m\": 4}})", "bounds `m`, which is no integer"},
        {"T.func_attr({\"proviso.licence\": [\"reassociate\"]})",
         "did you mean `proviso.licences`?"},
        {"T.func_attr({\"proviso.mine\": 1})", "\"proviso.mine\" is no attribute of a function"},
        {"T.func_attr({\"tir_var_uper_bound\": {\"n\": 4}})", "f.py:3:18: error"},
        {"T.func_attr({\"tir_var_uper_bound\": {\"n\": 4}})",
         "did you mean `tir_var_upper_bound`?"},
        {"T.func_attr({\"proviso.indet\": [\"A\", \"Q\"]})", "f.py:3:41: error"},
        {"T.func_attr({\"proviso.indet\": [\"Q\"]})", "`Q` is none"},
        {"T.func_attr({\"proviso.indet\": (\"Q\",)})", "`Q` is none"},
        {"T.func_attr({\"proviso.indet\": \"A\"})", "\"proviso.indet\" is a list of names"},
        {"T.func_attr({\"proviso.indet\": [\"n\"]})", "lists parameters that are buffers"},
        {"T.assume(n < 3, \"why\")", "an assumption has no message"},
        {"B[0] = 3000000000", "does not fit int32 (-2**31 to 2**31 - 1)"},
        {"X = T.match_buffer(n, (4,))", "a parameter of type T.handle is expected"},
        {"m = T.int32()\nB[m] = 0", "size variable `m` is in no shape of a parameter"},
        {"if n < 3:\n    m = T.int32()\n    B[m] = 0", "variable `m` gets no value"},
        {"import numpy", "an import cannot stand in a function"},
        {"def g():\n    pass", "a function cannot stand in a function"},
        {"x = y = 1", "chained assignments are not supported"},
        {"else:\n    pass", "`else` belongs to no `if`"},
        {"B[0] = 0\n  B[1] = 0", "this line is indented deeper than the one above"},
        {"for i in range(4):\nB[0] = 0", "expected indented lines"},
        {"B[0] = 0 B[1] = 0", "expected the end of the line, found `B`"},
    };
    for (const auto& [text, message] : table) {
        EXPECT_THAT(body_fails(text), HasSubstr(message)) << text;
    }
}

// Names of other tools, however near they are to those that have a meaning.
TEST_F(TextFunction, AttributesOfOthersAreKept) {
    body(
        "T.func_attr({\"tir.is_entry_func\": True, \"tir_non_negative_var\": [\"n\"], "
        "\"tir_var_upper_limits\": {\"q\": 3}})\npass");
}

// A hint that would change what the line means is worse than none.
TEST_F(TextFunction, HintsOfConstantsOutOfRange) {
    for (const char* line : {"B[0] = 3000000000", "B[0] = T.int8(200)",
                             "B[0] = T.int32(3000000000)", "A[0, 0] = T.float16(70000)"}) {
        EXPECT_THAT(body_fails(line), Not(HasSubstr("write "))) << line;
    }
    EXPECT_THAT(body_fails("A[0, 0] = T.float16(70000)"),
                HasSubstr("the largest float16 is 65504"));
    EXPECT_THAT(body_fails("x = 18446744073709551615"),
                HasSubstr("write T.uint64(18446744073709551615)"));
}

TEST_F(TextFunction, NumbersAsPythonWritesThem) {
    body_as(
        "B[0b1] = 0o17 + n\nB[0O2] = 0B1111_0000\nB[3] = 0xF\nB[4] = 0o377777 + n\nB[5] = 0b000",
        "B[1] = 15 + n\nB[2] = 240\nB[3] = 15\nB[4] = 131071 + n\nB[5] = 0");
    for (const auto& [line, message] : {std::pair{"B[0] = 0b12", "are 0 to 1"},
                                        {"B[0] = 0o8", "are 0 to 7"},
                                        {"B[0] = 0b", "without digits"},
                                        {"B[0] = 017", "an octal number starts with 0o"}}) {
        EXPECT_THAT(body_fails(line), HasSubstr(message)) << line;
    }
}

TEST_F(TextFunction, AByteOrderMarkIsNoText) {
    const std::string text = function(kParams, "pass");
    EXPECT_TRUE(read("\xEF\xBB\xBF" + text) == read(text));
    EXPECT_THAT(fails("\xEF\xBB\xBF" + function(kParams, "B[0] = nn")), HasSubstr("f.py:3:12: "));
}

TEST_F(TextFunction, WhatIsRefusedAroundABody) {
    const std::pair<const char*, const char*> table[] = {
        {"", "there is no function here"},
        {"x = 1\n", "there is no function here"},
        {"from tvm.script import tir as TT\n", "`TT` is not understood as a module"},
        {"class M:\n    pass\nclass N:\n    pass\n", "class `M` is not marked as a module"},
        {"class M:\n    pass\n", "one function is expected, not 0"},
        {"@I.ir_module\nclass M:\n    pass\n", "one function is expected, not 0"},
        {"@T.prim_fun\ndef f():\n    pass\n", "decorator `T.prim_fun` is not supported"},
        {"@T.prim_func(public=True)\ndef f():\n    pass\n", "has no argument `public`"},
        {"@T.prim_func\ndef f(x):\n    pass\n", "parameter `x` has no type"},
        {"@T.prim_func\ndef f(x: int):\n    pass\n", "this is not a type of a parameter"},
        {"@T.prim_func\ndef f(x: T.int23):\n    pass\n", "did you mean `T.int32`?"},
        {"@T.prim_func\ndef f(x: T.int32 = N):\n    pass\n", "`N` is not defined"},
        {"@T.prim_func\ndef f(x: T.int32 = 3, y: T.int32):\n    pass\n",
         "parameter `y` has no default value, and the one before has"},
        {"@T.prim_func\ndef f(x: T.int32, x: T.int32):\n    pass\n", "`x` is given twice"},
        {"@T.prim_func\ndef f(a: T.handle):\n    pass\n", "handle `a` is not matched to a buffer"},
        {"@T.prim_func\ndef f(a: T.handle):\n    x = a + 1\n", "`a` is a handle, not a value"},
        {"@T.prim_func\ndef f() -> T.int32:\n    pass\n",
         "has a result, and may come to its end without one"},
        {"@T.prim_func\ndef f():\n    pass\n@T.prim_func\ndef f():\n    pass\n",
         "function `f` is defined twice"},
        {"@T.prim_func\ndef f(A: T.Buffer((m,), \"int8\")):\n    pass\n", "`m` is not defined"},
        {"    @T.prim_func\n", "the first line is indented"},
    };
    for (const auto& [text, message] : table) EXPECT_THAT(fails(text), HasSubstr(message)) << text;
}

// No input may exhaust the stack.
TEST_F(TextFunction, DepthIsLimited) {
    std::string lets;
    std::string deep;
    for (int k = 0; k < 3000; ++k) {
        lets += "x" + std::to_string(k) + " = n\n";
        deep += std::string(static_cast<std::size_t>(k), ' ') + "if n < 3:\n";
    }
    EXPECT_THAT(body_fails(lets),
                HasSubstr("more than 1000 loops and bindings are inside each other"));
    EXPECT_THAT(body_fails(deep), HasSubstr("nested more than 200 levels deep"));
    read(function(kParams, lets.substr(0, lets.find("x900"))));
    std::string elifs = "if n < 0:\n    pass\n";
    for (int k = 0; k < 3000; ++k) elifs += "elif n < 3:\n    pass\n";
    EXPECT_THAT(body_fails(elifs), HasSubstr("nested more than 200 levels deep"));
}

}  // namespace
}  // namespace proviso::ir
