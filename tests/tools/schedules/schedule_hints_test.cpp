// What a refusal says would help: something that is about the call, and not how to spell it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/tools/schedules/schedules.h"

namespace {

using proviso::tests::Commands;
using proviso::tests::Schedules;
using proviso::tests::Seen;
using testing::HasSubstr;

constexpr const char* kStages = R"(
@T.prim_func
def stages(A: T.Buffer((8, 8), "int32"), C: T.Buffer((8, 8), "int32")):
    B = T.alloc_buffer((8, 8), "int32")
    for i in range(8):
        for j in range(8):
            with T.block("start"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = vi
    for i in range(8):
        for j in range(8):
            with T.block("add"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = B[vi, vj] ^ A[vi, vj]
    for i in range(8):
        for j in range(8):
            with T.block("use"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[7 - vi, vj]
)";

class ScheduleHints : public Commands {};

TEST_F(ScheduleHints, AreAboutWhatWasRefused) {
    file("stages.py", kStages);
    struct Case {
        std::string calls, message, hint;
    };
    const std::vector<Case> cases = {
        {"sch.fuse(j, i)", "does not stand directly in", "name the outer loop first"},
        {"sch.parallel(i)\nsch.fuse(i, j)", "the loops are of different kinds",
         "before one of them is made parallel"},
        {"sch.parallel(i)\nsch.unroll(i)", "is not serial", "no order to be written out in"},
        {"sch.cache_read(\"add\", \"B\", \"local\", [\"add\"])", "the statement stores to B",
         "a copy holds what B held before the statement"},
        {"sch.read_at(sch.get_loops(\"add\")[0], \"add\", \"B\", \"local\")",
         "the statement stores to B", "a copy holds what B held before the statement"},
        {"sch.store_at(\"add\", i)", "B is stored to at", "without a loop keeps the result"},
    };
    for (const Case& c : cases) {
        file("s.py", "i, j = sch.get_loops(\"use\")\n" + c.calls + "\n");
        const Seen seen = run({"lower", "stages.py", "-s", "s.py", "--no-cache", "-q"});
        EXPECT_EQ(seen.code, 1) << c.calls;
        EXPECT_THAT(seen.err, HasSubstr(c.message)) << c.calls;
        EXPECT_THAT(seen.err, HasSubstr("hint: ")) << c.calls;
        EXPECT_THAT(seen.err, HasSubstr(c.hint)) << c.calls;
    }
}

// A sum that starts from an element may be -0.0, and adding the zero of padding changes it: what is
// wrong is the start, not which zero the padding promises.
TEST_F(Schedules, TheHintForASumNamesItsStart) {
    const auto program = [](const std::string& rows, const std::string& start) {
        return "@T.prim_func\ndef sums(A: T.Buffer((" + rows +
               ", 27), \"float32\"), S: T.Buffer((" + rows + ",), \"float32\")" +
               (rows == "n" ? ", n: T.int32" : "") + "):\n    for i in range(" + rows +
               "):\n        S[i] = " + start +
               "\n        for j in range(26):\n            with T.block(\"sum\"):\n"
               "                vi = T.axis.spatial(" +
               rows +
               ", i)\n                vj = T.axis.reduce(26, j)\n"
               "                S[vi] = S[vi] + A[vi, vj + 1]\n";
    };
    const auto schedule = [](const std::string& padding) {
        return "sch.transform_layout(\"sum\", \"A\", lambda i, j: [i, (j + 3) // 4, (j + 3) % 4], "
               "pad_value=" +
               padding +
               ")\ni, j = sch.get_loops(\"sum\")\nsch.split(j, factors=[None, 4])\n"
               "sch.remove_branching_through_overcompute()\n";
    };
    for (const char* rows : {"5", "n"}) {
        for (const char* start : {"A[i, 0]", "T.float32(-0.0)"}) {
            for (const char* padding : {"0.0", "0.0, exact=True"}) {
                file("two.py", program(rows, start));
                const Seen seen = scheduled(schedule(padding));
                EXPECT_EQ(seen.code, 1) << rows << start << padding;
                EXPECT_THAT(seen.err, HasSubstr("every value stored to S is not -0.0 (store at "))
                    << rows << start << padding;
                EXPECT_THAT(seen.err, HasSubstr("hint: start the accumulator from +0.0"))
                    << rows << start << padding;
            }
        }
    }
    file("two.py", program("5", "T.float32(0.0)"));
    EXPECT_EQ(scheduled(schedule("0.0")).code, 0);
}

TEST_F(Schedules, ARaceSaysWhatToWrite) {
    file("two.py", R"(
@T.prim_func
def sums(A: T.Buffer((4, 8), "float32"), S: T.Buffer((4,), "float32")):
    for i in range(4):
        S[i] = T.float32(0)
        for j in range(8):
            with T.block("sum"):
                vi, vj = T.axis.remap("SR", [i, j])
                S[vi] = S[vi] + A[vi, vj]
)");
    const Seen seen = scheduled("sch.parallel(sch.get_loops(\"sum\")[1])\n", {"-q"});
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.err, HasSubstr("hint: loop j adds up a result: sch.rfactor(loop, 0)"));
    EXPECT_EQ(scheduled("sch.parallel(sch.get_loops(\"sum\")[0])\n", {"-q"}).code, 0);
}

// Another compiler binds first and places then: loops that the schedule has bound are serial
// meanwhile. One that the program binds is not.
TEST_F(Schedules, AStageGoesToNoLoopThatTheProgramBinds) {
    const auto stages = [](const std::string& loop) {
        return R"(
@T.prim_func
def f(A: T.Buffer((6,), "int32"), Z: T.Buffer((6,), "int32")):
    D = T.alloc_buffer((6,), "int32")
    for i in )" +
               loop +
               R"(:
        with T.block("double"):
            v = T.axis.spatial(6, i)
            D[v] = A[v] * 2
    for i in range(6):
        with T.block("shift"):
            v = T.axis.spatial(6, i)
            Z[v] = D[v] + 1
)";
    };
    const std::string place = "i, = sch.get_loops('double')\nsch.reverse_compute_at('shift', i)\n";
    file("bound.py", stages("T.thread_binding(6, thread='threadIdx.x')"));
    file("place.sch.py", place);
    const Seen no = run({"lower", "bound.py", "-s", "place.sch.py", "--no-cache"});
    EXPECT_EQ(no.code, 1) << no.out;
    EXPECT_THAT(no.err, HasSubstr("loop i is bound to threads by the program itself"));
    EXPECT_THAT(no.err, HasSubstr("hint: make it a plain loop there, and place stages first"));
    EXPECT_THAT(no.err, HasSubstr("sch.bind comes after sch.reverse_compute_at"));
    file("serial.py", stages("range(6)"));
    file("bind.sch.py", "sch.bind(sch.get_loops('double')[0], 'threadIdx.x')\n" + place);
    const Seen seen =
        run({"lower", "serial.py", "-s", "bind.sch.py", "--no-cache", "--target", "gpu-host"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out + seen.err, HasSubstr("bound again: i"));
}

// Hints about padding and windows were given where neither is concerned.
TEST_F(Schedules, HintsOfMovesAreAboutTheMove) {
    const auto window = [](const std::string& bounds, const std::string& reads) {
        return "@T.prim_func\ndef f(A: T.Buffer((\"n\",), \"int32\"), D: T.Buffer((\"n\",), "
               "\"int32\")):\n    n = T.int32()\n" +
               (bounds.empty() ? "" : "    T.func_attr({" + bounds + "})\n") +
               "    C = T.alloc_buffer((n + 2,), \"int32\")\n    for i in range(n + 2):\n"
               "        with T.block(\"c\"):\n            v = T.axis.spatial(n + 2, i)\n"
               "            C[v] = v ^ 3\n    for i in range(n):\n"
               "        with T.block(\"d\"):\n            v = T.axis.spatial(n, i)\n"
               "            D[v] = " +
               reads + "\n";
    };
    const std::string upper = "\"tir_var_upper_bound\": {\"n\": 1000}";
    const std::string slide =
        "i, = sch.get_loops(\"d\")\nsch.store_at(\"c\")\n"
        "sch.compute_at(\"c\", i)\n";
    const std::string roll = slide + "sch.rolling_buffer(\"c\", 0)\n";
    const std::string parts =
        "i, = sch.get_loops(\"d\")\nio, ii = sch.split(i, [None, 8])\n"
        "sch.store_at(\"c\", io)\nsch.compute_at(\"c\", ii)\n";
    const std::vector<std::array<std::string, 3>> cases = {
        {window("", "C[v] ^ C[v + 2]"), roll, "hint: give the sizes bounds"},
        {window("", "C[v] ^ C[v + 2]"), parts, "hint: give the sizes bounds"},
        {window(upper, "C[v] ^ C[v + 2]"), roll, "\"tir_var_lower_bound\": {\"n\": 1}"},
        {window(upper, "C[v // 2 + v // 3]"), slide,
         "hint: an iteration reads a cell before its turn"},
        {window(upper, "C[v] ^ D[v]"), "sch.cache_write(\"d\", 0, \"local\")\n",
         "sch.cache_inplace copies a buffer in and out"},
    };
    for (const auto& [program, calls, hint] : cases) {
        file("two.py", program);
        const Seen seen = scheduled(calls, {"-q"});
        EXPECT_NE(seen.code, 0) << calls;
        EXPECT_THAT(seen.err, HasSubstr(hint)) << program << calls;
    }
}

// Hints that were missing, or led nowhere.
TEST_F(Schedules, HintsLeadSomewhere) {
    const std::string begin = "I, j = sch.get_loops(\"double\")\n";
    const std::vector<std::array<std::string, 3>> cases = {
        {"sch.loop_partition(j, factors=[9, None])", "no other iteration is visited",
         "hint: loop j has 8 iterations: the factors before None add up to no more"},
        {"sch.loop_partition(j, factors=[99999999999, None])", "than int32, the type of loop j",
         "hint: smaller parts"},
        {"sch.split(j, factors=[None, 99999999999])",
         "the factors make 99999999999 iterations, more than int32", "hint: smaller factors"},
        {"sch.split(j, factors=[None, 100000, 100000])",
         "the factors make 10000000000 iterations, more than int32", "hint: smaller factors"},
        {"sch.reorder(j, j)", "loop j is given twice", "hint: name each loop once"},
        {"sch.cache_write(\"double\", \"A\", \"local\")", "the stage of double does not store to A",
         "hint: it stores to B; sch.cache_read and sch.read_at copy what is read"},
        {"sch.write_at(j, \"double\", \"A\", \"local\")", "the stage of double does not store to A",
         "hint: it stores to B; sch.cache_read"},
    };
    for (const auto& c : cases) {
        const Seen seen = scheduled(begin + c[0] + "\n", {"-q"});
        EXPECT_EQ(seen.code, 1) << c[0];
        EXPECT_THAT(seen.err, HasSubstr(c[1])) << c[0];
        EXPECT_THAT(seen.err, HasSubstr(c[2])) << c[0];
    }
}

constexpr const char* kOpenExtent = R"(
@T.prim_func
def two(n: T.int32, A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")):
    for i in range(n):
        with T.block("b"):
            vi = T.axis.spatial(n, i)
            B[vi] = A[vi]
)";

TEST_F(Schedules, PartsOfALoopOfUnknownExtentNeedABound) {
    file("two.py", kOpenExtent);
    const std::string call = "sch.loop_partition(sch.get_loops(\"b\")[0], factors=[4, None])\n";
    const Seen seen = scheduled(call, {"-q"});
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.err, HasSubstr("hint: loop i, of unknown extent, may have fewer iterations: "
                                    "give its size a lower bound"));
    std::string bounded = kOpenExtent;
    const std::size_t at = bounded.find("    for i");
    bounded.insert(at, "    T.func_attr({\"tir_var_lower_bound\": {\"n\": 8}})\n");
    file("two.py", bounded);
    EXPECT_EQ(scheduled(call, {"-q"}).code, 0);
}

// The index that reaches beyond the buffer is read under a choice only.
TEST_F(Schedules, AWalkBeyondTheBufferAsksForRoom) {
    file("two.py", R"(
@T.prim_func
def conv(X: T.Buffer((34,), "float32"), W: T.Buffer((5,), "float32"), Y: T.Buffer((34,), "float32")):
    for i, k in T.grid(34, 5):
        with T.block("conv"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                Y[vi] = T.float32(0.0)
            Y[vi] = Y[vi] + T.if_then_else(vi + vk < 34, X[vi + vk], T.float32(0)) * W[vk]
)");
    const std::string walk = "sch.sequential_buffer_access(\"conv\", \"X\")\n";
    const Seen seen = scheduled(walk, {"-q"});
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.err, HasSubstr("hint: a loop that walks a buffer has an iteration for each"));
    const Seen room = scheduled(
        "sch.transform_layout(\"conv\", \"X\", lambda i: [i // 8, i % 8], pad_value=0.0)\n" + walk,
        {"-q"});
    EXPECT_EQ(room.code, 0) << room.err;
}

constexpr const char* kAssumes = R"(
@T.prim_func
def two(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for j in range(16):
        T.assume(j < 14 or A[j] == 0)
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            B[vi] = T.if_then_else(vi < 14, A[vi], 0)
    for k in range(16):
        with T.block("c"):
            vk = T.axis.spatial(16, k)
            if vk < 14:
                C[vk] = A[vk]
            else:
                C[vk] = 0
)";

TEST_F(Schedules, WhatLowerAssumeDroppedIsMissed) {
    file("two.py", kAssumes);
    const Seen other = scheduled("sch.lower_assume(block=\"b\")\n", {"--emit", "ir"});
    EXPECT_THAT(other.err, HasSubstr("there is no assumption in the stage of b, but one at body/0/"
                                     "body: without a block all are dropped (s.py:1)"));
    const std::string call = "sch.remove_branching_through_overcompute(\"c\")\n";
    const Seen kept = scheduled(call, {"-q"});
    EXPECT_EQ(kept.code, 0) << kept.err;
    const Seen gone = scheduled("sch.lower_assume()\n" + call, {"-q"});
    EXPECT_NE(gone.code, 0);
    EXPECT_THAT(gone.err,
                HasSubstr("hint: sch.lower_assume in line 1 has dropped what was assumed, "
                          "which this call may need: call it afterwards"));
}

}  // namespace
