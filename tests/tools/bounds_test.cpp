// `proviso bounds`: the figures of its requirements, each worked out by hand. Beside each stands
// what a box around all cells has.
#include <gmock/gmock.h>

#include "tests/tools/bounds_fixture.h"

namespace proviso::tests {
namespace {

using testing::HasSubstr;

// Two corners of a square: 2 * 2 + 2 * 2 cells. The box around both has 4 * 4.
TEST_F(BoundsCommand, TwoConsumersNeedTheirCornersOnly) {
    const json out = bounds(
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
)");
    const json m = buffer(out, "M");
    EXPECT_EQ(request(m, "upper", 0), "M[0:2, 0:2]: 4 cells, box 4");
    EXPECT_EQ(request(m, "lower", 0), "M[2:4, 2:4]: 4 cells, box 4");
    EXPECT_EQ(m["needed_in_all"]["region"], "M[0:2, 0:2] + M[2:4, 2:4]");
    EXPECT_EQ(m["needed_in_all"]["box"]["text"], "16");
    EXPECT_EQ(needed_of_computed(m), "8 of 16");
    EXPECT_EQ(m["loss"]["ratio"], "2.00");
}

// i, i + 5 and i + 10: three cells, 11 from the first to the last.
TEST_F(BoundsCommand, AStrideIsNoInterval) {
    const json out = bounds("B: T.Buffer((20,), 'int32'), C: T.Buffer((8,), 'int32')", R"(
    for i in range(8):
        with T.block("gather"):
            v = T.axis.spatial(8, i)
            C[v] = 0
            for j in range(3):
                C[v] = C[v] + B[v + 5 * j]
)");
    EXPECT_EQ(request(buffer(out, "B"), "gather", 1), "B[i:i + 11:5]: 3 cells, box 11");
    // 0 to 7, 5 to 12 and 10 to 17.
    EXPECT_EQ(request(buffer(out, "B"), "gather", 0), "B[0:18]: 18 cells, box 18");
}

// Five cells of a cross, nine of the square around it. Over an h by w image the crosses miss the
// four corners: (h + 2) * (w + 2) - 4.
TEST_F(BoundsCommand, ACrossHasNoCorners) {
    const json out = bounds("a: T.handle, c: T.handle", R"(
    h, w = T.int32(), T.int32()
    A = T.match_buffer(a, (h + 2, w + 2), "float32")
    C = T.match_buffer(c, (h, w), "float32")
    for y, x in T.grid(h, w):
        with T.block("cross"):
            v, u = T.axis.remap("SS", [y, x])
            C[v, u] = (A[v, u + 1] + A[v + 1, u] + A[v + 1, u + 1] + A[v + 1, u + 2]
                       + A[v + 2, u + 1])
)");
    const json a = buffer(out, "A");
    EXPECT_EQ(request(a, "cross", 2),
              "A[y:y + 3, x + 1] + A[y + 1, x] + A[y + 1, x + 2]: 5 cells, box 9");
    EXPECT_EQ(fresh(a, "cross", 2), "3");  // of the next cross, the middle and the left are known
    EXPECT_EQ(request(a, "cross", 0),
              "A[0:h + 2, 1:w + 1] + A[1:h + 1, 0:w] + A[1:h + 1, 2:w + 2]: "
              "h * w + 2 * h + 2 * w cells, box h * w + 2 * h + 2 * w + 4");
}

// Nine cells in a row of rows of six: part of a row, whole rows, part of a row. Two rows of six
// have 12.
TEST_F(BoundsCommand, AFusedLoopReachesPartsOfRows) {
    const json out = bounds("A: T.Buffer((12, 6), 'int32'), C: T.Buffer((12, 6), 'int32')", R"(
    for fo, fi in T.grid(8, 9):
        with T.block("copy"):
            r = T.axis.spatial(12, (fo * 9 + fi) // 6)
            c = T.axis.spatial(6, (fo * 9 + fi) % 6)
            C[r, c] = A[r, c] + 1
)");
    EXPECT_THAT(request(buffer(out, "A"), "copy", 1), HasSubstr(": 9 cells, box 12"));
    EXPECT_EQ(request(buffer(out, "A"), "copy", 0), "A[0:12, 0:6]: 72 cells, box 72");
    EXPECT_EQ(request(buffer(out, "A"), "copy", 2),
              "A[(fo * 9 + fi) // 6, (fo * 9 + fi) % 6]: 1 cells, box 1");
}

// Three rows at each of ten positions are twelve rows: 3 + 9 * 1. To compute two new ones each time
// would be 3 + 9 * 2 = 21, three 30.
TEST_F(BoundsCommand, ASlidingWindowAddsOneRow) {
    const std::string parameters = "A: T.Buffer((12,), 'int32'), C: T.Buffer((10,), 'int32')";
    const json out = bounds(parameters, R"(
    R = T.alloc_buffer((12,), "int32")
    for y in range(10):
        for k in range(3):
            with T.block("rows"):
                v = T.axis.spatial(12, y + k)
                R[v] = A[v] * 2
        with T.block("sum"):
            v = T.axis.spatial(10, y)
            C[v] = R[v] + R[v + 1] + R[v + 2]
)");
    const json r = buffer(out, "R");
    EXPECT_EQ(request(r, "sum", 0), "R[0:12]: 12 cells, box 12");
    EXPECT_EQ(request(r, "sum", 1), "R[y:y + 3]: 3 cells, box 3");
    EXPECT_EQ(fresh(r, "sum", 1), "1");
    EXPECT_EQ(needed_of_computed(r), "12 of 30");
    EXPECT_EQ(r["loss"]["text"], "2.50 (computed 30, needed 12), 18 computed again");
    EXPECT_EQ(r["shared"], json({"y"}));
}

const char* const kChain = R"(
    P = T.alloc_buffer((58, 58), "float32")
    D = T.alloc_buffer((56, 56), "float32")
    Q = T.alloc_buffer((58, 58), "float32")
    E = T.alloc_buffer((56, 56), "float32")
    R = T.alloc_buffer((58, 58), "float32")
    for i, j in T.grid(58, 58):
        with T.block("pad1"):
            y, x = T.axis.remap("SS", [i, j])
            P[y, x] = T.if_then_else(1 <= y and y < 57 and 1 <= x and x < 57, X[y - 1, x - 1], T.float32(0))
    for i, j, a, b in T.grid(56, 56, 3, 3):
        with T.block("conv1"):
            y, x, dy, dx = T.axis.remap("SSRR", [i, j, a, b])
            with T.init():
                D[y, x] = T.float32(0)
            D[y, x] = D[y, x] + P[y + dy, x + dx] * K[dy, dx]
    for i, j in T.grid(58, 58):
        with T.block("pad2"):
            y, x = T.axis.remap("SS", [i, j])
            Q[y, x] = T.if_then_else(1 <= y and y < 57 and 1 <= x and x < 57, D[y - 1, x - 1], T.float32(0))
    for i, j, a, b in T.grid(56, 56, 3, 3):
        with T.block("conv2"):
            y, x, dy, dx = T.axis.remap("SSRR", [i, j, a, b])
            with T.init():
                E[y, x] = T.float32(0)
            E[y, x] = E[y, x] + Q[y + dy, x + dx] * K[dy, dx]
    for i, j in T.grid(58, 58):
        with T.block("pad3"):
            y, x = T.axis.remap("SS", [i, j])
            R[y, x] = T.if_then_else(1 <= y and y < 57 and 1 <= x and x < 57, E[y - 1, x - 1], T.float32(0))
    for i, j, a, b in T.grid(56, 56, 3, 3):
        with T.block("conv3"):
            y, x, dy, dx = T.axis.remap("SSRR", [i, j, a, b])
            with T.init():
                Y[y, x] = T.float32(0)
            Y[y, x] = Y[y, x] + R[y + dy, x + dx] * K[dy, dx]
)";

// Each convolution needs a border of one cell; the guards of a padding keep its request of the one
// before within 56 * 56, so that no border grows: 58 * 58 = 3364, not 60 * 60.
TEST_F(BoundsCommand, PaddingDoesNotGrowAlongAChain) {
    const json out = bounds(
        "X: T.Buffer((56, 56), 'float32'), K: T.Buffer((3, 3), 'float32'), "
        "Y: T.Buffer((56, 56), 'float32')",
        kChain);
    for (const char* padded : {"P", "Q", "R"}) {
        EXPECT_EQ(needed_of_computed(buffer(out, padded)), "3364 of 3364") << padded;
        EXPECT_EQ(buffer(out, padded)["loss"]["text"], "none") << padded;
    }
    EXPECT_EQ(request(buffer(out, "D"), "pad2", 0), "D[0:56, 0:56]: 3136 cells, box 3136");
    EXPECT_EQ(request(buffer(out, "R"), "conv3", 2), "R[i_5:i_5 + 3, j_5:j_5 + 3]: 9 cells, box 9");
    EXPECT_EQ(fresh(buffer(out, "R"), "conv3", 2), "3");
}

// n cells of n * n.
TEST_F(BoundsCommand, ADiagonalIsNoSquare) {
    const json out = bounds("a: T.handle, d: T.handle", R"(
    n = T.int32()
    A = T.match_buffer(a, (n, n + 1), "int32")
    D = T.match_buffer(d, (n,), "int32")
    for i in range(n):
        with T.block("diagonal"):
            v = T.axis.spatial(n, i)
            D[v] = A[v, v + 1]
)");
    EXPECT_EQ(request(buffer(out, "A"), "diagonal", 0),
              "A[p0, p0 + 1] where 0 <= p0 and p0 < n: n cells, box n * n");
    EXPECT_EQ(request(buffer(out, "A"), "diagonal", 1), "A[i, i + 1]: 1 cells, box 1");
}

// Sixteen are computed, every second one is asked for.
TEST_F(BoundsCommand, HalfOfWhatIsComputedIsAskedFor) {
    const json out = bounds("A: T.Buffer((16,), 'int32'), C: T.Buffer((8,), 'int32')", R"(
    M = T.alloc_buffer((16,), "int32")
    for i in range(16):
        with T.block("all"):
            v = T.axis.spatial(16, i)
            M[v] = A[v] + 7
    for i in range(8):
        with T.block("even"):
            v = T.axis.spatial(8, i)
            C[v] = M[v * 2]
)");
    EXPECT_EQ(request(buffer(out, "M"), "even", 0), "M[0:15:2]: 8 cells, box 15");
    EXPECT_EQ(needed_of_computed(buffer(out, "M")), "8 of 16");
}

}  // namespace
}  // namespace proviso::tests
