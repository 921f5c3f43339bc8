// `proviso bounds --schedule`: what is computed once stages are placed, worked out by hand. Beside
// each stands what a box around all cells has, which TVM computes.
#include <gmock/gmock.h>

#include "tests/tools/bounds_fixture.h"

namespace proviso::tests {
namespace {

class BoundsTargets : public BoundsCommand {
  protected:
    // The answer about the program as the schedule leaves it.
    json scheduled(const std::string& parameters, const std::string& body,
                   const std::string& schedule) {
        file("s.py", schedule);
        return bounds(parameters, body, {"--schedule", "s.py", "--no-cache"});
    }
    // What is computed of a buffer in all iterations, where that is as much as is needed.
    static std::string computed(const json& b) {
        return b.at("computed_in_all")["text"].get<std::string>() + ", needed " +
               b.at("needed_in_all")["cells"]["text"].get<std::string>();
    }
    static std::string runs(const json& out, const std::string& stage) {
        const json s = named(out.at("stages"), "name", stage);
        return s.at("runs")["text"].get<std::string>() + " of " +
               s.at("iterations")["text"].get<std::string>();
    }
};

// Two corners of a square: 2 * 2 + 2 * 2 cells. The box around both has 4 * 4.
TEST_F(BoundsTargets, TwoCorners) {
    const json out = scheduled(
        "A: T.Buffer((4, 4), 'int32'), X: T.Buffer((2, 2), 'int32'), "
        "Y: T.Buffer((2, 2), 'int32')",
        R"(
    M = T.alloc_buffer((4, 4), "int32")
    for i, j in T.grid(4, 4):
        with T.block("make"):
            vi, vj = T.axis.remap("SS", [i, j])
            M[vi, vj] = A[vi, vj] * 3
    for i, j in T.grid(2, 2):
        with T.block("upper"):
            vi, vj = T.axis.remap("SS", [i, j])
            X[vi, vj] = M[vi, vj] + 1
    for i, j in T.grid(2, 2):
        with T.block("lower"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = M[vi + 2, vj + 2] - 1
)",
        "sch.remove_overcompute_through_branching('make')\n");
    EXPECT_EQ(computed(buffer(out, "M")), "8, needed 8");
    EXPECT_EQ(buffer(out, "M")["loss"]["text"], "none");
    EXPECT_EQ(runs(out, "make"), "8 of 16");
}

// 20 by 16 are 16 iterations and 4; with a guard they are 32, of which 20 do something.
TEST_F(BoundsTargets, ATailInALoopOfItsOwn) {
    const std::string parameters = "A: T.Buffer((20,), 'int32'), C: T.Buffer((20,), 'int32')";
    const std::string body = R"(
    for i in range(20):
        with T.block("copy"):
            v = T.axis.spatial(20, i)
            C[v] = A[v]
)";
    const std::string split =
        "i, = sch.get_loops('copy')\nio, ii = sch.split(i, factors=[None, 16])\n";
    EXPECT_EQ(runs(scheduled(parameters, body, split), "copy"), "20 of 32");
    const json out = scheduled(parameters, body, split + "sch.loop_partition(block='copy')\n");
    EXPECT_EQ(runs(out, "copy"), "16 of 16");
    EXPECT_EQ(runs(out, "copy_1"), "4 of 4");
}

// 125 by 32: three groups of 32, and 29; not 128.
TEST_F(BoundsTargets, FullGroupsAndARest) {
    const json out = scheduled("A: T.Buffer((125,), 'int32'), C: T.Buffer((125,), 'int32')", R"(
    for i in range(125):
        with T.block("copy"):
            v = T.axis.spatial(125, i)
            C[v] = A[v]
)",
                               "i, = sch.get_loops('copy')\nsch.split(i, factors=[None, 32])\n"
                               "sch.loop_partition(block='copy')\n");
    EXPECT_EQ(runs(out, "copy"), "96 of 96");
    EXPECT_EQ(runs(out, "copy_1"), "29 of 29");
}

// i, i + 5 and i + 10 at each of 8 positions: 3 cells, not the 11 from the first to the last.
TEST_F(BoundsTargets, AStride) {
    const json out = scheduled("A: T.Buffer((20,), 'int32'), C: T.Buffer((8,), 'int32')", R"(
    B = T.alloc_buffer((20,), "int32")
    for i in range(20):
        with T.block("p"):
            v = T.axis.spatial(20, i)
            B[v] = A[v] * 2
    for i, j in T.grid(8, 3):
        with T.block("gather"):
            v, w = T.axis.remap("SR", [i, j])
            with T.init():
                C[v] = 0
            C[v] = C[v] + B[v + 5 * w]
)",
                               "i, j = sch.get_loops('gather')\nsch.compute_at('p', i)\n"
                               "sch.remove_overcompute_through_branching('p')\n");
    EXPECT_EQ(runs(out, "p"), "24 of 88");
    EXPECT_EQ(buffer(out, "B_1")["loss"]["text"], "none");
}

// At each of 42 places a cross of 5 cells, not the square of 9.
TEST_F(BoundsTargets, ACross) {
    const json out = scheduled("A: T.Buffer((9, 8), 'int32'), C: T.Buffer((7, 6), 'int32')", R"(
    B = T.alloc_buffer((9, 8), "int32")
    for i, j in T.grid(9, 8):
        with T.block("p"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2
    for i, j in T.grid(7, 6):
        with T.block("cross"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = (B[vi, vj + 1] + B[vi + 1, vj] + B[vi + 1, vj + 1] + B[vi + 1, vj + 2]
                         + B[vi + 2, vj + 1])
)",
                               "i, j = sch.get_loops('cross')\nsch.compute_at('p', j)\n"
                               "sch.remove_overcompute_through_branching('p')\n");
    EXPECT_EQ(runs(out, "p"), "210 of 378");
    EXPECT_EQ(buffer(out, "B_1")["loss"]["text"], "none");
}

// Eight parts of 9 in rows of 6: 72 cells, each once. Two rows of six each time are 96.
TEST_F(BoundsTargets, PartsOfRows) {
    const json out = scheduled("A: T.Buffer((12, 6), 'int32'), C: T.Buffer((12, 6), 'int32')", R"(
    B = T.alloc_buffer((12, 6), "int32")
    for i, j in T.grid(12, 6):
        with T.block("p"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2
    for i, j in T.grid(12, 6):
        with T.block("c"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + 1
)",
                               "i, j = sch.get_loops('c')\nl = sch.fuse(i, j)\n"
                               "lo, li = sch.split(l, factors=[None, 9])\n"
                               "sch.compute_at('p', lo)\n");
    EXPECT_EQ(runs(out, "p"), "72 of 96");
    EXPECT_EQ(buffer(out, "B_1")["allocated"]["text"], "12");
    EXPECT_EQ(buffer(out, "B_1")["loss"]["text"], "none");
}

// Three rows at each of ten positions are twelve: 3 + 9 * 1, not 3 + 9 * 2.
TEST_F(BoundsTargets, ASlidingWindow) {
    const json out = scheduled("A: T.Buffer((12,), 'int32'), C: T.Buffer((10,), 'int32')", R"(
    R = T.alloc_buffer((12,), "int32")
    for y in range(12):
        with T.block("rows"):
            v = T.axis.spatial(12, y)
            R[v] = A[v] * 2
    for y in range(10):
        with T.block("sum"):
            v = T.axis.spatial(10, y)
            C[v] = R[v] + R[v + 1] + R[v + 2]
)",
                               "y, = sch.get_loops('sum')\nsch.store_at('rows')\n"
                               "sch.compute_at('rows', y)\n");
    EXPECT_EQ(computed(buffer(out, "R")), "12, needed 12");
    EXPECT_EQ(runs(out, "rows"), "12 of 30");
}

// n cells of n * n.
TEST_F(BoundsTargets, ADiagonal) {
    const json out = scheduled("a: T.handle, d: T.handle", R"(
    n = T.int32()
    T.func_attr({"tir_var_upper_bound": {"n": 1000}})
    A = T.match_buffer(a, (n, n + 1), "int32")
    D = T.match_buffer(d, (n,), "int32")
    B = T.alloc_buffer((n, n + 1), "int32")
    for i, j in T.grid(n, n + 1):
        with T.block("p"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2
    for i in range(n):
        with T.block("diagonal"):
            v = T.axis.spatial(n, i)
            D[v] = B[v, v + 1]
)",
                               "i, = sch.get_loops('diagonal')\nsch.compute_at('p', i)\n");
    EXPECT_EQ(computed(buffer(out, "B")), "n, needed n");
}

// Sixteen cells, of which every second one is asked for.
TEST_F(BoundsTargets, EverySecondCell) {
    const std::string parameters = "A: T.Buffer((16,), 'int32'), C: T.Buffer((8,), 'int32')";
    const std::string body = R"(
    M = T.alloc_buffer((16,), "int32")
    for i in range(16):
        with T.block("all"):
            v = T.axis.spatial(16, i)
            M[v] = A[v] + 7
    for i in range(8):
        with T.block("even"):
            v = T.axis.spatial(8, i)
            C[v] = M[v * 2]
)";
    const json placed =
        scheduled(parameters, body, "i, = sch.get_loops('even')\nsch.compute_at('all', i)\n");
    EXPECT_EQ(computed(buffer(placed, "M")), "8, needed 8");
    const json guarded =
        scheduled(parameters, body, "sch.remove_overcompute_through_branching('all')\n");
    EXPECT_EQ(computed(buffer(guarded, "M")), "8, needed 8");
}

}  // namespace
}  // namespace proviso::tests
