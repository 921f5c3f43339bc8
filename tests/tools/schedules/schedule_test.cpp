// Schedules as a user writes them: what a call gave, what changed nothing, and what is said of a
// call that is not understood or not justified.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "tests/tools/schedules/schedules.h"

namespace {

using nlohmann::json;
using proviso::tests::Schedules;
using proviso::tests::Seen;
using testing::HasSubstr;
using testing::Not;

TEST_F(Schedules, WhatChangedNothingSaysSoAndWhy) {
    const std::string calls =
        "I, j = sch.get_loops(\"double\")\nsch.reorder(I, j)\nsch.split(j, factors=[None])\n"
        "sch.simplify()\nsch.remove_no_op()\nsch.merge_adjacent_loops()\nsch.lower_assume()\n"
        "sch.hoist_expression()\nsch.reduce_loop_extents()\nsch.loop_partition()\n"
        "sch.sequential_buffer_access(\"double\", \"B\")\n"
        "sch.remove_branching_through_overcompute()\n";
    const Seen seen = scheduled(calls, {"--emit", "ir"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("0 steps: the loops are in this order already (s.py:2)"));
    EXPECT_THAT(seen.err, HasSubstr("0 steps: with one factor the loop stays as it is (s.py:3)"));
    EXPECT_THAT(seen.err, HasSubstr("0 steps: every expression is in its simplest form already"));
    EXPECT_THAT(seen.err, HasSubstr("0 steps: no two loops follow each other (s.py:6)"));
    EXPECT_THAT(seen.err, HasSubstr("0 steps: there is no assumption (s.py:7)"));
    EXPECT_THAT(seen.err, HasSubstr("0 steps: there is no branch and no choice (s.py:12)"));
    const json told = json::parse(scheduled(calls, {"--emit", "ir", "--json"}).out)["schedule"];
    ASSERT_EQ(told.size(), 12U);
    EXPECT_FALSE(told[0].contains("why_nothing"));  // a question
    for (std::size_t k = 1; k < told.size(); ++k) {
        EXPECT_TRUE(told[k].contains("why_nothing")) << told[k];
        EXPECT_EQ(told[k]["line"], k + 1);
    }
}

TEST_F(Schedules, AnEmptyNameIsNoBlock) {
    const Seen seen = scheduled("sch.simplify(\"\")\n", {"--emit", "ir"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("s.py:1:14: error: a block has a name"));
}

TEST_F(Schedules, AChoiceThatStaysIsTheReason) {
    file("two.py", R"(
@T.prim_func
def chosen(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.block("pick"):
            vi = T.axis.spatial(8, i)
            B[vi] = T.if_then_else(vi < 5, A[vi], T.float32(1))
)");
    const Seen seen = scheduled("sch.simplify(\"pick\")\n", {"--emit", "ir"});
    EXPECT_THAT(seen.err, HasSubstr("a choice stays, `T.if_then_else(vi < 5, A[vi], "
                                    "T.float32(1.0))`, because its condition is not always true "
                                    "and not always false (s.py:1)"));
    const Seen promise =
        scheduled("sch.remove_branching_through_overcompute(\"pick\")\n", {"--emit", "ir"});
    EXPECT_THAT(promise.err, HasSubstr("not always false; a layout with padding that holds "
                                       "T.float32(1.0) may take it away: "
                                       "sch.transform_layout(…, pad_value=…)"));
}

// A layout that leaves its padding open is named, and what to promise instead.
TEST_F(Schedules, AChoiceThatStaysForItsPaddingNamesTheLayout) {
    file("two.py", R"(
@T.prim_func
def chosen(A: T.Buffer((8,), "float32"), B: T.Buffer((10,), "float32")):
    for i in range(10):
        with T.block("pick"):
            vi = T.axis.spatial(10, i)
            B[vi] = T.if_then_else(vi < 8, A[vi], T.float32(0))
)");
    const auto told = [&](const std::string& pad) {
        const std::string calls =
            "sch.transform_layout(\"pick\", \"A\", lambda i: [i // 16, i % 16]" + pad +
            ")\nsch.remove_branching_through_overcompute(\"pick\")\n";
        return scheduled(calls, {"--emit", "ir", "--explain"});
    };
    const char* const promise = "promise what the padding of A holds: pad_value=0.0, exact=True";
    const Seen undefined = told(", pad_value=T.undef(\"float32\")");
    EXPECT_THAT(undefined.err, HasSubstr("the padding of A is undefined (pad_value=T.undef(…)); " +
                                         std::string(promise)));
    EXPECT_THAT(undefined.out, HasSubstr("what would remove it: " + std::string(promise)));
    EXPECT_THAT(told(", pad_value=1.0").err, HasSubstr("the padding of A holds T.float32(1.0); "));
    EXPECT_THAT(told("").err, HasSubstr("the padding of A may not be touched"));
    const Seen right = told(", pad_value=0.0, exact=True");
    EXPECT_THAT(right.err, Not(HasSubstr("stays"))) << right.err;
}

TEST_F(Schedules, StrictIsNoPassWhereNothingChanged) {
    const Seen seen = scheduled("i, j = sch.get_loops(\"double\")\nsch.reorder(i, j)\n",
                                {"--strict", "--emit", "ir", "-o", "made"});
    EXPECT_EQ(seen.code, 3);
    EXPECT_THAT(seen.err, HasSubstr("s.py:2:1: error: reorder changed nothing: the loops are in "
                                    "this order already"));
    EXPECT_THAT(seen.err, HasSubstr("hint: "));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "made"));
    const Seen told = scheduled("sch.simplify()\n", {"--strict", "--json"});
    EXPECT_EQ(told.code, 3);
    EXPECT_EQ(json::parse(told.out)["verdict"], "UNKNOWN");
    EXPECT_EQ(json::parse(told.out)["diagnostics"].size(), 1U);
    // Questions are not meant.
    EXPECT_EQ(scheduled("b = sch.get_block(\"double\")\ni, j = sch.get_loops(b)\n"
                        "sch.parallel(i)\n",
                        {"--strict", "--emit", "ir"})
                  .code,
              0);
}

TEST_F(Schedules, VerboseShowsWhatACallGave) {
    const std::string calls = "I, j = sch.get_loops(\"double\")\nsch.split(I, factors=[2, 4])\n";
    const Seen seen = scheduled(calls, {"--verbose", "--emit", "ir"});
    EXPECT_THAT(seen.err, HasSubstr("gives I, j"));  // as they are written
    EXPECT_THAT(seen.err, HasSubstr("gives I_0, I_1"));
    EXPECT_THAT(scheduled(calls, {"--emit", "ir"}).err, Not(HasSubstr("gives")));
    const json told = json::parse(scheduled(calls, {"--emit", "ir", "--json"}).out)["schedule"];
    EXPECT_EQ(told[0]["gives"], json::parse(R"(["I", "j"])"));
}

TEST_F(Schedules, ALoopOfOneIterationKeepsItsName) {
    file("two.py", R"(
@T.prim_func
def one(A: T.Buffer((1, 8), "float32"), B: T.Buffer((1, 8), "float32")):
    for N in range(1):
        for i in range(8):
            B[N, i] = A[N, i + 0] + T.float32(1)
)");
    const Seen seen = scheduled("sch.simplify()\n", {"--emit", "module", "-o", "made"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(proviso::tests::text_of(folder_ / "made/one.module.py"),
                HasSubstr("B[N, i] = A[N, i] + T.float32(1.0)"));
}

// A call, and what is said of it: the place, the reason, the hint.
TEST_F(Schedules, MistakesSayWhatToWrite) {
    const std::string begin =
        "blk = sch.get_block(\"double\")\nI, j = sch.get_loops(blk)\n";  // two lines
    const std::vector<std::vector<std::string>> cases = {
        {"sch.split(j, factor=[2, 4])", "`sch.split` has no argument `factor` here",
         "did you mean `factors`?"},
        {"sch.spilt(j, factors=[2, 4])", "no schedule primitive 'spilt'", "did you mean `split`?"},
        {"sch.simplify(\"doubel\")", "there is no block 'doubel'", "did you mean `double`?"},
        {"sch.get_loops(\"single\")", "there is no block 'single'", "blocks: double"},
        {"sch.split(k, factors=[2, 4])", "unknown name 'k'", "a name is given by an assignment"},
        {"sch.cache_read(blk, \"a\", \"local\")", "block 'double' accesses no such buffer",
         "did you mean `A`?"},
        {"sch.cache_read(blk, \"A\", \"locl\")", "no storage scope 'locl'",
         "did you mean `local`?"},
        {"sch.split(blk, factors=[2, 4])", "expected a loop, not the block 'double'",
         "loops are given by sch.get_loops(block)"},
        {"sch.split(\"j\", factors=[2, 4])", "expected a loop, not a string", "sch.loop(\"j\")"},
        {"sch.compute_with(blk, blk)", "no schedule primitive 'compute_with'",
         "sch.like(block, \"OTHER\") for the same loops"},
        {"sch.peel(j)", "no schedule primitive 'peel'", "sch.loop_partition(loop, factors=[1"},
        {"sch.split(j)", "argument 'factors' is missing",
         "write: sch.split(loop, factors=[None, 8])"},
        {"sch.split(j, factors=[-2, None])", "a factor must be positive",
         "it takes a serial loop, and factors"},
        {"sch.split([I, j], factors=[2, 4])", "expected a loop, not 2 of them", "loops[0]"},
        {"a, b, c = sch.split(j, factors=[2, 4])", "3 names for 2 values",
         "a name for each of: j_0, j_1"},
        {"sch.split(sch.get_loops(blk)[2], factors=[2, 4])", "index out of the list",
         "it has 2 elements: [0] to [1]"},
        {"sch.transform_layout(blk, \"A\", lambda i, j: [i, j // 3, j % 3], "
         "pad_value=T.undef(\"int32\"))",
         "the padding of A has the type float32", "T.undef(\"float32\")"},
        {"sch.transform_layout(blk, \"A\", lambda i: [i // 8, i % 8])",
         "the index map takes 1 index, and A has 2 dimensions",
         "such as lambda i0, i1: [i0, i1 // 8, i1 % 8]"},
        {"sch.transform_layout(blk, (\"read\", 3), lambda i, j: [j, i])",
         "block 'double' accesses no such buffer",
         "it accesses B, A: (\"read\", 0) is A, (\"write\", 0) is B"},
        {"sch.bind(j, \"threadIdx.w\")", "\"threadIdx.w\" is not the name of a thread index",
         "did you mean `threadIdx."},
        {"sch.bind(j, \"lanes\")", "\"lanes\" is not the name of a thread index",
         "names are threadIdx.x, blockIdx.y, …"},
        {"sch.assume(blk, lambda i, j: A[i, j] < 1.0)",
         "the assumption is proved where it is added", "assumed in the program itself (T.assume)"},
        {"sch.transform_layout(blk, \"A\", lambda i, i: [i, i])",
         "parameter `i` of the lambda is given twice", ""},
        {"sch.assume(blk, lambda i, i: i < 4)", "parameter `i` of the lambda is given twice", ""},
        {"sch.transform_layout(blk, \"A\", lambda i, j: [i, j // 3, j % 3], "
         "pad_value=lambda p, p, q: 0.0)",
         "parameter `p` of the lambda is given twice", ""},
        {"sch.split(j, factors=[10**30, None])", "this integer is too large", "at most 18 digits"},
        {"sch.cache_read(blk, \"A\", 'weird scope \\n\"x\"')", "this is no name of a storage scope",
         "\"shared\""},
        {"sch.cache_read(blk, \"A\", \"my scope\")", "this is no name of a storage scope", ""},
        {"sched.simplify()", "'sched' is not the schedule object", "write: sch.…"},
        {"T.simplify()", "'T' is not the schedule object", "write: sch.…"},
    };
    for (const auto& c : cases) {
        const Seen seen = scheduled(begin + c[0] + "\n", {"-q", "--emit", "ir", "-o", "made"});
        EXPECT_THAT(seen.code, testing::AnyOf(1, 2)) << c[0];
        EXPECT_THAT(seen.err, HasSubstr("s.py:3:")) << c[0];
        EXPECT_THAT(seen.err, HasSubstr(c[1])) << c[0];
        EXPECT_THAT(seen.err, HasSubstr("hint: ")) << c[0];
        EXPECT_THAT(seen.err, HasSubstr(c[2])) << c[0];
    }
    const Seen gone =
        scheduled(begin + "sch.split(j, factors=[2, 4])\nsch.unroll(j, copies=True)\n", {"-q"});
    EXPECT_EQ(gone.code, 1);
    EXPECT_THAT(gone.err, HasSubstr("s.py:4:1: error: unroll refused: there is no loop 'j' any "
                                    "more"));
    EXPECT_THAT(gone.err, HasSubstr("there are: I, j_0, j_1"));
}

// Trap: the second call is the mistake, and says what the first one did.
TEST_F(Schedules, ALoopRunsInOneWay) {
    const std::string begin = "blk = sch.get_block(\"double\")\nI, j = sch.get_loops(blk)\n";
    const std::vector<std::array<const char*, 3>> cases = {
        {"sch.parallel(I)", "sch.parallel(I)", "parallel refused: loop I is parallel already"},
        {"sch.parallel(I)", "sch.vectorize(I)", "vectorize refused: loop I is parallel already"},
        {"sch.vectorize(j)", "sch.vectorize(j)", "loop j is vectorized already"},
        {"sch.bind(I, \"blockIdx.x\")", "sch.parallel(I)", "loop I is bound to blockIdx.x already"},
        {"sch.bind(I, \"blockIdx.x\")", "sch.bind(I, \"threadIdx.x\")",
         "loop I is bound to blockIdx.x already"},
    };
    for (const auto& [first, second, message] : cases) {
        const Seen seen = scheduled(begin + first + "\n" + second + "\n", {"-q"});
        EXPECT_EQ(seen.code, 1) << second;
        EXPECT_THAT(seen.err, HasSubstr("s.py:4:1: error: ")) << second;
        EXPECT_THAT(seen.err, HasSubstr(message)) << second;
        EXPECT_THAT(seen.err, HasSubstr("leave this call out")) << second;
    }
}

// What Python would do otherwise, or what nothing would run, is no part of a schedule.
TEST_F(Schedules, NothingInTheTextIsDropped) {
    const std::string get = "blk = sch.get_block(\"double\")\n";
    const std::string all = get + "sch.simplify(blk)\n";
    struct Case {
        std::string text, place, what, hint;
    };
    const std::vector<Case> cases = {
        {"import tvm\n" + all, "1:1", "there is no tvm.py beside s.py", "remove the line"},
        {get + "from os import path\n", "2:1", "there is no os.py beside s.py", "remove the line"},
        {all + "3 + 4\n", "3:1", "nothing uses this value", "remove it"},
        {all + "[1, 2]\n", "3:1", "nothing uses this value", "remove it"},
        {"return sch.get_block(\"double\")\n", "1:1", "`return` outside of a `def`", "remove it"},
        {"def f(sch):\n    return sch.simplify()\n", "2:12",
         "a schedule gives nothing but the schedule object", "at the end: return sch"},
        {"def f(s):\n    return s\n    s.simplify()\n", "3:5", "after `return` nothing runs",
         "move the `return` to the end"},
        {"def f(sch):\n    pass\ndef g(sch):\n    sch.simplify()\n", "3:1", "nothing calls `g`",
         "in one def"},
        {"def f(sch):\n    pass\nsch.simplify()\n", "1:1", "nothing calls `f`", "in one def"},
        {"def f(sch):\n    def g(sch):\n        pass\n", "2:5", "a `def` within a `def`",
         "in one def"},
        {"def f(sch, n):\n    sch.simplify()\n", "1:1", "the `def` of a schedule has one parameter",
         "write: def schedule(sch):"},
        {"def f(*sch):\n    sch.simplify()\n", "1:1", "the `def` of a schedule has one parameter",
         "write: def schedule(sch):"},
        {"@later\ndef f(sch):\n    sch.simplify()\n", "1:2", "a schedule has no decorators",
         "remove it"},
        {"sch = sch.get_block(\"double\")\n", "1:1", "'sch' is the schedule object",
         "another name"},
        {"i, sch = sch.get_loops(\"double\")\n", "1:4", "'sch' is the schedule object",
         "another name"},
        {"sch.remove_branching_through_overcompute(partial=\"True\")\n", "1:50",
         "expected True or False", "partial="},
    };
    for (const Case& c : cases) {
        const Seen seen = scheduled(c.text, {"-q", "--emit", "ir", "-o", "made"});
        EXPECT_EQ(seen.code, 2) << c.text;
        EXPECT_THAT(seen.err, HasSubstr("s.py:" + c.place + ": error: " + c.what)) << c.text;
        EXPECT_THAT(seen.err, HasSubstr("hint: ")) << c.text;
        EXPECT_THAT(seen.err, HasSubstr(c.hint)) << c.text;
    }
    const std::vector<std::string> right = {
        all,
        get + "sch.simplify(block=blk if True else blk)\n",
        "def g(s, n=4):\n    s.split(s.get_loops(\"double\")[1], factors=[None, n])\n" +
            std::string("def f(s):\n    g(s)\n"),
        "\"\"\"why\"\"\"\ndef f(s):\n    \"\"\"what\"\"\"\n    s.simplify()\n    return s\n",
        get + "l = sch.get_loops(blk)\n" +
            "sch.split(l[0 if 1 < 2 else 5], factors=[None, 4 if True else 8])\n",
    };
    for (const std::string& fine : right) {
        EXPECT_EQ(scheduled(fine, {"-q"}).code, 0) << fine << scheduled(fine, {"-q"}).err;
    }
}

// Trap: a name that a function does not know was dropped, and with it what it asked for.
TEST_F(Schedules, FunctionsOfPythonTakeTheNamesTheyKnow) {
    const Seen seen =
        scheduled(R"(print(sorted([2, 5, 3], reverse=True), sorted([2, 1], reverse=False))
print([n for n, v in enumerate(["a", "b"], start=4)], [n for n, v in enumerate(["a"], 7)])
print(sum([1, 2], start=10), sum([1, 2], 20), sum([[1], [2]], start=[]))
print([a + b for a, b in zip([1, 2], [3, 4], strict=True)], len(list(zip([1], [2, 3]))))
print(bool([]), bool([0]), bool(""), bool(0), bool(sch.get_block("double")))
)",
                  {"-q", "--emit", "ir", "-o", "made"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_EQ(seen.err,
              "[5, 3, 2] [1, 2]\n[4, 5] [7]\n13 23 [1, 2]\n[4, 6] 1\nFalse True False False "
              "True\n");
    const std::vector<std::array<const char*, 4>> wrong = {
        {"sorted([1], revrse=True)", "12", "no argument `revrse` of `sorted`",
         "did you mean `reverse`?"},
        {"sorted([1], key=1)", "12", "no argument `key` of `sorted`", "it takes reverse="},
        {"enumerate([1], foo=3)", "15", "no argument `foo` of `enumerate`", "it takes start="},
        {"enumerate([1], 3, start=3)", "19", "`start` is given twice", ""},
        {"sum([1], strt=3)", "9", "no argument `strt` of `sum`", "did you mean `start`?"},
        {"zip([1], [2, 3], strict=True)", "9", "lists that are not equally long", "without it"},
        {"len([1], foo=3)", "9", "no argument `foo` of `len`", "have no names here"},
        {"str(1, bar=2)", "7", "no argument `bar` of `str`", "have no names here"},
        {"range(0, 3, stp=2)", "12", "no argument `stp` of `range`", "have no names here"},
        {"print(1, end=2)", "9", "no argument `end` of `print`", "have no names here"},
        {"max([1], key=1)", "9", "no argument `key` of `max`", "have no names here"},
        {"int(1, base=2)", "7", "no argument `base` of `int`", "have no names here"},
        {"\"a\".startswith(\"a\", foo=1)", "20", "no argument `foo` of `.startswith`", ""},
        {"[1].index(1, foo=1)", "13", "no argument `foo` of `.index`", ""},
    };
    for (const auto& [call, column, message, hint] : wrong) {
        const Seen bad = scheduled("x = " + std::string(call) + "\nprint(x)\n",
                                   {"-q", "--emit", "ir", "-o", "made"});
        EXPECT_EQ(bad.code, 2) << call;
        EXPECT_THAT(bad.err, HasSubstr(message)) << call;
        EXPECT_THAT(bad.err, HasSubstr(hint)) << call;
        const bool whole = std::string(message).find("no argument") == std::string::npos;
        const std::string place =
            whole ? "s.py:1:" : "s.py:1:" + std::to_string(std::stoi(column) + 5);
        EXPECT_THAT(bad.err, HasSubstr(place)) << call;
    }
}

// Short runs all end too early: 64 channels of 14 x 14 are seven million products.
TEST_F(Schedules, ARefusalIsReplayedAtRealSizes) {
    file("two.py", R"(
@T.prim_func
def conv(X: T.Buffer((64, 14, 14), "float32"), W: T.Buffer((16, 64, 3, 3), "float32"),
         Y: T.Buffer((16, 14, 14), "float32")):
    for o in range(16):
        for y in range(14):
            for x in range(14):
                Y[o, y, x] = T.float32(0)
                for c in range(64):
                    for r in range(3):
                        for s in range(3):
                            with T.block("conv"):
                                vc = T.axis.reduce(64, c)
                                vy = T.axis.opaque(16, y + r)
                                vx = T.axis.opaque(16, x + s)
                                if 1 <= vy and vy < 15 and 1 <= vx and vx < 15:
                                    Y[o, y, x] = (Y[o, y, x] + X[vc, vy - 1, vx - 1]
                                                  * W[o, vc, r, s])
)");
    const std::string calls =
        "sch.transform_layout(\"conv\", \"X\", lambda c, y, x: [c, (y + 1) // 16, (y + 1) % 16, "
        "(x + 1) // 16, (x + 1) % 16], pad_value=1.0)\n"
        "sch.remove_branching_through_overcompute(\"conv\")\n";
    const Seen seen = scheduled(calls, {"-q"});
    EXPECT_EQ(seen.code, 1) << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("REFUTED"));
    EXPECT_THAT(seen.err, HasSubstr("replay by the interpreter: Y["));
    const Seen limited = scheduled(calls, {"-q", "--replay-steps", "1000000"});
    EXPECT_EQ(limited.code, 3) << limited.err;
    EXPECT_THAT(limited.err, HasSubstr("(--replay-steps raises it)"));
}

// What stands in the place of a loop or a block may be None, as the page writes it.
TEST_F(Schedules, NoneIsNoBlock) {
    for (const char* call : {"sch.loop_partition(block=None)", "sch.simplify(None)",
                             "sch.remove_no_op(block=None)", "sch.lower_assume(block=None)"}) {
        const Seen seen = scheduled(std::string(call) + "\n", {"-q", "--emit", "ir"});
        EXPECT_EQ(seen.code, 0) << call << seen.err;
    }
}

TEST_F(Schedules, ALayoutThatIsTheOldOneChangesNothing) {
    const std::string call = "sch.transform_layout(\"double\", \"A\", lambda i, j: [i, j])\n";
    const Seen seen = scheduled(call, {"--emit", "ir"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("0 steps: the index map leaves every cell of A where it is"));
    EXPECT_THAT(seen.out, Not(HasSubstr("proviso.layout")));
    const Seen strict = scheduled(call, {"-q", "--strict"});
    EXPECT_EQ(strict.code, 3);
    EXPECT_THAT(strict.err, HasSubstr("transform_layout changed nothing: the index map leaves"));
    const Seen other = scheduled("sch.transform_layout(\"double\", \"A\", lambda i, j: [j, i])\n",
                                 {"-q", "--strict"});
    EXPECT_EQ(other.code, 0) << other.err;
}

}  // namespace
