// `proviso bounds`: more programs with figures worked out by hand, the forms of the answer, and
// what the command says of wrong input.
#include <gmock/gmock.h>

#include "tests/tools/bounds_fixture.h"

namespace proviso::tests {
namespace {

using testing::HasSubstr;

// --- more of that
// ----------------------------------------------------------------------------------

// The lower triangle of n * n: 1 + 2 + .. + n.
TEST_F(BoundsCommand, ATriangle) {
    const json out = bounds("a: T.handle, d: T.handle", R"(
    n = T.int32()
    A = T.match_buffer(a, (n, n), "int32")
    D = T.match_buffer(d, (n,), "int32")
    for i in range(n):
        with T.block("sum"):
            v = T.axis.spatial(n, i)
            D[v] = 0
            for j in range(v + 1):
                D[v] = D[v] + A[v, j]
)");
    EXPECT_EQ(request(buffer(out, "A"), "sum", 0),
              "A[p0, p1] where p0 < n and 0 <= p1 and p1 <= p0: (n * n + n) // 2 cells, box n * n");
    EXPECT_EQ(request(buffer(out, "A"), "sum", 1), "A[i, 0:i + 1]: i + 1 cells, box i + 1");
}

// Three diagonals of an n by n + 2 matrix: 3 * n.
TEST_F(BoundsCommand, ABand) {
    const json out = bounds("a: T.handle, d: T.handle", R"(
    n = T.int32()
    A = T.match_buffer(a, (n, n + 2), "int32")
    D = T.match_buffer(d, (n,), "int32")
    for i in range(n):
        with T.block("three"):
            v = T.axis.spatial(n, i)
            D[v] = A[v, v] + A[v, v + 1] + A[v, v + 2]
)");
    EXPECT_THAT(request(buffer(out, "A"), "three", 0),
                HasSubstr(": 3 * n cells, box n * n + 2 * n"));
}

// 20 split by 16: two times 16 iterations, of which 20 run.
TEST_F(BoundsCommand, AGuardedTail) {
    const json out = bounds("A: T.Buffer((20,), 'int32'), C: T.Buffer((20,), 'int32')", R"(
    for o, i in T.grid(2, 16):
        with T.block("copy"):
            T.where(o * 16 + i < 20)
            v = T.axis.spatial(20, o * 16 + i)
            C[v] = A[v]
)");
    EXPECT_EQ(out["stages"][0]["iterations"]["text"], "32");
    EXPECT_EQ(out["stages"][0]["runs"]["text"], "20");
    EXPECT_EQ(request(buffer(out, "A"), "copy", 0), "A[0:20]: 20 cells, box 20");
    const json tile = named(buffer(out, "A")["consumers"], "stage", "copy")["levels"][1];
    EXPECT_EQ(tile["cells"]["text"], "4 to 16");
    EXPECT_EQ(tile["region"], "A[o * 16:T.min(o * 16 + 16, 20)]");
}

// Three stages: the last one reads 4 of 8 cells, each made of 2 of 9, which are 5 of the 9.
TEST_F(BoundsCommand, WhatOutputsAskForGoesThroughStages) {
    const json out = bounds("A: T.Buffer((9,), 'int32'), C: T.Buffer((4,), 'int32')", R"(
    M = T.alloc_buffer((9,), "int32")
    N = T.alloc_buffer((8,), "int32")
    for i in range(9):
        with T.block("first"):
            v = T.axis.spatial(9, i)
            M[v] = A[v] + 1
    for i in range(8):
        with T.block("pairs"):
            v = T.axis.spatial(8, i)
            N[v] = M[v] + M[v + 1]
    for i in range(4):
        with T.block("last"):
            v = T.axis.spatial(4, i)
            C[v] = N[v] * 2
)");
    EXPECT_EQ(needed_of_computed(buffer(out, "N")), "4 of 8");
    EXPECT_EQ(buffer(out, "M")["needed_in_all"]["cells"]["text"], "9");
    EXPECT_EQ(buffer(out, "M")["asked"]["region"], "M[0:5]");
    EXPECT_EQ(needed_of_computed(buffer(out, "M")), "5 of 9");
    EXPECT_EQ(buffer(out, "M")["loss"]["ratio"], "1.80");
}

// A tile of 4 by 4 with a border of 1 needs 6 * 6; four tiles compute 144, of 10 * 10 cells that
// are needed once.
TEST_F(BoundsCommand, TilesThatOverlapComputeTwice) {
    const json out = bounds("A: T.Buffer((10, 10), 'int32'), C: T.Buffer((8, 8), 'int32')", R"(
    M = T.alloc_buffer((10, 10), "int32")
    for io, jo in T.grid(2, 2):
        for a, b in T.grid(6, 6):
            with T.block("make"):
                y = T.axis.spatial(10, io * 4 + a)
                x = T.axis.spatial(10, jo * 4 + b)
                M[y, x] = A[y, x] * 2
        for i, j, k, l in T.grid(4, 4, 3, 3):
            with T.block("sum"):
                y = T.axis.spatial(8, io * 4 + i)
                x = T.axis.spatial(8, jo * 4 + j)
                p, q = T.axis.remap("RR", [k, l])
                with T.init():
                    C[y, x] = 0
                C[y, x] = C[y, x] + M[y + p, x + q]
)");
    const json m = buffer(out, "M");
    EXPECT_EQ(m["needed"]["cells"]["text"], "36");
    EXPECT_EQ(m["computed"]["cells"]["text"], "36");
    EXPECT_EQ(needed_of_computed(m), "100 of 144");
    EXPECT_EQ(m["loss"]["ratio"], "1.44");
}

// A buffer in the loop: each iteration has one of its own, so nothing is computed twice.
TEST_F(BoundsCommand, ABufferInALoopIsOneForEachIteration) {
    const json out = bounds("A: T.Buffer((12,), 'int32'), C: T.Buffer((10,), 'int32')", R"(
    for y in range(10):
        R = T.decl_buffer((3,), "int32")
        for k in range(3):
            with T.block("rows"):
                vy, vk = T.axis.remap("SS", [y, k])
                R[vk] = A[vy + vk] * 2
        with T.block("sum"):
            v = T.axis.spatial(10, y)
            C[v] = R[0] + R[1] + R[2]
)");
    const json r = buffer(out, "R");
    EXPECT_EQ(r["allocated_in"], json({"y"}));
    EXPECT_EQ(r["allocated"]["text"], "3");
    EXPECT_EQ(r["stored"]["cells"]["text"], "3");
    EXPECT_EQ(needed_of_computed(r), "30 of 30");
}

// A buffer of three rows that takes 12 in turn: 12 are computed, each once. And cells that are used
// again for other values, or computed again.
TEST_F(BoundsCommand, ACellThatHoldsOneValueAfterAnotherIsNotComputedAgain) {
    const std::string rolled = R"(
        for k in range(3):
            with T.block("rows"):
                T.where(y == 0 or k == 2)
                r = T.axis.spatial(12, y + k)
                R[r % 3] = A[r] * 2
)";
    const std::string fresh_each_time = R"(
        for k in range(3):
            with T.block("rows"):
                r, q = T.axis.remap("SS", [y, k])
                R[q] = A[r + q] * 2
)";
    const std::string again = R"(
        for k in range(3):
            with T.block("rows"):
                q = T.axis.spatial(3, k)
                R[q] = A[q] * 2
)";
    const std::string both_halves = R"(
        for k in range(3):
            with T.block("rows"):
                r, q = T.axis.remap("SS", [y, k])
                R[q] = A[r // 2 + q] * 2
)";
    const std::string one_of_two = R"(
        for k in range(3):
            if y % 2 == 0:
                R[k] = A[k]
            else:
                R[k] = A[k + 3]
)";
    const struct {
        std::string rows;
        const char* loss;
    } rows[] = {
        {rolled,
         "nothing computed again; a cell holds one value after another, so how many are "
         "asked for is not known"},
        {fresh_each_time,
         "nothing computed again; a cell holds one value after another, so how "
         "many are asked for is not known"},
        {again, "10.00 (computed 30, needed 3), 27 computed again"},
        {both_halves, "not known: a cell may hold one value after another"},
        {one_of_two, "not known: a cell may hold one value after another"},
    };
    for (const auto& row : rows) {
        const json r = buffer(
            bounds(
                "A: T.Buffer((12,), 'int32'), C: T.Buffer((10,), 'int32')",
                "    R = T.alloc_buffer((3,), \"int32\")\n    for y in range(10):" + row.rows + R"(
        with T.block("sum"):
            v = T.axis.spatial(10, y)
            C[v] = R[v % 3] + R[(v + 1) % 3] + R[(v + 2) % 3]
)"),
            "R");
        EXPECT_EQ(r["loss"]["text"], row.loss) << row.rows;
        EXPECT_EQ(r["loss"].contains("ratio"), row.rows == again);
    }
}

// Threads store to a buffer outside of their loop: all they store is in it at one time.
TEST_F(BoundsCommand, ThreadsBelowAnAllocationAreRelaxed) {
    const json out = bounds("A: T.Buffer((64,), 'int32'), C: T.Buffer((64,), 'int32')", R"(
    for bx in T.thread_binding(4, thread="blockIdx.x"):
        S = T.decl_buffer((16,), "int32", scope="shared")
        for tx in T.thread_binding(16, thread="threadIdx.x"):
            with T.block("load"):
                b, t = T.axis.remap("SS", [bx, tx])
                S[t] = A[b * 16 + t]
        for tx in T.thread_binding(16, thread="threadIdx.x"):
            with T.block("use"):
                b, t = T.axis.remap("SS", [bx, tx])
                C[b * 16 + t] = S[15 - t]
)");
    const json s = buffer(out, "S");
    EXPECT_EQ(s["stored"]["cells"]["text"], "16");
    EXPECT_EQ(request(s, "load", 2, "producers"), "S[tx]: 1 cells, box 1");
    EXPECT_EQ(request(s, "use", 1), "S[0:16]: 16 cells, box 16");
    EXPECT_EQ(fresh(s, "use", 2), "none");  // there is no iteration before, of threads
}

// Steps of 2 in rows and of 3 in columns: 4 * 3 of 8 * 9.
TEST_F(BoundsCommand, StridesInTwoDimensions) {
    const json out = bounds("A: T.Buffer((8, 9), 'int32'), C: T.Buffer((4, 3), 'int32')", R"(
    for i, j in T.grid(4, 3):
        with T.block("pool"):
            y, x = T.axis.remap("SS", [i, j])
            C[y, x] = A[y * 2, x * 3]
)");
    EXPECT_EQ(request(buffer(out, "A"), "pool", 0), "A[0:7:2, 0:7:3]: 12 cells, box 49");
}

// Sizes put in: rows of m, flattened by hand, are linear at m = 5 only.
TEST_F(BoundsCommand, SizesMakeProductsLinear) {
    const std::string parameters = "a: T.handle, c: T.handle";
    const std::string body = R"(
    n, m = T.int32(), T.int32()
    A = T.match_buffer(a, (n * m,), "int32")
    C = T.match_buffer(c, (n,), "int32")
    for i in range(n):
        with T.block("first"):
            v = T.axis.spatial(n, i)
            C[v] = A[v * m]
)";
    const json symbolic = bounds(parameters, body, {}, 3);
    EXPECT_EQ(symbolic["exact"], false);
    const json out = bounds(parameters, body, {"--sizes", "n=3,m=5"});
    EXPECT_EQ(request(buffer(out, "A"), "first", 0), "A[0:11:5]: 3 cells, box 11");
}

const char* const kSizes =
    "n: T.int32, m: T.int32, C: T.Buffer((n, m), 'int32'), "
    "B: T.Buffer((n + m + 8, n + m + 8), 'int32')";

// Cells 0 to 3 at n >= 4, and fewer at a smaller n: a number of cells is right at every size.
TEST_F(BoundsCommand, ANumberOfCellsIsRightAtEverySize) {
    const std::string body = R"(
    for i, j in T.grid(n, m):
        with T.block("wrap"):
            v, u = T.axis.remap("SS", [i, j])
            C[v, u] = B[v % 4, 0]
)";
    const json b = buffer(bounds(kSizes, body), "B");
    EXPECT_EQ(request(b, "wrap", 0), "B[0:T.min(4, n), 0]: T.min(4, n) cells, box T.min(4, n)");
    EXPECT_FALSE(named(b["consumers"], "stage", "wrap")["levels"][0]["cells"].contains("least"));
    for (const auto& [size, cells] :
         {std::pair("n=1,m=1", "1"), {"n=3,m=2", "3"}, {"n=9,m=2", "4"}}) {
        const json at = buffer(bounds(kSizes, body, {"--sizes", size}), "B");
        EXPECT_EQ(named(at["consumers"], "stage", "wrap")["levels"][0]["cells"]["text"], cells);
    }
}

// Where a guard is about sizes and fixed loops only, it lets all cells be or none: with sizes as
// with numbers for them.
TEST_F(BoundsCommand, WhatAGuardLetsBeIsNotAlwaysThere) {
    const std::string body = R"(
    for i, j in T.grid(n, m):
        with T.block("lower"):
            v, u = T.axis.remap("SS", [i, j])
            T.where(j <= i)
            C[v, u] = B[v, u]
)";
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{}, {"--sizes", "n=3,m=3"}}) {
        const json b = buffer(bounds(kSizes, body, options), "B");
        const json cells = named(b["consumers"], "stage", "lower")["levels"][2]["cells"];
        EXPECT_EQ(cells["text"], "0 to 1");
        EXPECT_EQ(cells["least"], "0");
        EXPECT_FALSE(cells.contains("formula"));
    }
    const json row = buffer(bounds(kSizes, R"(
    for i in range(n):
        if i < m:
            for j in range(m):
                C[i, j] = B[i, j]
)"),
                            "B");
    const json cells = named(row["consumers"], "stage", "C")["levels"][1]["cells"];
    EXPECT_THAT(cells["text"].get<std::string>(), testing::AnyOf("?", "m", "0 or m"));
}

// What one iteration adds may be in very many parts: the search for fewer has a limit, and what is
// not found is said.
TEST_F(BoundsCommand, TheSearchForFewerPartsHasALimit) {
    const std::string parameters =
        "n: T.int32, m: T.int32, C: T.Buffer((n, m, 4), 'int32'), "
        "B: T.Buffer((n * 5 + m * 5 + 40, n * 5 + m * 5 + 40), 'int32')";
    const json out = bounds(parameters, R"(
    for i, j, k in T.grid(n, m, 4):
        with T.block("c"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            T.where(j <= i)
            C[vi, vj, vk] = B[T.min(vk + 3, n), (vi + vj) // 2] + B[vk * 2 + vj, (vj + vi) // 3]
)");
    EXPECT_TRUE(named(buffer(out, "B")["consumers"], "stage", "c")["levels"][1]["new"].is_null());
    const Seen seen = run({"bounds", "program.py"});
    EXPECT_THAT(seen.out, HasSubstr("new: ? (more parts than are looked at)"));
}

// An index that data gives: any cell of the buffer, which is said to be more than there may be.
TEST_F(BoundsCommand, WhatDataDecidesIsAtMost) {
    const json out = bounds(
        "I: T.Buffer((8,), 'int32'), A: T.Buffer((50,), 'int32'), C: T.Buffer((8,), 'int32')",
        R"(
    for i in range(8):
        with T.block("gather"):
            v = T.axis.spatial(8, i)
            C[v] = A[I[v]]
)",
        {}, 3);
    const json level = named(buffer(out, "A")["consumers"], "stage", "gather")["levels"][1];
    EXPECT_EQ(level["kind"], "at most");
    EXPECT_EQ(level["region"], "A[0:50]");
    EXPECT_EQ(out["exact"], false);
}

// 17 cells with gaps of many sizes: one part too many.
TEST_F(BoundsCommand, MoreThanSixteenPartsAreAHull) {
    std::string sum = "A[0]";
    for (int k = 1, at = 1; k <= 16; ++k, at += k) sum += " + A[" + std::to_string(at + k) + "]";
    const json out = bounds("A: T.Buffer((200,), 'int32'), C: T.Buffer((1,), 'int32')",
                            "\n    C[0] = " + sum + "\n", {}, 3);
    const json level = named(buffer(out, "A")["consumers"], "stage", "C")["levels"][0];
    EXPECT_EQ(level["kind"], "hull of more than 16 parts");
    EXPECT_EQ(level["parts"].size(), 1U);
}

// --- forms of the answer
// ----------------------------------------------------------------------------

TEST_F(BoundsCommand, DrawsWhatItSays) {
    const std::string parameters =
        "A: T.Buffer((4, 4), 'int32'), X: T.Buffer((2, 2), 'int32'), Y: T.Buffer((2, 2), 'int32')";
    bounds(parameters, R"(
    M = T.alloc_buffer((4, 4), "int32")
    for i, j in T.grid(4, 4):
        M[i, j] = A[i, j] * 3
    for i, j in T.grid(2, 2):
        X[i, j] = M[i, j] + 1
    for i, j in T.grid(2, 2):
        Y[i, j] = M[i + 2, j + 2] - 1
)");
    const Seen svg = run({"bounds", "program.py", "--svg"});
    EXPECT_EQ(svg.code, 0) << svg.err;
    EXPECT_THAT(svg.out, HasSubstr("<svg xmlns="));
    // M is 4 by 4 cells of 80 pixels; Y requests the lower right quarter of it.
    EXPECT_THAT(svg.out, HasSubstr("<rect x=\"184\" y=\"196\" width=\"160\" height=\"160\" fill"));
    EXPECT_THAT(svg.out, HasSubstr("Y requests: 4 cells"));
    EXPECT_THAT(svg.out, HasSubstr("loss: 2.00 (computed 16, needed 8), 8 never asked for"));
    const Seen dot = run({"bounds", "program.py", "--dot"});
    EXPECT_THAT(dot.out, HasSubstr("digraph \"f\" {"));
    EXPECT_THAT(dot.out, HasSubstr("\"stage M\" -> \"buffer M\" [label=\"16\"];"));
    EXPECT_THAT(dot.out, HasSubstr("\"buffer M\" -> \"stage Y\" [label=\"4\"];"));
}

TEST_F(BoundsCommand, LooksAtWhatAScheduleLeaves) {
    bounds("A: T.Buffer((16,), 'int32'), C: T.Buffer((16,), 'int32')", R"(
    for i in range(16):
        with T.block("copy"):
            v = T.axis.spatial(16, i)
            C[v] = A[v]
)");
    file("s.py", "i, = sch.get_loops(sch.get_block('copy'))\nsch.split(i, factors=[None, 4])\n");
    const Seen seen = run({"bounds", "program.py", "--schedule", "s.py", "--no-cache"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("for i_0 in range(4)"));
    EXPECT_THAT(seen.out, HasSubstr("A[i_0 * 4:i_0 * 4 + 4]"));
    file("wrong.py", "sch.split(sch.get_loops(sch.get_block('copy'))[0], factors=[None, 0])\n");
    const Seen wrong = run({"bounds", "program.py", "--schedule", "wrong.py", "--no-cache"});
    EXPECT_NE(wrong.code, 0);
    EXPECT_THAT(wrong.err, HasSubstr("wrong.py:1:"));
}

TEST_F(BoundsCommand, SaysWhatIsWrong) {
    bounds("A: T.Buffer((4,), 'int32')", "\n    for i in range(4):\n        A[i] = 0\n");
    const struct {
        std::vector<std::string> words;
        const char* says;
    } rows[] = {
        {{"bounds"}, "PROGRAM is required"},
        {{"bounds", "nowhere.py"}, "cannot read nowhere.py"},
        {{"bounds", "program.py", "--function", "g"}, "has no function 'g'"},
        {{"bounds", "program.py", "--sizes", "n=4"}, "--sizes: no scalar parameter 'n'"},
        {{"bounds", "program.py", "--sizes", "n"}, "'n' is not NAME=VALUE"},
        {{"bounds", "program.py", "--svg"}, "has no buffer of two dimensions"},
        {{"bounds", "program.py", "--svg", "--dot"}, "excludes"},
        {{"bounds", "program.py", "--schedule", "nowhere"}, "cannot read nowhere"},
    };
    for (const auto& row : rows) {
        const Seen seen = run(row.words);
        EXPECT_EQ(seen.code, 2) << row.says << seen.out;
        EXPECT_THAT(seen.err, HasSubstr(row.says));
    }
}

}  // namespace
}  // namespace proviso::tests
