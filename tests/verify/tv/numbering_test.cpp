// Programs that compute the same terms: what numbers say, and what they say nothing of.
#include "verify/tv/numbering/numbering.h"

#include <gmock/gmock.h>

#include "tests/verify/tv/fixture.h"

namespace proviso::verify {
namespace {

using namespace ir;

constexpr Numbering::Limits kLimits{1'000'000, 1 << 16, 1'000'000};

class NumberingTest : public TvPairs {
  protected:
    NumberingTest()
        : TvPairs(
              "A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\"), "
              "X: T.Buffer((4, 4), \"float32\"), Y: T.Buffer((4, 4), \"float32\")") {}

    bool same(const std::string& before, const std::string& after,
              const Numbering::Limits& limits = kLimits, const std::string& params = "") {
        return same(parse(before, params), parse(after, params), limits);
    }
    bool same(const Function& before, const Function& after,
              const Numbering::Limits& limits = kLimits) {
        Runs runs(ctx, 1 << 12, 1 << 12, 1'000'000);
        Numbering numbering(ctx, limits);
        const auto from = runs.start(before, {});
        const auto to = runs.start(after, {});
        EXPECT_TRUE(from.ok() && to.ok());
        given_up_ = numbering.run(before, {}, **from)->given_up;
        given_up_ += numbering.run(after, {}, **to)->given_up;
        return numbering.same(before, **from, after, **to, {}).has_value();
    }
    // Why a program has no numbers.
    std::string given_up(const std::string& program) {
        EXPECT_FALSE(same(program, program));
        return given_up_;
    }

    std::string given_up_;
};

TEST_F(NumberingTest, LoopsInAnotherShapeComputeTheSame) {
    const std::string before =
        "    for i, j, k in T.grid(4, 4, 4):\n"
        "        Y[i, j] = Y[i, j] + X[i, k] * X[k, j]\n";
    EXPECT_TRUE(same(before,
                     "    for j, i, k in T.grid(4, 4, 4):\n"
                     "        Y[i, j] = Y[i, j] + X[i, k] * X[k, j]\n"));
    EXPECT_TRUE(same(before,
                     "    for io, j, k, ii in T.grid(3, 4, 4, 2):\n"
                     "        if io * 2 + ii < 4:\n"
                     "            Y[io * 2 + ii, j] = Y[io * 2 + ii, j] + "
                     "X[io * 2 + ii, k] * X[k, j]\n"));
}

TEST_F(NumberingTest, OtherTermsSayNothing) {
    const std::string before = "    for i in range(8):\n        B[i] = A[i] + 1\n";
    EXPECT_FALSE(same(before, "    for i in range(7):\n        B[i] = A[i] + 1\n"));
    EXPECT_FALSE(same(before, "    for i in range(8):\n        B[i] = 1 + A[i]\n"));
    EXPECT_FALSE(same(before, "    for i in range(8):\n        B[i] = B[i] + 1\n"));
    // The order of terms in a sum.
    EXPECT_FALSE(same("    for k in range(4):\n        Y[0, 0] = Y[0, 0] + X[0, k]\n",
                      "    for k in range(4):\n        Y[0, 0] = Y[0, 0] + X[0, 3 - k]\n"));
    // Which store is the last one.
    EXPECT_FALSE(same("    A[0] = 1\n    A[0] = 2\n", "    A[0] = 2\n    A[0] = 1\n"));
    // A cell that is left alone.
    EXPECT_FALSE(same("    A[0] = 1\n", "    A[0] = 1\n    A[1] = A[1] + 0\n"));
}

// The trap: the same cells, and a value that may be the end of the program.
TEST_F(NumberingTest, NothingNewIsEvaluated) {
    const std::string store = "    B[0] = A[0]\n";
    EXPECT_FALSE(same(store, "    T.evaluate(8 // A[1])\n" + store));
    EXPECT_TRUE(same("    T.evaluate(8 // A[1])\n" + store, store));
    const std::string local = "    t = T.alloc_buffer((1,), \"int32\")\n";
    EXPECT_FALSE(same(store, local + "    t[0] = 8 // A[1]\n" + store));
    // Only one arm was evaluated.
    const std::string guarded = "    B[0] = T.if_then_else(A[1] != 0, 8 // A[1], 0)\n";
    EXPECT_TRUE(same(guarded, guarded));
    EXPECT_FALSE(same(guarded, "    T.evaluate(8 // A[1])\n" + guarded));
    EXPECT_FALSE(
        same("    B[0] = 0\n" + guarded, "    B[0] = T.Select(A[1] != 0, 8 // A[1], 0)\n"));
}

// The trap: a sum may leave its type's range in between, so long as nobody looks.
TEST_F(NumberingTest, NothingNewIsObserved) {
    const std::string local = "    t = T.alloc_buffer((1,), \"int32\")\n";
    const std::string sum = "    B[0] = A[0] + A[1] - A[1]\n";
    EXPECT_FALSE(same(sum, local + "    t[0] = A[0] + A[1]\n" + sum));
    EXPECT_TRUE(same(local + "    t[0] = A[0] + A[1]\n" + sum, sum));
    EXPECT_FALSE(same(sum, "    s: T.int32 = A[0] + A[1]\n" + sum));
    EXPECT_TRUE(same(sum, "    s: T.int32 = A[0]\n" + sum));  // a cell is in range
    EXPECT_TRUE(same("    Y[0, 0] = X[0, 0] + X[0, 1] + X[0, 2]\n",
                     "    s: T.float32 = X[0, 0] + X[0, 1]\n    Y[0, 0] = s + X[0, 2]\n"));
}

TEST_F(NumberingTest, NothingNewIsAssumed) {
    const std::string store = "    B[0] = A[0]\n";
    const std::string assume = "    T.assume(A[1] < 3)\n";
    EXPECT_FALSE(same("    T.evaluate(A[1] < 3)\n" + store, assume + store));
    EXPECT_TRUE(same(assume + store, store));
    EXPECT_TRUE(same("    for i in range(8):\n        T.assume(i < 4 or A[i] == 0)\n" + store,
                     "    for i in range(4):\n        T.assume(A[i + 4] == 0)\n" + store));
}

TEST_F(NumberingTest, IndeterminateValuesAreCopiedOnly) {
    const std::string local = "    t = T.alloc_buffer((8,), \"int32\")\n";
    const std::string copied = local +
                               "    for i in range(8):\n        B[i] = t[i]\n"
                               "    for i in range(8):\n        B[i] = A[i]\n";
    EXPECT_TRUE(same(copied, "    for i in range(8):\n        B[i] = A[i]\n"));
    // A cell may hold anything where it held nothing that is definite, and not the other way.
    EXPECT_TRUE(same("    B[0] = T.undef(dtype=\"int32\")\n", "    B[0] = 7\n"));
    EXPECT_FALSE(same("    B[0] = 7\n", "    B[0] = T.undef(dtype=\"int32\")\n"));
    EXPECT_EQ(given_up(local + "    B[0] = t[0] + 1\n"),
              "an indeterminate operandan "
              "indeterminate operand");
}

TEST_F(NumberingTest, WhatIsGivenUp) {
    const auto once = [&](const std::string& program) {
        const std::string why = given_up(program);
        return why.substr(0, why.size() / 2);
    };
    EXPECT_EQ(once("    if A[0] > 0:\n        B[0] = 1\n"), "a condition that depends on data");
    EXPECT_EQ(once("    B[A[0]] = 1\n"), "an index that depends on data");
    EXPECT_EQ(once("    for i in range(A[0]):\n        B[i] = 1\n"),
              "a bound that depends on data");
    EXPECT_EQ(once("    for i in range(9):\n        B[i] = 1\n"), "an access out of bounds");
    EXPECT_EQ(once("    for i in T.parallel(8):\n        B[0] = i\n"), "a data race");
    EXPECT_EQ(once("    for i in T.parallel(7):\n        B[i] = B[i + 1]\n"), "a data race");
    EXPECT_EQ(once("    for i in range(8):\n        assert i < 7, \"i\"\n"),
              "an assert that fails");
    EXPECT_EQ(once("    B[0] = T.max(2147483647, 0) + 1\n"), "an integer leaves its type's range");
    EXPECT_EQ(once("    for i in range(3):\n        B[8 // i] = 1\n"), "a division by 0 or -1");
    EXPECT_EQ(once("    B[0] = T.call_extern(\"int32\", \"f\", A[0])\n"), "an opaque call");
    EXPECT_EQ(once("    with T.block(\"b\"):\n"
                   "        v = T.axis.spatial(4, 4)\n        B[v] = 1\n"),
              "an iterator out of its domain");
    EXPECT_EQ(once("    for i in range(8):\n        with T.block(\"b\"):\n"
                   "            v = T.axis.spatial(8, i)\n            T.reads(A[v])\n"
                   "            T.writes(B[v])\n            B[v] = A[7 - v]\n"),
              "an access that a block does not claim");
}

TEST_F(NumberingTest, ConcurrentLoopsWithCellsOfTheirOwn) {
    const std::string serial = "    for i in range(8):\n        B[i] = A[i] + A[0]\n";
    EXPECT_TRUE(same(serial, "    for i in T.parallel(8):\n        B[i] = A[i] + A[0]\n"));
    // Memory that is allocated inside is another one in each iteration, and races are told of one
    // instance of the loop.
    EXPECT_TRUE(
        same("    for k in range(2):\n        for i in range(8):\n"
             "            B[(i + k) % 8] = A[i]\n",
             "    for k in range(2):\n        for i in T.parallel(8):\n"
             "            t = T.alloc_buffer((1,), \"int32\")\n"
             "            t[0] = A[i]\n            B[(i + k) % 8] = t[0]\n"));
}

TEST_F(NumberingTest, InitialisationsRunAtTheStart) {
    const auto sum = [](const std::string& at) {
        return "    for i in range(4):\n        for k in range(4):\n"
               "            with T.block(\"b\"):\n                vi = T.axis.spatial(4, i)\n"
               "                vk = T.axis.reduce(4, " +
               at +
               ")\n                with T.init():\n"
               "                    Y[vi, 0] = T.float32(0)\n"
               "                Y[vi, 0] = Y[vi, 0] + X[vi, vk]\n";
    };
    const std::string plain =
        "    for i in range(4):\n        Y[i, 0] = T.float32(0)\n"
        "        for k in range(4):\n            Y[i, 0] = Y[i, 0] + X[i, k]\n";
    EXPECT_TRUE(same(plain, sum("k")));
    EXPECT_FALSE(same(plain, sum("3 - k")));
}

TEST_F(NumberingTest, PromisedPaddingIsKept) {
    const auto padded = [&](const std::string& last) {
        const std::string layout =
            "    T.func_attr({\"proviso.layout\": {\"B\": [{\"index_type\": \"int32\", "
            "\"inverse\": [\"p\"], \"logical_shape\": [\"8\"], \"map\": [\"x\"], \"pad\": \"0\", "
            "\"padding_by\": \"function\", \"physical_vars\": [\"p\"], \"vars\": [\"x\"]}]}})\n";
        return parse(layout + "    for i in range(8):\n        B[i] = A[i]\n    B[8] = 0\n    " +
                         "B[9] = " + last + "\n",
                     "A: T.Buffer((8,), \"int32\"), B: T.Buffer((10,), \"int32\")");
    };
    const Function source = parse("    for i in range(8):\n        B[i] = A[i]\n",
                                  "A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")");
    EXPECT_TRUE(same(source, padded("0")));
    EXPECT_FALSE(same(source, padded("1")));
    EXPECT_FALSE(same(source, padded("A[0]")));
}

TEST_F(NumberingTest, LimitsEndInAMessage) {
    const std::string loop = "    for i, j, k in T.grid(8, 8, 8):\n        B[i] = A[i] + B[i]\n";
    EXPECT_FALSE(same(loop, loop, {100, 1 << 16, 1'000'000}));
    EXPECT_NE(given_up_.find(kTooManySteps), std::string::npos);
    EXPECT_FALSE(same(loop, loop, {1'000'000, 1 << 16, 40}));
    EXPECT_NE(given_up_.find(kTooManyTerms), std::string::npos);
    const std::string large = "    t = T.alloc_buffer((1000, 1000), \"int32\")\n    B[0] = A[0]\n";
    EXPECT_FALSE(same(large, large));
    EXPECT_NE(given_up_.find(kLargeAllocation), std::string::npos);
}

// Traps: memory for each cell and loop around it, time to forget what cells held.
TEST_F(NumberingTest, LimitsOfMemoryAndOfForgetting) {
    std::string nested = "    t = T.alloc_buffer((60000,), \"int32\")\n";
    std::string indent = "    ";
    for (int depth = 0; depth < 150; ++depth) {
        nested += indent + "for p" + std::to_string(depth) + " in T.parallel(1):\n";
        indent += "    ";
    }
    nested += indent + "t[59999] = 1\n" + indent + "B[0] = A[0]\n";
    EXPECT_FALSE(same(nested, nested));
    EXPECT_THAT(given_up_, testing::HasSubstr("more cells in concurrent loops than the limit"));
    const std::string fresh =
        "    for i in range(1000):\n        t = T.alloc_buffer((60000,), \"int32\")\n"
        "        t[0] = i\n    B[0] = A[0]\n";
    EXPECT_FALSE(same(fresh, fresh));
    EXPECT_NE(given_up_.find(kTooManySteps), std::string::npos);
}

// What validation makes of it: a matmul that symbolic execution cannot finish.
TEST_F(NumberingTest, ValidationOfManyIterations) {
    const std::string params =
        "A: T.Buffer((72, 72), \"float32\"), B: T.Buffer((72, 72), \"float32\"), "
        "C: T.Buffer((72, 72), \"float32\")";
    const std::string update = "C[i, j] = C[i, j] + A[i, k] * B[k, j]\n";
    const std::string before = "    for i, j, k in T.grid(72, 72, 72):\n        " + update;
    const auto tiled = [&](int most) {
        return "    for io, k, j, ii in T.grid(9, 72, 72, 8):\n        i: T.int32 = io * 8 + "
               "ii\n        if i < " +
               std::to_string(most) + ":\n            " + update;
    };
    const TvResult right = check(parse(before, params), parse(tiled(72), params));
    EXPECT_EQ(right.verdict, TvVerdict::Bounded) << right.what;
    EXPECT_EQ(right.queries, 0U);
    EXPECT_EQ(right.cells, 3U * 72 * 72);
    EXPECT_NE(check(parse(before, params), parse(tiled(71), params)).verdict, TvVerdict::Bounded);
}

}  // namespace
}  // namespace proviso::verify
