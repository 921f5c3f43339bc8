// Vectors: stores that read what they change, lets, and buffers whose elements are vectors.
#include "tests/ir/text/results.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextVectors : TextResults {
    static constexpr const char* kVectors =
        "A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\"), V: T.Buffer((2,), "
        "\"int32x4\")";
    static std::string over(const std::string& body) { return function(kVectors, body); }
    // B after a run on A = 10, 11, …, these cells of B, and V = 20, 21, …
    std::string ran(const std::string& body, const std::vector<double>& b,
                    const std::string& buffer = "B") {
        return result(over(body),
                      {{"A", counted({8}, 10)},
                       {"B", Tensor::of(kInt32, {8}, b)},
                       {"V", counted({2, 4}, 20)}},
                      buffer);
    }
    const std::vector<double> counting{0, 1, 2, 3, 4, 5, 6, 7};
    std::string opaque(const std::string& body) {
        const auto file = parse_program(ctx, over(body), "f.py");
        EXPECT_TRUE(file.ok()) << body << file.error().str();
        return file.ok() && file->opaque.size() == 1 ? file->opaque[0].reason.message : "";
    }
    void vectors_as(const std::string& body, const std::string& read) {
        reads_as(over(body), function("A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\"), "
                                      "V: T.Buffer((2, 4), \"int32\")",
                                      read));
    }
};

// All lanes are read before the first is stored.
TEST_F(TextVectors, StoresThatReadWhatTheyChange) {
    vectors_as("B[1:5] = B[0:4]",
               "lanes = T.alloc_buffer((4,), \"int32\", scope=\"local\")\n"
               "for lane in T.vectorized(4):\n    lanes[lane] = B[lane]\n"
               "for lane_1 in T.vectorized(4):\n    B[1 + lane_1] = lanes[lane_1]");
    // Trap: lane after lane, B[0] would go to all of them.
    EXPECT_EQ(ran("B[1:5] = B[0:4]", counting), "0 0 1 2 3 5 6 7");
    EXPECT_EQ(ran("B[0:4] = B[1:5]", counting), "1 2 3 4 4 5 6 7");
    EXPECT_EQ(ran("B[T.ramp(7, -1, 8)] = B[0:8]", counting), "7 6 5 4 3 2 1 0");
    // The same through another name of the memory.
    EXPECT_EQ(ran("X = T.Buffer((2, 4), \"int32\", data=B.data)\nB[1:5] = X[0, 0:4]", counting),
              "0 0 1 2 3 5 6 7");
    EXPECT_EQ(ran("X = T.Buffer((8,), \"int32\", data=B.data)\nX[1:5] += B[0:4]", counting),
              "0 1 3 5 7 5 6 7");
    // Each lane reads its own cell only: no buffer is needed.
    vectors_as("B[1:5] = B[1:5] + A[0:4]",
               "for lane in T.vectorized(4):\n    B[1 + lane] = B[1 + lane] + A[lane]");
    body_as("A[0, 2:6] = A[n, 2:6]",
            "for lane in T.vectorized(4):\n    A[0, 2 + lane] = A[n, 2 + lane]");
    // Trap: the same index in another dimension.
    EXPECT_THAT(print(read(function(kParams, "A[0, 0:4] = A[0:4, 0]"))), HasSubstr("lanes"));
    EXPECT_EQ(ran("X = T.Buffer((4, 2), \"int32\", data=B.data)\nX[0:4, 0] = X[0, 0:4]", counting),
              "0 1 1 3 2 5 3 7");
    // Trap: beyond the extents of a view, the next row begins.
    EXPECT_EQ(ran("X = T.Buffer((4, 2), \"int32\", data=B.data)\nX[0, 0:4] = X[1, 0:4]", counting),
              "2 3 4 5 4 5 6 7");
    EXPECT_EQ(ran("X = T.Buffer((4, 2), \"int32\", data=B.data)\n"
                  "X[T.ramp(0, 1, 3), T.ramp(4, -2, 3)] = A[0:3]",
                  counting),
              "0 1 2 3 12 5 6 7");
}

// Lanes that meet in a cell: each reads what was there before, and the last one counts.
TEST_F(TextVectors, StoresWhoseLanesMeet) {
    // Trap: lane after lane, the cell would be counted up three times.
    EXPECT_EQ(ran("A[0:4] = T.Broadcast(2, 4)\nA[3] = 0\n"
                  "B[A[0:4]] = B[A[0:4]] + T.Broadcast(1, 4)",
                  counting),
              "1 1 3 3 4 5 6 7");
    EXPECT_EQ(
        ran("X = T.Buffer((4,), \"int32\", data=B.data, strides=[0])\nX[0:4] += A[0:4]", counting),
        "13 1 2 3 4 5 6 7");
    // Indices, too, are those from before the store. Trap: B[1] would be 9 when it is asked.
    EXPECT_EQ(ran("B[B[0:4]] = T.Broadcast(9, 4)", {1, 2, 3, 0, 4, 5, 6, 7}), "9 9 9 9 4 5 6 7");
    EXPECT_EQ(ran("B[B[0:4]] = B[4:8]", {1, 1, 0, 0, 4, 5, 6, 7}), "7 5 0 0 4 5 6 7");
}

TEST_F(TextVectors, LetsKeepTheLanes) {
    vectors_as("v: T.int32x4 = A[4:8]\nB[0:4] = v * v",
               "v = T.alloc_buffer((4,), \"int32\", scope=\"local\")\n"
               "for lane in T.vectorized(4):\n    v[lane] = A[4 + lane]\n"
               "for lane_1 in T.vectorized(4):\n    B[lane_1] = v[lane_1] * v[lane_1]");
    // Trap: read where it is used, `v` would be what was stored in between.
    for (const char* let : {"v = B[0:4]", "v: T.int32x4 = B[0:4]", "v: T.let[T.int32x4] = B[0:4]",
                            "v: T.let = B.vload([0], \"int32x4\")", "v = T.bind(B[0:4])"}) {
        EXPECT_EQ(ran(std::string(let) + "\nB[0:4] = B[4:8]\nB[4:8] = v", counting),
                  "4 5 6 7 0 1 2 3")
            << let;
    }
    EXPECT_EQ(ran("with T.LetStmt(B[0:4]) as v:\n    B[0:4] = T.Broadcast(B[7], 4)\n"
                  "    B.vstore([4], v + T.ramp(10, 10, 4))",
                  counting),
              "7 7 7 7 10 21 32 43");
    // The value of a broadcast is that of its line.
    EXPECT_EQ(ran("v = T.broadcast(B[1], 4)\nB[1] = 50\nB[0:4] = v", counting), "1 1 1 1 4 5 6 7");
    // A name may be bound again, also by what it was.
    EXPECT_EQ(ran("v = B[0:4]\nv = v + v\nB[4:8] = v", counting), "0 1 2 3 0 2 4 6");
    // As indices, in conditions of lanes, and cast.
    EXPECT_EQ(ran("v = B[0:4]\nB[0:4] = A[v]\nB[4:8] = T.Select(v < T.Broadcast(2, 4), v, "
                  "T.Cast(\"int32x4\", T.Cast(\"int8x4\", v * T.Broadcast(100, 4))))",
                  counting),
              "10 11 12 13 0 1 -56 44");
    // A vector of one lane is a value.
    vectors_as("x = A.vload([3])\nB[0] = x + x", "x: T.int32 = A[3]\nB[0] = x + x");
}

TEST_F(TextVectors, BuffersOfVectorsHaveTheirLanesLast) {
    vectors_as("V[0] = V[1] + T.broadcast(1, 4)",
               "for lane in T.vectorized(4):\n    V[0, lane] = V[1, lane] + 1");
    EXPECT_EQ(ran("V[0] = V[1] + A[0:4]", counting, "V"), "34 36 38 40 24 25 26 27");
    EXPECT_EQ(ran("v = V[0]\nV[0] = V[1]\nV[1] = v\nB[0:4] = v", counting, "V"),
              "24 25 26 27 20 21 22 23");
    EXPECT_EQ(ran("B[2:6] = V[1]\nB.vstore([0], V.vload([0], \"int32x4\"))", counting),
              "20 21 22 23 26 27 6 7");
    EXPECT_EQ(ran("W = T.alloc_buffer((2,), \"int32x4\")\nfor i in range(2):\n    W[i] = V[1 - i]\n"
                  "for i in range(2):\n    B[i * 4:i * 4 + 4] = W[i]",
                  counting),
              "24 25 26 27 20 21 22 23");
    // The same cells under scalar indices, and scalar cells as vectors.
    EXPECT_EQ(ran("F = T.Buffer((8,), \"int32\", data=V.data)\n"
                  "W = T.Buffer((2,), \"int32x4\", data=B.data)\nB[0] = F[6]\nW[1] = V[0]",
                  counting),
              "26 1 2 3 20 21 22 23");
    // Offsets and strides count vectors.
    EXPECT_EQ(
        ran("W = T.Buffer((1,), \"int32x4\", data=B.data, elem_offset=1)\nW[0] = V[0]", counting),
        "0 1 2 3 20 21 22 23");
    EXPECT_EQ(ran("W = T.alloc_buffer((2,), \"int32x2\", strides=[2])\nW[0] = A[0:2]\nW[1] = "
                  "A[2:4]\nF = T.Buffer((6,), \"int32\", data=W.data)\nB[0] = F[1]\nB[1] = F[4]",
                  counting),
              "11 12 2 3 4 5 6 7");
    const std::string block =
        "for i in range(2):\n    with T.block(\"b\"):\n        vi = T.axis.spatial(2, i)\n"
        "        T.reads(V[vi])\n        T.writes(B[vi * 4:vi * 4 + 4])\n"
        "        B[vi * 4:vi * 4 + 4] = V[vi]";
    EXPECT_THAT(print(read(over(block))), HasSubstr("T.reads(V[vi, 0:4])"));
    EXPECT_EQ(ran(block, counting), "20 21 22 23 24 25 26 27");
}

TEST_F(TextVectors, WhatHasNoMeaning) {
    EXPECT_THAT(opaque("v = A[0:4]\nB[0] = v"), HasSubstr("`v`, a vector of 4 lanes"));
    EXPECT_THAT(opaque("B[0] = V[0]"), HasSubstr("a vector of 4 lanes has no meaning where"));
    EXPECT_THAT(opaque("T.evaluate(V[0])"), HasSubstr("a vector of 4 lanes"));
    EXPECT_THAT(opaque("B[0:8] = V[0:2]"), HasSubstr("an index of a buffer of vectors"));
    EXPECT_THAT(opaque("B[0:4] = T.Broadcast(V[0], 4)"), HasSubstr("the value of a broadcast"));
    // TVM calls it once, not once a lane.
    EXPECT_THAT(opaque("v = T.Broadcast(T.call_extern(\"int32\", \"f\"), 4)\nB[0:4] = v"),
                HasSubstr("calls a function"));
    EXPECT_THAT(opaque("B[0:4] = T.Broadcast(T.call_extern(\"int32\", \"f\"), 4)"),
                HasSubstr("calls a function"));
    EXPECT_THAT(fails(over("v = A[0:4]\nB[0:8] = v")), HasSubstr("a vector of 4 lanes among"));
    EXPECT_THAT(fails(over("V[0] = A[0:2]")), HasSubstr("a vector of 2 lanes among"));
    EXPECT_THAT(fails(over("v = A[0:4]\nB[0] = v[1]")), HasSubstr("`v` is a vector, not a buffer"));
    const auto integers = HasSubstr("must be integers, not float32");
    EXPECT_THAT(fails(over("B[1:4 / 2] = A[0:4]")), integers);
    EXPECT_THAT(fails(over("B[0.0:4.0] = A[0:4]")), integers);
    EXPECT_THAT(fails(over("B[0:4] = A[0.5:4.5]")), integers);
    EXPECT_THAT(fails(over("B[T.ramp(0.0, 1.0, 4)] = A[0:4]")), integers);
    EXPECT_THAT(fails(over("V[0, 1] = A[0:4]")), HasSubstr("has 1 dimension, but 2"));
}

}  // namespace
}  // namespace proviso::ir
