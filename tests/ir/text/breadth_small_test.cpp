// Small forms: conditions that are integers, mixed types, messages in parts, loops with a step.
#include "ir/deep_stack.h"
#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextBreadthSmall : TextReader {
    static constexpr const char* kMixed =
        "A: T.Buffer((8,), \"int32\"), C: T.Buffer((8,), \"int8\"), F: T.Buffer((8,), "
        "\"float16\"), "
        "L: T.Buffer((8,), \"int64\"), P: T.Buffer((8,), \"bool\"), n: T.int32, m: T.int64";
    void mixed(const std::string& text, const std::string& canonical_text) {
        reads_as(function(kMixed, text), function(kMixed, canonical_text));
    }
    std::string mixed_fails(const std::string& text) { return fails(function(kMixed, text)); }
};

TEST_F(TextBreadthSmall, ConditionsThatAreIntegers) {
    mixed("if n % 2:\n    A[0] = 1\nelif m:\n    A[0] = 2",
          "if n % 2 != 0:\n    A[0] = 1\nelif m != T.int64(0):\n    A[0] = 2");
    mixed("if 1:\n    A[0] = 1", "if True:\n    A[0] = 1");
    mixed("if 0:\n    A[0] = 1", "if False:\n    A[0] = 1");
    mixed("assert n, \"n\"", "assert n != 0, \"n\"");
    // Nowhere else: TVM's own constructors refuse them.
    EXPECT_THAT(mixed_fails("A[0] = T.Select(n, 1, 2)"), HasSubstr("must be bool"));
    EXPECT_THAT(mixed_fails("A[0] = T.if_then_else(n, 1, 2)"), HasSubstr("must be bool"));
    EXPECT_THAT(mixed_fails("if n and P[0]:\n    pass"), HasSubstr("must be bool"));
    EXPECT_THAT(mixed_fails("if F[0]:\n    pass"), HasSubstr("must be bool, not float16"));
}

// Trap: these names were dropped, with what they ask for.
TEST_F(TextBreadthSmall, WhatPythonComputesTakesNoOtherNames) {
    const std::array<const char*, 2> table[] = {
        {"x = T.meta_var(3, foo=1)\nA[0] = x", "`T.meta_var` has no argument `foo`"},
        {"x = T.meta_var([k for k in range(3, stp=1)])\nA[0] = x[0]",
         "`range` has no argument `stp`"},
        {"A[0] = len(A.shape, foo=1)", "`len` has no argument `foo`"},
        {"T.ret(0, foo=1)", "`T.ret` has no argument `foo`"},
        {"T.ret(0, 1)", "`T.ret` takes at most 1 argument, not 2"},
        {"for i in range(8):\n    T.break_loop(foo=1)", "no argument `foo`"},
        {"for i in range(8):\n    T.evaluate(T.continue_loop(foo=1))", "no argument `foo`"},
    };
    for (const auto& [text, message] : table) {
        EXPECT_THAT(mixed_fails(text), HasSubstr(message)) << text;
    }
}

TEST_F(TextBreadthSmall, Int32MeetsInt64) {
    mixed("L[n] = n + m", "L[n] = T.Cast(\"int64\", n) + m");
    mixed("L[n] = m * n - 1", "L[n] = m * T.Cast(\"int64\", n) - T.int64(1)");
    mixed("L[0] = T.min(n, m) + T.ceildiv(m, n)",
          "L[0] = T.min(T.Cast(\"int64\", n), m) + "
          "(m + T.Cast(\"int64\", n) - T.int64(1)) // T.Cast(\"int64\", n)");
    mixed("P[0] = n < m", "P[0] = T.Cast(\"int64\", n) < m");
    mixed("P[0] = T.int32(3) == m", "P[0] = T.int64(3) == m");
    mixed("L[0] = T.if_then_else(n < 3, n, m)",
          "L[0] = T.if_then_else(n < 3, T.Cast(\"int64\", n), m)");
    mixed("L[0] = n // m + n % m", "L[0] = T.Cast(\"int64\", n) // m + T.Cast(\"int64\", n) % m");
    EXPECT_THAT(mixed_fails("L[0] = T.Select(n < 3, n, m)"), HasSubstr("the two arms"));
    EXPECT_THAT(mixed_fails("for i in range(n, m):\n    pass"),
                HasSubstr("the bounds of the loop"));
}

// A store casts to the type of the cell, but for a float that is computed.
TEST_F(TextBreadthSmall, StoresCast) {
    mixed("A[0] = 1.5", "A[0] = 1");
    mixed("A[0] = -2.75", "A[0] = -2");
    mixed("C[0] = -2.0", "C[0] = T.int8(-2)");
    mixed("L[0] = T.float32(3)", "L[0] = T.int64(3)");
    mixed("L[0] = n", "L[0] = T.Cast(\"int64\", n)");
    mixed("A[0] = m", "A[0] = T.Cast(\"int32\", m)");
    mixed("F[0] = n", "F[0] = T.Cast(\"float16\", n)");
    mixed("F[0] = T.float32(0.5) * T.Cast(\"float32\", n)",
          "F[0] = T.Cast(\"float16\", T.float32(0.5) * T.Cast(\"float32\", n))");
    mixed("P[0] = 0\nP[1] = 1\nA[0] = True",
          "P[0] = False\nP[1] = True\nA[0] = T.Cast(\"int32\", True)");
    mixed("A[0] = P[0]\nP[1] = n", "A[0] = T.Cast(\"int32\", P[0])\nP[1] = T.Cast(\"bool\", n)");
    EXPECT_THAT(mixed_fails("A[0] = F[0]"), HasSubstr("the value stored to `A` is float16"));
    EXPECT_THAT(mixed_fails("C[0] = 128.0"), HasSubstr("not in the range of int8"));
    EXPECT_THAT(mixed_fails("A[0] = T.float32(\"inf\")"), HasSubstr("not in the range of int32"));
    EXPECT_THAT(mixed_fails("P[0] = 2"), HasSubstr("a bool is expected here, not 2"));
    // In float32 it is 3.0.
    EXPECT_THAT(mixed_fails("A[0] = 2.99999999"), HasSubstr("is a float"));
    EXPECT_THAT(mixed_fails("A[0] = T.undef(\"int64\")"), HasSubstr("is int64, not int32"));
}

TEST_F(TextBreadthSmall, MessagesInParts) {
    mixed("assert n < 3, (\"RuntimeError\", [\"n is \", \"large\"])",
          "assert n < 3, \"n is large\"");
    mixed("assert n < 3, (\"ValueError\", [\"n is large\"])",
          "assert n < 3, \"ValueError: n is large\"");
    mixed("assert n < 3, (\"RuntimeError\", \"n is large\")", "assert n < 3, \"n is large\"");
    mixed("assert n < 3, [\"n is \", \"large\"]", "assert n < 3, \"n is large\"");
    mixed("assert n < 3, (\"RuntimeError\", [])", "assert n < 3");
    EXPECT_THAT(mixed_fails("assert n < 3, (\"a\", 3)"), HasSubstr("the message of an assert"));
}

TEST_F(TextBreadthSmall, EvaluatedConstants) {
    mixed("T.evaluate(0)", "T.evaluate(0)");
    mixed("T.evaluate(n)", "T.evaluate(n)");
}

TEST_F(TextBreadthSmall, LoopsWithAStep) {
    const auto loop = [](const std::string& range, const std::string& value) {
        return "for i in " + range + ":\n    A[" + value + "] = " + value;
    };
    mixed(loop("range(0, 8, 2)", "i"), loop("range(4)", "i * 2"));
    mixed(loop("range(1, 8, 2)", "i"), loop("range(4)", "1 + i * 2"));
    mixed(loop("T.serial(0, 8, step=3)", "i"), loop("range(3)", "i * 3"));
    mixed(loop("T.serial(8, step=3)", "i"), loop("range(3)", "i * 3"));
    mixed(loop("range(0, 8, 1)", "i"), loop("range(8)", "i"));
    mixed(loop("range(8, 0, 2)", "i"), loop("range(-4)", "8 + i * 2"));
    mixed(loop("range(0, n, 2)", "i"), loop("range(n // 2 + T.min(n % 2, 1))", "i * 2"));
    mixed(loop("T.parallel(n, 8, step=4)", "i"), loop("T.parallel(2 - n // 4)", "n + i * 4"));
    mixed("for i in T.unroll(T.int64(0), T.int64(8), step=4):\n    L[i] = i",
          "for i in T.unroll(T.int64(2)):\n    L[i * T.int64(4)] = i * T.int64(4)");
    // The domain of an iterator is that of the values.
    mixed(
        "for i in T.serial(0, 8, step=2):\n    with T.block(\"b\"):\n"
        "        vi = T.axis.remap(\"S\", [i])\n        A[vi] = 0",
        "for i in range(4):\n    with T.block(\"b\"):\n"
        "        vi = T.axis.spatial(8, i * 2)\n        A[vi] = 0");
    EXPECT_THAT(mixed_fails("for i in range(0, 8, n):\n    pass"),
                HasSubstr("may be 0 or negative"));
    EXPECT_THAT(mixed_fails("for i in range(0, 8, 0):\n    pass"), HasSubstr("is above 0"));
    EXPECT_THAT(mixed_fails("for i in range(8, 0, -1):\n    pass"), HasSubstr("is above 0"));
    EXPECT_THAT(mixed_fails("for i in T.serial(0, 8, 2):\n    pass"),
                HasSubstr("given as `step=`"));
    EXPECT_THAT(mixed_fails("for i in range(0, 8, 2, 3):\n    pass"), HasSubstr("and a step"));
}

// The outermost block in the spellings of several printers.
// `A.shape` is a list of as many extents as the buffer has dimensions.
TEST_F(TextBreadthSmall, ShapesAsLists) {
    body_as("for i, j in T.grid(*A.shape):\n    A[i, j] = T.float32(0)",
            "for i in range(8):\n    for j in range(8):\n        A[i, j] = T.float32(0.0)");
    body_as("for i, j, k in T.grid(*B.shape, *A.shape):\n    A[j, k] = T.float32(0)",
            "for i in range(8):\n    for j in range(8):\n        for k in range(8):\n"
            "            A[j, k] = T.float32(0.0)");
    body_as("X = T.alloc_buffer(A.shape)\nX[0, 0] = A[0, 0]",
            "X = T.alloc_buffer((8, 8), \"float32\")\nX[0, 0] = A[0, 0]");
    body_as("X = T.alloc_buffer((2, *B.shape), \"int32\")\nX[0, 0] = n",
            "X = T.alloc_buffer((2, 8), \"int32\")\nX[0, 0] = n");
    body_as("B[len(A.shape)] = len(B.shape)", "B[2] = 1");
    body_as("V = A.view(2, 4, 8)\nB[0] = len(V.shape)", "B[0] = 3");
    EXPECT_THAT(body_fails("for i in T.grid(*A.shape):\n    B[i] = 0"),
                HasSubstr("1 loop variables, but T.grid has 2 extents"));
    EXPECT_THAT(body_fails("B[0] = len(n)"),
                HasSubstr("it takes a list that is known, or A.shape"));
}

// TVM's functions take all arguments, so a default value says nothing; it is computed all the same.
TEST_F(TextBreadthSmall, DefaultValuesAreDropped) {
    reads_as(function("B: T.Buffer((8,), \"int32\"), n: T.int64 = 4, k: T.int32 = -1", "B[n] = k"),
             function("B: T.Buffer((8,), \"int32\"), n: T.int64, k: T.int32", "B[n] = k"));
    const std::string body = "B[0] = k";
    reads_as("N = 3\n" + function("B: T.Buffer((8,), \"int32\"), k: T.int32 = N", body),
             function("B: T.Buffer((8,), \"int32\"), k: T.int32", body));
}

TEST_F(TextBreadthSmall, ListsOfNumbersThatAreGivenOnce) {
    body_as("xs = [1, 2]\nB[xs[0]] = xs[-1]", "B[1] = 2");
    body_as("for i in range(8):\n    xs = (1, (2, -3))\n    B[i] = xs[1][1] + len(xs)",
            "for i in range(8):\n    B[i] = -1");
    body_as("xs = [k * 3 for k in range(4)]\nB[0] = xs[2]", "B[0] = 6");
    // Trap: the second list would hide behind the first.
    EXPECT_THAT(body_fails("xs = [1, 2]\nB[0] = xs[0]\nxs = [3, 4]\nB[1] = xs[0]"),
                HasSubstr("a name of several values has no meaning here"));
    EXPECT_THAT(body_fails("xs = [B[0], 2]\nB[1] = xs[0]"), HasSubstr("T.meta_var"));
    EXPECT_THAT(body_fails("if n < 3:\n    xs = [1, 2]\nB[1] = xs[0]"), HasSubstr("`xs`"));
    EXPECT_THAT(body_fails("xs = [1, 2]\nB[1] = xs[2]"), HasSubstr("this list has 2 items"));
}

TEST_F(TextBreadthSmall, ARootThatClaimsNothingIsItsBody) {
    for (const char* claims : {"", "    T.reads()\n    T.writes()\n",
                               "    T.reads([])\n    T.writes([])\n", "    T.reads([])\n"}) {
        const std::string root = "with T.block(\"root\"):\n" + std::string(claims);
        mixed(root + "    A[0] = n", "A[0] = n");
        mixed(root + "    X = T.alloc_buffer((4,), \"int32\")\n    X[0] = n",
              "X = T.alloc_buffer((4,), \"int32\")\nX[0] = n");
    }
}

TEST_F(TextBreadthSmall, AThousandLoopsInsideEachOther) {
    const auto nest = [](int loops) {
        std::string out;
        for (int i = 0; i < loops; ++i) {
            out += std::string(static_cast<std::size_t>(i), ' ') + "for i" + std::to_string(i) +
                   " in range(1):\n";
        }
        return out + std::string(static_cast<std::size_t>(loops), ' ') + "A[0] = 1\n";
    };
    on_deep_stack([&] {
        read(function(kMixed, nest(1000)));
        EXPECT_THAT(mixed_fails(nest(1001)),
                    HasSubstr("more than 1000 loops and bindings are inside each other"));
    });
}

}  // namespace
}  // namespace proviso::ir
