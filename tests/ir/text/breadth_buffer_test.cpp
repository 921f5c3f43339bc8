// Scopes and views: what a program says about where the cells of a buffer are.
#include "ir/buffer_scope.h"
#include "ir/text/reader/view_map.h"
#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextBreadthBuffer : TextReader {
    // A body over A (4, 4) and C (16,) of float32, B (2, 3, 4) of int32.
    static constexpr const char* kBuffers =
        "A: T.Buffer((4, 4), \"float32\"), B: T.Buffer((2, 3, 4), \"int32\"), "
        "C: T.Buffer((16,), \"float32\"), n: T.int32";
    void over(const std::string& text, const std::string& canonical_text) {
        reads_as(function(kBuffers, text), function(kBuffers, canonical_text));
    }
    std::string over_fails(const std::string& text) { return fails(function(kBuffers, text)); }
};

TEST_F(TextBreadthBuffer, EveryScopeIsMemory) {
    for (const char* scope :
         {"shared", "local", "warp", "shared.dyn", "wmma.matrix_a", "local.vtcm", "global.l2",
          "m16n8k8.matrixC", "texture:weight", "texture-nhwc"}) {
        body("X = T.alloc_buffer((4,), \"int32\", scope=\"" + std::string(scope) + "\")\nX[0] = 0");
    }
    body(
        "with T.decl_buffer((4,), \"int32\", scope=\"wmma.accumulator\") as X:\n    X[0] = 0\n"
        "B[0] = 1");
    EXPECT_TRUE(is_shared_scope("shared.dyn"));
    EXPECT_FALSE(is_shared_scope("shared.other"));
    EXPECT_EQ(scope_as_name("shared.dyn"), "shared_dyn");
}

TEST_F(TextBreadthBuffer, WhatSaysNothingAboutCells) {
    const std::string plain = "@T.prim_func\ndef f(A: T.Buffer((4, 8), \"float32\")):\n    pass\n";
    for (const char* more :
         {"strides=[8, 1]", "strides=(8, 1)", "strides=[]", "strides=None", "elem_offset=0",
          "elem_offset=None", "align=64", "offset_factor=1", "align=-1", "buffer_type=\"default\"",
          "buffer_type=\"\"", "axis_separators=[]", "data=None", "scope=\"global\"",
          "strides=[T.int64(8), T.int64(1)], elem_offset=T.int64(0), align=16"}) {
        reads_as("@T.prim_func\ndef f(A: T.Buffer((4, 8), \"float32\", " + std::string(more) +
                     ")):\n    pass\n",
                 plain);
        reads_as(
            "@T.prim_func\ndef f(a: T.handle):\n    A = T.match_buffer(a, (4, 8), \"float32\", " +
                std::string(more) + ")\n",
            plain);
    }
    reads_as(
        "@T.prim_func\ndef f(a: T.handle, n: T.int32, m: T.int32):\n"
        "    A = T.match_buffer(a, (4, n, m), strides=[n * m, m, 1])\n    A[0, 0, 0] = 0\n",
        "@T.prim_func\ndef f(var_A: T.handle, n: T.int32, m: T.int32):\n"
        "    A = T.match_buffer(var_A, (4, n, m), \"float32\")\n"
        "    A[0, 0, 0] = T.float32(0.0)\n");
    // The stride of a dimension with one cell says nothing.
    reads_as("@T.prim_func\ndef f(A: T.Buffer((1, 8), \"float32\", strides=[64, 1])):\n    pass\n",
             "@T.prim_func\ndef f(A: T.Buffer((1, 8), \"float32\")):\n    pass\n");
}

TEST_F(TextBreadthBuffer, ViewsOfOtherShapes) {
    const auto view = [](const std::string& shape, const std::string& of, const std::string& use) {
        return "X = T.decl_buffer(" + shape + ", \"float32\", data=" + of + ".data)\n" + use;
    };
    over(view("(16,)", "A", "X[n] = X[3]"), "A[n // 4, n % 4] = A[0, 3]");
    over(view("(4, 4)", "C", "X[n, 2] = X[1, n]"), "C[n * 4 + 2] = C[4 + n]");
    over(view("(4, 4)", "A", "X[n, 2] = X[1, n]"), "A[n, 2] = A[1, n]");
    over(view("(2, 2, 4)", "A", "X[1, n, 3] = 0"), "A[2 + n, 3] = T.float32(0.0)");
    over(view("(4, 2, 2)", "A", "X[3, n, 1] = 0"), "A[3, n * 2 + 1] = T.float32(0.0)");
    over(view("(1, 4, 1, 4)", "A", "X[0, n, 0, 1] = 0"), "A[n, 1] = T.float32(0.0)");
    over(view("(2, 8)", "A", "X[n, 5] = 0"),
         "A[(n * 8 + 5) // 4, (n * 8 + 5) % 4] = T.float32(0.0)");
    over(view("(8,)", "A", "X[n] = 0"), "A[n // 4, n % 4] = T.float32(0.0)");
    over("X = T.decl_buffer((24,), \"int32\", data=B.data)\nX[n] = 1",
         "B[n // 12, n % 12 // 4, n % 4] = 1");
    // Index types are kept, and meet in int64.
    over(view("(4, 4)", "C", "X[T.int64(1), n] = 0"),
         "C[T.int64(4) + T.Cast(\"int64\", n)] = T.float32(0.0)");
    // In both spellings, with a body and as an assignment.
    over("X = T.Buffer((16,), data=A.data)\nX[0] = 0", "A[0, 0] = T.float32(0.0)");
    over("X = T.Buffer((16,), \"float32\", A.data)\nX[0] = 0", "A[0, 0] = T.float32(0.0)");
    over("with T.decl_buffer((16,), \"float32\", data=A.data) as X:\n    X[1] = 0\nA[0, 0] = 1",
         "A[0, 1] = T.float32(0.0)\nA[0, 0] = T.float32(1.0)");
}

// An index that is 0 whenever the line runs needs no place; another one keeps its step.
TEST_F(TextBreadthBuffer, DimensionsOfOneCell) {
    over(
        "X = T.decl_buffer((1, 16), \"float32\", data=C.data)\nfor i in range(1):\n"
        "    for j in range(16):\n        X[i, j] = 0",
        "for i in range(1):\n    for j in range(16):\n        C[j] = T.float32(0.0)");
    over(
        "X = T.decl_buffer((1, 16), \"float32\", data=C.data)\nwith T.block(\"b\"):\n"
        "    vi = T.axis.spatial(1, 0)\n    X[vi, n] = 0",
        "with T.block(\"b\"):\n    vi = T.axis.spatial(1, 0)\n    C[n] = T.float32(0.0)");
    over("X = T.decl_buffer((1, 16), \"float32\", data=C.data)\nX[n, 2] = 0",
         "C[n * 16 + 2] = T.float32(0.0)");
}

TEST_F(TextBreadthBuffer, ViewsOfAPart) {
    over("X = T.decl_buffer((4,), \"float32\", data=C.data, elem_offset=8)\nX[n] = X[0]",
         "C[8 + n] = C[8]");
    over(
        "X = T.decl_buffer((2, 2), \"float32\", data=C.data, strides=[8, 1], elem_offset=n)\n"
        "X[1, n] = 0",
        "C[n + 8 + n] = T.float32(0.0)");
    over("X = T.decl_buffer((4,), \"float32\", data=A.data, strides=[5])\nX[n] = 0",
         "A[n * 5 // 4, n * 5 % 4] = T.float32(0.0)");
}

// TVM's FlattenBuffer gives a buffer without dimensions one.
TEST_F(TextBreadthBuffer, ViewsOfABufferWithoutDimensions) {
    const std::string s = "S: T.Buffer((), \"float32\"), n: T.int32";
    reads_as(function(s,
                      "X = T.decl_buffer((1,), data=S.data, elem_offset=T.int64(0), layout=None)\n"
                      "X[0] = X[0] + T.float32(1)"),
             function(s, "S[()] = S[()] + T.float32(1.0)"));
    reads_as(function(s,
                      "X = T.decl_buffer((1, 1), data=S.data)\n"
                      "Y = T.decl_buffer((1,), data=X.data)\n"
                      "for i in range(1):\n    with T.block(\"b\"):\n"
                      "        T.writes(X[0, 0])\n        X[i, 0] = Y[0]"),
             function(s,
                      "for i in range(1):\n    with T.block(\"b\"):\n"
                      "        T.writes(S[()])\n        S[()] = S[()]"));
    EXPECT_THAT(fails(function(s, "X = T.decl_buffer((2,), data=S.data)")),
                HasSubstr("cell number 1, but the buffer has 1 cells"));
    // Trap: without an index there is none that could be out of bounds.
    for (const char* use : {"X[n] = T.float32(0)", "S[()] = X[n] * T.float32(2)", "X[1] = 0.0",
                            "for i in range(2):\n    X[i] = T.float32(0)"}) {
        EXPECT_THAT(fails(function(s, std::string("X = T.decl_buffer((1,), data=S.data)\n") + use)),
                    HasSubstr("is not seen to be 0"))
            << use;
    }
}

TEST_F(TextBreadthBuffer, ViewsOfViews) {
    over(
        "X = T.decl_buffer((24,), \"int32\", data=B.data)\n"
        "Y = T.decl_buffer((6, 4), \"int32\", data=X.data)\nY[1, n] = X[Y[0, 0]]",
        "B[0, 1, n] = "
        "B[B[0, 0, 0] // 12, B[0, 0, 0] % 12 // 4, B[0, 0, 0] % 4]");
    over(
        "with T.block(\"b\"):\n    X = T.match_buffer(A[n:n + 2, 0:4], (2, 4))\n"
        "    with T.block(\"c\"):\n        Y = T.match_buffer(X[1, 2:4], (2,))\n        Y[n] = 0",
        "with T.block(\"b\"):\n    with T.block(\"c\"):\n        A[n + 1, 2 + n] = T.float32(0.0)");
}

TEST_F(TextBreadthBuffer, MemoryOfAllocate) {
    over("p = T.allocate([16], \"float32\", \"shared\")\np[n] = 0",
         "p = T.alloc_buffer((16,), \"float32\", scope=\"shared\")\np[n] = T.float32(0.0)");
    over(
        "p = T.allocate([16], \"float32\", \"shared\")\n"
        "X = T.Buffer((4, 4), \"float32\", data=p, scope=\"shared\")\nX[n, 1] = p[5]",
        "X = T.alloc_buffer((4, 4), \"float32\", scope=\"shared\")\nX[n, 1] = X[1, 1]");
    over(
        "p = T.allocate([16], \"float32\")\nC[0] = 1\nX = T.decl_buffer((4, 4), data=p)\n"
        "X[n, 1] = p[5]",
        "p = T.alloc_buffer((16,), \"float32\")\nC[0] = T.float32(1.0)\np[n * 4 + 1] = p[5]");
    over(
        "with T.allocate([16], \"float32\", \"global\") as p:\n"
        "    X = T.decl_buffer((4, 4), \"float32\", data=p)\n"
        "    Y = T.decl_buffer((2, 4), \"float32\", data=p)\n    Y[n, 1] = X[1, 2]",
        "X = T.alloc_buffer((4, 4), \"float32\")\nX[n, 1] = X[1, 2]");
    over(
        "p = T.allocate([16], \"float32\")\nX = T.decl_buffer((3,), \"float32\", data=p)\nX[0] = 0",
        "p = T.alloc_buffer((16,), \"float32\")\np[0] = T.float32(0.0)");
    over("p = T.allocate([16], \"float32\", \"global\", condition=True, annotations={})\np[0] = 0",
         "p = T.alloc_buffer((16,), \"float32\")\np[0] = T.float32(0.0)");
}

TEST_F(TextBreadthBuffer, PointersAsParameters) {
    reads_as(
        "@T.prim_func\ndef f(p: T.handle(\"float32\"), q: T.handle(\"int8\", \"global\")):\n"
        "    X = T.Buffer((4, 4), data=p)\n    Y = T.decl_buffer((8,), \"int8\", data=q)\n"
        "    Z = T.Buffer((16,), data=p)\n    Z[5] = 1\n    Y[0] = 1\n",
        "@T.prim_func\ndef f(X: T.Buffer((4, 4), \"float32\"), Y: T.Buffer((8,), \"int8\")):\n"
        "    X[1, 1] = T.float32(1.0)\n    Y[0] = T.int8(1)\n");
}

TEST_F(TextBreadthBuffer, WindowsInBlocks) {
    over(
        "for i in range(4):\n    with T.block(\"b\"):\n        vi = T.axis.spatial(4, i)\n"
        "        T.reads()\n        T.writes(A[vi, 0:4])\n"
        "        X = T.match_buffer(A[vi, 0:4], (4,), \"float32\")\n"
        "        with T.init():\n            X[1] = 0\n        X[2] = X[vi]",
        "for i in range(4):\n    with T.block(\"b\"):\n        vi = T.axis.spatial(4, i)\n"
        "        T.reads()\n        T.writes(A[vi, 0:4])\n"
        "        with T.init():\n            A[vi, 1] = T.float32(0.0)\n"
        "        A[vi, 2] = A[vi, vi]");
    over(
        "for i in range(2):\n    with T.block(\"b\"):\n        vi = T.axis.spatial(2, i)\n"
        "        X = T.match_buffer(A[vi * 2:vi * 2 + 2, 0:4], (2, 4), \"float32\", "
        "strides=[4, 1], offset_factor=4)\n        with T.block(\"c\"):\n"
        "            T.reads(X[0, 1:3])\n            T.writes(X)\n            X[1, 3] = X[0, 2]",
        "for i in range(2):\n    with T.block(\"b\"):\n        vi = T.axis.spatial(2, i)\n"
        "        with T.block(\"c\"):\n"
        "            T.reads(A[vi * 2, 1:3])\n            T.writes(A[vi * 2:vi * 2 + 2, 0:4])\n"
        "            A[vi * 2 + 1, 3] = A[vi * 2, 2]");
}

// Strides and offset as variables get the values that the region gives them.
TEST_F(TextBreadthBuffer, WindowsBindVariables) {
    over(
        "with T.block(\"b\"):\n    s0 = T.int32()\n    s1 = T.int32()\n    off = T.int32()\n"
        "    X = T.match_buffer(B[1, n:n + 2, 0:4], (2, 4), \"int32\", strides=[s0, s1], "
        "elem_offset=off)\n    X[0, 0] = s0 + s1 + off",
        "with T.block(\"b\"):\n    B[1, n, 0] = T.int32(4) + 1 + (12 + n * 4)");
}

// TVM prints strides of quoted names so.
TEST_F(TextBreadthBuffer, StridesOfWindowsAreValues) {
    for (const char* strides : {"(\"s0\", \"s1\")", "[4, 1]", "[T.int32(), T.int32()]"}) {
        over(
            "with T.block(\"b\"):\n    W = T.match_buffer(B[1, n:n + 2, 0:4], (2, 4), \"int32\", "
            "strides=" +
                std::string(strides) + ")\n    W[0, 0] = W.strides[0] * n + W.strides[1]",
            "with T.block(\"b\"):\n    B[1, n, 0] = 4 * n + 1");
    }
    over(
        "X = T.decl_buffer((2, 2), \"float32\", data=C.data, strides=[8, 1])\n"
        "X[X.strides[1], 0] = 0",
        "C[8] = T.float32(0.0)");
}

// Variables that nothing uses are gone; where a parameter starts in its memory says nothing.
TEST_F(TextBreadthBuffer, VariablesOfNoUse) {
    over(
        "with T.block(\"b\"):\n    s0, s1 = T.int32(), T.int32()\n"
        "    X = T.match_buffer(A[0:2, 0:4], (2, 4), strides=[s0, s1], elem_offset=T.int32())\n"
        "    X[0, n] = 0",
        "with T.block(\"b\"):\n    A[0, n] = T.float32(0.0)");
    reads_as(
        "@T.prim_func\ndef f(a: T.handle, b: T.handle):\n    n, off = T.int32(), T.int32()\n"
        "    A = T.match_buffer(a, (n,), \"int8\", elem_offset=off)\n"
        "    B = T.match_buffer(b, (n,), \"int8\", elem_offset=T.int64())\n    B[0] = A[0]\n",
        "@T.prim_func\ndef f(var_A: T.handle, var_B: T.handle, n: T.int32):\n"
        "    A = T.match_buffer(var_A, (n,), \"int8\")\n"
        "    B = T.match_buffer(var_B, (n,), \"int8\")\n    B[0] = A[0]\n");
}

TEST_F(TextBreadthBuffer, RegionsOfViews) {
    const std::string head = "X = T.decl_buffer((2, 2, 4), \"float32\", data=A.data)\n";
    const auto claim = [&](const std::string& region) {
        return "with T.block(\"b\"):\n    T.reads(" + region + ")";
    };
    over(head + claim("X[1, 0, 2:4]") + "\n    pass", claim("A[2, 2:4]"));
    over(head + claim("X[0:2, 0:2, 0:4]") + "\n    pass", claim("A[0:4, 0:4]"));
    over(head + claim("X[1, 0:2, n]") + "\n    pass", claim("A[2:4, n]"));
    // What is no box of the buffer is claimed as the whole of it.
    over("X = T.decl_buffer((16,), \"float32\", data=A.data)\n" + claim("X[3:6]") + "\n    pass",
         claim("A[0:4, 0:4]"));
    over("X = T.decl_buffer((16,), \"float32\", data=A.data)\n" + claim("X[n]") + "\n    pass",
         claim("A[n // 4, n % 4]"));
}

TEST_F(TextBreadthBuffer, WhatIsRefused) {
    const std::pair<const char*, const char*> table[] = {
        {"X = T.decl_buffer((2, 2), data=C.data, strides=[8, 1])\nX[X.strides[2], 0] = 0",
         "`X.strides` takes a dimension of `X`"},
        {"C[C.strides[0]] = 0", "the declaration of `C` says no strides"},
        {"X = T.decl_buffer((16,), \"int32\", data=A.data)",
         "the bits of a value are not looked at"},
        {"X = T.decl_buffer((17,), data=A.data)", "cell number 16, but the buffer has 16 cells"},
        {"X = T.decl_buffer((4,), data=C.data, elem_offset=13)", "cell number 16"},
        {"X = T.decl_buffer((4,), data=C.data, strides=[-1])", "goes forward"},
        {"X = T.decl_buffer((4, 4), data=C.data, strides=[1])", "1 strides, but 2 dimensions"},
        {"X = T.decl_buffer((4,), data=C.data, elem_offset=B[0, 0, 0])", "read from memory"},
        {"X = T.decl_buffer((16,), data=A.data, scope=\"shared\")", "has the scope \"global\""},
        {"T.decl_buffer((16,), data=A.data)", "`T.decl_buffer` needs a name"},
        {"with T.allocate([16]):\n    pass", "`T.allocate` needs a name"},
        {"X = T.decl_buffer((16,), data=A)", "the memory of a buffer is expected here"},
        {"X = T.decl_buffer((16,), data=AA.data)", "`AA` is not defined"},
        {"X = T.decl_buffer((16,), data=A.data)\nX = 3", "`X` is a buffer already"},
        {"if n < 3:\n    X = T.decl_buffer((16,), data=A.data)\nX[0] = 0", "`X` is not in scope"},
        {"X = T.alloc_buffer((4,), data=A.data)", "`data` of this buffer is not supported"},
        {"X = T.alloc_buffer((4,), elem_offset=1)", "starts at 0"},
        {"X = T.alloc_buffer((4,), axis_separators=[1])", "memory of several dimensions"},
        {"X = T.alloc_buffer((4,), buffer_type=\"auto\")", "only buffers of type \"default\""},
        {"X = T.alloc_buffer((4,), stride=[1])", "did you mean `strides`?"},
        {"p = T.allocate([16], condition=n < 3)", "memory is always allocated"},
        {"p = T.allocate([16], annotations=3)", "attributes are a dictionary"},
        {"with T.block(\"b\"):\n    X = T.match_buffer(A[0:2, 0:4], (4,))",
         "not seen to have the extent 1"},
        {"with T.block(\"b\"):\n    X = T.match_buffer(A[0:2, 0:4], (3, 4))",
         "not seen to have the extent 3"},
        {"with T.block(\"b\"):\n    X = T.match_buffer(A[0:2, 0:4], (1, 2, 4))",
         "the window has 3 dimensions, and its region 2"},
        {"with T.block(\"b\"):\n    X = T.match_buffer(A[0:2, 0:4], (2, 4), \"int8\")",
         "cells of type float32, not int8"},
        {"with T.block(\"b\"):\n    X = T.match_buffer(A[0:2, 0:4], (2, 4), strides=[8, 1])",
         "a stride of this window is 4"},
        {"with T.block(\"b\"):\n"
         "    X = T.match_buffer(C[B[0, 0, 0]:B[0, 0, 0] + 4], (4,))",
         "the start of a window is read from memory"},
    };
    for (const auto& [text, message] : table) {
        EXPECT_THAT(over_fails(text), HasSubstr(message)) << text;
    }
    EXPECT_THAT(
        fails("@T.prim_func\ndef f(p: T.handle(\"int8\")):\n    X = T.Buffer((4,), data=p)\n"),
        HasSubstr("`p` points to cells of type int8, not float32"));
}

TEST_F(TextBreadthBuffer, ViewsAreNoArgumentsOfFunctions) {
    const auto m = parse_module(ctx,
                                "@T.prim_func\ndef g(A: T.Buffer((4,), \"int8\")):\n    A[0] = 1\n"
                                "@T.prim_func\ndef f(A: T.Buffer((4,), \"int8\")):\n"
                                "    X = T.Buffer((4,), \"int8\", data=A.data)\n    g(X)\n",
                                "m.py");
    ASSERT_FALSE(m.ok());
    EXPECT_THAT(m.error().str(), HasSubstr("`X` is a view"));
}

// Every cell of a view is the cell of the buffer with the same number, and the box of a box has it.
TEST_F(TextBreadthBuffer, MapsKeepTheNumberOfTheCell) {
    using Shape = std::vector<int>;
    const auto exprs = [&](const Shape& shape) {
        std::vector<Expr> out;
        for (const int n : shape) out.push_back(ctx.i32(n));
        return out;
    };
    const auto number = [](std::span<const Expr> at, const Shape& shape) {
        Int128 out = 0;
        for (std::size_t i = 0; i < shape.size(); ++i) out = out * shape[i] + at[i]->int_value();
        return out;
    };
    const auto cell_at = [](std::int64_t k, const Shape& shape) {
        std::vector<int> out(shape.size());
        for (std::size_t i = shape.size(); i-- > 0; k /= shape[i]) {
            out[i] = static_cast<int>(k % shape[i]);
        }
        return out;
    };
    const std::vector<Shape> shapes = {{24},         {1, 24},      {24, 1},   {4, 6},
                                       {6, 4},       {2, 3, 4},    {3, 2, 4}, {2, 1, 3, 1, 4},
                                       {1, 1, 24},   {2, 12},      {8, 3},    {4, 3, 2},
                                       {1, 6, 1, 4}, {4, 1, 6, 1}, {12, 2}};
    const std::set<Expr> zero;
    for (const Shape& view : shapes) {
        for (const Shape& base : shapes) {
            for (const int offset : {0, 5}) {
                Shape small = view;
                if (offset != 0) small = {3, 6};
                FlatView flat{exprs(small), {}, offset == 0 ? nullptr : ctx.i32(offset)};
                const std::vector<Expr> below = exprs(base);
                const auto map = flat_map(ctx, flat, below, zero);
                ASSERT_TRUE(map.ok()) << map.error().str();
                Box whole;
                for (Expr e : flat.shape) whole.emplace_back(ctx.i32(0), e);
                const Box covered = map->box(whole);
                ASSERT_EQ(covered.size(), base.size());
                for (int k = 0; k < (offset == 0 ? 24 : 18); ++k) {
                    const std::vector<Expr> at = map->cell(exprs(cell_at(k, small)));
                    ASSERT_EQ(at.size(), base.size());
                    EXPECT_TRUE(number(at, base) == k + offset);
                    for (std::size_t i = 0; i < at.size(); ++i) {
                        EXPECT_TRUE(covered[i].first->int_value() <= at[i]->int_value());
                        EXPECT_TRUE(at[i]->int_value() < covered[i].second->int_value());
                        EXPECT_TRUE(at[i]->int_value() < base[i]);
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace proviso::ir
