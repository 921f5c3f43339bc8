// What TVM knows and Proviso gives no meaning to: read, checked for form, kept and printed; and
// annotations, which are kept and mean nothing.
#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextBreadthOpaque : TextReader {
    ProgramFile file(const std::string& text) {
        auto out = parse_program(ctx, text, "f.py");
        EXPECT_TRUE(out.ok()) << text << (out.ok() ? "" : out.error().str());
        return out.ok() ? *out : ProgramFile{};
    }
    // Kept for this reason, and printed as a text that reads as itself.
    void kept(const std::string& body, const std::string& reason) {
        const ProgramFile f = file(function(kParams, body));
        ASSERT_EQ(f.opaque.size(), 1U) << body << f.canonical;
        EXPECT_EQ(f.opaque[0].name, "f");
        EXPECT_THAT(f.opaque[0].reason.message, HasSubstr(reason));
        EXPECT_GT(f.opaque[0].reason.line, 0);
        EXPECT_TRUE(f.module.functions.empty());
        EXPECT_EQ(file(f.canonical).canonical, f.canonical);
        // Who needs the meaning is told what has none, and where.
        const auto needed = parse_function(ctx, function(kParams, body), "f.py");
        ASSERT_FALSE(needed.ok());
        EXPECT_EQ(needed.error().message, f.opaque[0].reason.message);
        EXPECT_THAT(needed.error().str(), HasSubstr("`proviso fmt` prints it"));
    }
    void mistake(const std::string& body, const std::string& message) {
        const auto f = parse_program(ctx, function(kParams, body), "f.py");
        ASSERT_FALSE(f.ok()) << f->canonical;
        EXPECT_THAT(f.error().str(), HasSubstr(message));
    }
};

TEST_F(TextBreadthOpaque, WhatHasNoMeaningIsKept) {
    kept("while n < 3:\n    B[0] = n", "`while` has no meaning here: no bound");
    kept("T.ptx_wait_group(0)", "`T.ptx_wait_group` has no meaning");
    kept("A[0, 0] = T.reinterpret(\"float32\", n)",
         "`T.reinterpret` from int32 to float32 has no meaning");
    kept("A[0, 0] = T.call_pure_extern(\"float32\", \"f\", n)", "`T.call_pure_extern` has no");
    kept("T.call_packed(\"show\", n)", "`T.call_packed` has no meaning");
    kept("with T.attr(A.data, \"volatile_scope\", 1):\n    B[0] = 1",
         "only the attributes \"thread_extent\"");
    kept("X = T.alloc_buffer((4,), \"float32xvscalex4\")", "`float32xvscalex4`");
    kept("X = T.alloc_buffer((4,), \"float8_e4m3fn\")", "`float8_e4m3fn`");
    kept("X = T.alloc_buffer((4, 4), \"int32\", strides=[-4, 1])", "a stride below 0");
    kept("X = T.decl_buffer((8,), \"int32\", data=A.data)", "a view of type int32");
    kept("A[0, 0] = T.truncmod(A[0, 1], T.float32(2))", "of float32 has no meaning here");
    kept("A[0, 0] = T.Mod(A[0, 1], A[0, 2])", "`T.Mod` of float32 has no meaning here");
    kept("x = [B[0], n]\nB[1] = x[0]", "a name of several values");
    kept("for t in T.thread_binding(2, thread=\"clusterCtaIdx.x\"):\n    pass", "no meaning");
}

// Trap: a mistake must not hide behind what has no meaning, nor a misspelt name pass for an
// intrinsic that nobody here knows.
TEST_F(TextBreadthOpaque, MistakesAreMistakes) {
    mistake("while k < 3:\n    B[0] = n", "`k` is not defined");
    mistake("while n < 3:\n    BB[0] = n\n", "did you mean `B`?");
    mistake("break", "`break` stands in no loop");
    mistake("for i in T.paralel(8):\n    B[i] = 0", "did you mean `T.parallel`?");
    mistake("B[0] = T.mim(n, 3)", "did you mean `T.min`?");
    mistake("T.call_extrn(\"int32\", \"f\")", "did you mean `T.call_extern`?");
    mistake("B[0] = T.Cast(\"int23\", n)", "did you mean `int32`?");
    mistake("B[0] = frobnicate(n)", "is not supported");
    mistake("A[0, 0] = A[0, 1] % A[0, 2]", "there is no remainder of floats");
    mistake("A[0, 0] = T.truncdiv(A[0, 1], A[0, 2])", "floats divide with `/`");
    mistake("B[0] = T.clip(n, 0, 7)", "write T.max(T.min(x, highest), lowest)");
}

TEST_F(TextBreadthOpaque, ParametersThatArePointers) {
    for (const char* type : {"T.Ptr(T.float32)", "T.Ptr(T.int8, \"global\")", "T.handle",
                             "T.handle(\"float32\", \"global\")"}) {
        const ProgramFile f = file(
            function("p: " + std::string(type) + ", B: T.Buffer((8,), \"int32\")", "B[0] = 1"));
        ASSERT_EQ(f.opaque.size(), 1U) << type;
        EXPECT_EQ(f.opaque[0].reason.line, 2) << type;
    }
    EXPECT_THAT(fails(function("p: T.Pointer(T.int8)", "pass")),
                HasSubstr("not a type of a parameter"));
}

TEST_F(TextBreadthOpaque, OtherFunctionsOfTheFileKeepTheirMeaning) {
    const std::string text =
        "@T.prim_func\ndef good(B: T.Buffer((8,), \"int32\")):\n    B[0] = 1\n\n"
        "@T.prim_func\ndef bad(B: T.Buffer((8,), \"int32\")):\n    while True:\n"
        "        B[0] = 1\n\n"
        "@T.prim_func\ndef caller(B: T.Buffer((8,), \"int32\")):\n    bad(B)\n";
    const ProgramFile f = file(text);
    ASSERT_EQ(f.module.functions.size(), 1U);
    EXPECT_EQ(f.module.functions[0].name, "good");
    ASSERT_EQ(f.opaque.size(), 2U);
    EXPECT_EQ(f.opaque[0].name, "bad");
    EXPECT_EQ(f.opaque[1].name, "caller");
    EXPECT_EQ("\n" + f.canonical, "\n" + text);
}

// The layout of lines and brackets is canonical; what they say stays.
TEST_F(TextBreadthOpaque, TreesPrintCanonically) {
    const std::string canonical =
        "import numpy as np\n"
        "from tvm.script import tir as T, ir as I\n"
        "N = 4\n"
        "\n"
        "@T.prim_func(private=True)\n"
        "def f(A: T.Buffer((4,), \"float32\"), n: T.int32 = 3) -> T.handle:\n"
        "    T.func_attr({\"a\": [1, -2.5], \"b\": None})\n"
        "    x: T.let[T.int32] = -(n + 1) * 2 ** -n\n"
        "    for i, j in T.grid(4, N):\n"
        "        if not (i < j and 0 <= j < n) or i & 3 == 1:\n"
        "            A[i:i + 4:2] += T.Broadcast(1.0, 4) if i else A[(i, j),]\n"
        "        elif i:\n"
        "            break\n"
        "        else:\n"
        "            T.evaluate(T.f(*[k * 2 for k in range(3) if k != 1], lambda a, b: a, "
        "k=(1,)))\n"
        "    assert n, \"a \\\"quoted\\\" text\"\n"
        "    return x\n";
    EXPECT_EQ("\n" + file(canonical).canonical, "\n" + canonical);
    std::string spread = canonical;
    const auto replace = [&](const std::string& from, const std::string& to) {
        ASSERT_NE(spread.find(from), std::string::npos) << from;
        spread.replace(spread.find(from), from.size(), to);
    };
    replace("-(n + 1) * 2 ** -n", "((-(n + 1)) * (2 ** (-n)))  # bits");
    replace("[1, -2.5]", "[\n        1,\n        -2.5,\n    ]");
    replace("\"a \\\"quoted\\\" text\"", "'a \"quoted\" ' 'text'");
    replace("break", "break;");
    EXPECT_EQ(file(spread).canonical, canonical);
}

TEST_F(TextBreadthOpaque, MisspeltLicencesAreToldAtTheirPlace) {
    const auto f = [&](const std::string& licence) {
        return fails(function(kParams,
                              "T.func_attr({\"a\": 1,\n\"proviso.licences\": "
                              "[\"reassociate\", \"" +
                                  licence + "\"]})"));
    };
    EXPECT_THAT(f("finte(A)"), HasSubstr("f.py:4:41: error: "));
    EXPECT_THAT(f("finte(A)"), HasSubstr("did you mean `finite(A)`?"));
    EXPECT_THAT(f("finite(Q)"), HasSubstr("did you mean `finite(A)`?"));
    EXPECT_THAT(f("finite(B)"), HasSubstr("f.py:4:41: error: "));  // of integers
    EXPECT_THAT(f("reasociate"), HasSubstr("did you mean `reassociate`?"));
}

TEST_F(TextBreadthOpaque, AnnotationsAreKept) {
    body("for i in T.serial(8, annotations={\"pragma\": 1, \"stage\": [0, 1]}):\n    B[i] = 0");
    body("for i in T.parallel(1, 8, annotations={\"a\": {\"b\": True}}):\n    B[i] = 0");
    body("X = T.alloc_buffer((4,), \"int32\", annotations={\"a\": 0.5})\nX[0] = 1");
    body(
        "with T.block(\"b\"):\n    T.reads(B[0])\n    T.writes(B[0])\n"
        "    T.block_attr({\"a\": T.target(\"llvm\"), \"b\": None, \"c\": \"s\"})\n    B[0] = "
        "B[0]");
    body("with T.block(\"root\"):\n    T.block_attr({\"a\": 1})\n    B[0] = 1");
    body_as(
        "with T.sblock(\"b\"):\n    T.sblock_attr({\"a\": 1})\n    T.sblock_attr({\"b\": 2})\n"
        "    B[0] = 1",
        "with T.block(\"b\"):\n    T.block_attr({\"a\": 1, \"b\": 2})\n    B[0] = 1");
    body_as("for i in range(8):\n    B[i] = 0", "for i in range(8):\n    B[i] = 0");
    mistake("for i in T.serial(8, annotations=3):\n    B[i] = 0", "attributes are a dictionary");
    mistake("for i in T.serial(8, annotations={3: 3}):\n    B[i] = 0", "a key is a string");
    mistake("for i in T.serial(8, annotation={}):\n    B[i] = 0", "did you mean `annotations`?");
    mistake("with T.block(\"b\"):\n    T.block_attr({\"a\": 1})\n    T.block_attr({\"a\": 2})\n",
            "given twice");
}

// Names in values are those that buffers and variables have after reading.
TEST_F(TextBreadthOpaque, AnnotationsMentionNames) {
    body(
        "for i in range(8):\n    with T.block(\"b\"):\n        vi = T.axis.spatial(8, i)\n"
        "        T.block_attr({\"free\": [B], \"where\": [vi, A[vi, 0] + 1]})\n        B[vi] = 0");
    body_as(
        "for i in range(8):\n    B[i] = 0\nfor i in range(8):\n    X = T.alloc_buffer((4,), "
        "\"int32\")\n    for j in T.serial(4, annotations={\"f\": lambda i: (i, X)}):\n"
        "        X[j] = i\n    for j in T.serial(4, annotations={\"x\": [i, X[i]]}):\n"
        "        X[j] = i",
        "for i in range(8):\n    B[i] = 0\nfor i_1 in range(8):\n    X = T.alloc_buffer((4,), "
        "\"int32\")\n    for j in T.serial(4, annotations={\"f\": lambda i: (i, X)}):\n"
        "        X[j] = i_1\n    for j_1 in T.serial(4, annotations={\"x\": [i_1, X[i_1]]}):\n"
        "        X[j_1] = i_1");
    body("T.func_attr({\"free\": [A, n]})\nB[0] = 1");
    // What a rewrite has dropped may be named still.
    body("with T.block(\"b\"):\n    T.block_attr({\"a\": [gone, B]})\n    B[0] = 1");
    kept(
        "V = T.Buffer((4, 2), \"int32\", data=B.data)\nwith T.block(\"b\"):\n"
        "    T.block_attr({\"a\": V})\n    V[0, 0] = 1",
        "mentions the view `V`");
    kept(
        "V = T.alloc_buffer((4,), \"int32\", strides=[2])\nwith T.block(\"b\"):\n"
        "    T.block_attr({\"a\": V[1]})\n    V[0] = 1",
        "mentions the view `V`");
}

// A function's body in the place of a call has the names of the caller.
TEST_F(TextBreadthOpaque, AnnotationsFollowCalls) {
    const auto m = parse_module(
        ctx,
        "@T.prim_func\ndef g(A: T.Buffer((4,), \"int8\"), B: T.Buffer((4,), \"int8\"), n: "
        "T.int32):\n"
        "    for i in T.serial(4, annotations={\"of\": [A, B, n, lambda B: B]}):\n"
        "        A[i] = B[i]\n"
        "@T.prim_func\ndef f(B: T.Buffer((4,), \"int8\"), A: T.Buffer((4,), \"int8\")):\n"
        "    for i in T.serial(4, annotations={\"i\": A}):\n        B[i] = T.int8(0)\n"
        "    g(B, A, 3)\n",
        "m.py");
    ASSERT_TRUE(m.ok()) << m.error().str();
    EXPECT_THAT(print(*m), HasSubstr("\"of\": [B, A, n, lambda B: B]"));
}

// Where memory lies changes no value: such attributes go to the allocation.
TEST_F(TextBreadthOpaque, AttributesOfMemory) {
    body_as(
        "p = T.allocate([16], \"int32\", \"local\")\nT.attr(p, \"storage_alignment\", 128)\n"
        "T.attr(p, \"double_buffer_scope\", 1)\nX = T.decl_buffer((16,), \"int32\", data=p)\nX[n] "
        "= 1",
        "p = T.alloc_buffer((16,), \"int32\", scope=\"local\", "
        "annotations={\"double_buffer_scope\": 1, "
        "\"storage_alignment\": 128})\np[n] = 1");
    body_as(
        "X = T.alloc_buffer((4, 4), \"int32\")\nwith T.attr(X.data, \"buffer_dim_align\", [0, "
        "n]):\n"
        "    X[0, 0] = 1\nX[1, 1] = 1",
        "X = T.alloc_buffer((4, 4), \"int32\", annotations={\"buffer_dim_align\": [0, n]})\n"
        "X[0, 0] = 1\nX[1, 1] = 1");
    body_as("T.attr(B.data, \"storage_alignment\", 128)\nB[0] = 1",
            "T.func_attr({\"storage_alignment\": {\"B\": 128}})\nB[0] = 1");
    mistake(
        "T.attr(B.data, \"storage_alignment\", 128)\n"
        "T.attr(B.data, \"storage_alignment\", 64)\nB[0] = 1",
        "given twice");
    mistake("T.attr(B.data, \"storage_aligment\", 128)\nB[0] = 1",
            "did you mean `storage_alignment`?");
    mistake("T.attr(X.data, \"storage_alignment\", 128)\nB[0] = 1", "`X` is not defined");
    // What is not executed is no attribute of memory.
    kept("with T.attr(0, \"pragma_debug_skip_region\", 1):\n    B[0] = 1", "are read");
    body_as(
        "v = T.int32()\nwith T.attr(T.iter_var(v, None, \"ThreadIndex\", \"vthread\"), "
        "\"virtual_thread\", 8):\n    B[v] = 0",
        "for v in T.parallel(8, annotations={\"virtual_thread\": \"vthread\"}):\n    B[v] = 0");
    kept(
        "v = T.int32()\nwith T.attr(T.iter_var(v, None, \"ThreadIndex\", \"threadIdx.x\"), "
        "\"virtual_thread\", 8):\n    B[v] = 0",
        "virtual threads of threadIdx.x");
}

TEST_F(TextBreadthOpaque, VirtualThreadsRunInAnyOrder) {
    body_as(
        "for v in T.thread_binding(8, thread=\"vthread.x\"):\n    B[v] = 0",
        "for v in T.parallel(8, annotations={\"virtual_thread\": \"vthread.x\"}):\n    B[v] = 0");
    body_as("v = T.launch_thread(\"cthread\", 8)\nB[v] = 0",
            "for v in T.parallel(8, annotations={\"virtual_thread\": \"cthread\"}):\n    B[v] = 0");
}

// Vectors of a known number of lanes are loops.
TEST_F(TextBreadthOpaque, VectorsAreLoops) {
    body_as("B[0:4] = T.Broadcast(n, 4)", "for lane in T.vectorized(4):\n    B[lane] = n");
    body_as("A[n, T.Ramp(1, 2, 3)] = A[n, T.ramp(1, 2, 3)] * T.float32(2)",
            "for lane in T.vectorized(3):\n"
            "    A[n, 1 + lane * 2] = A[n, 1 + lane * 2] * T.float32(2.0)");
    body_as("B[0:8:4] += B[0:8:4]",
            "for lane in T.vectorized(2):\n    B[lane * 4] = B[lane * 4] + B[lane * 4]");
    body_as("A.vstore([n, 4], T.Cast(\"float32x4\", B.vload([n], \"int32x4\")))",
            "for lane in T.vectorized(4):\n"
            "    A[n, 4 + lane] = T.Cast(\"float32\", B[n + lane])");
    body_as("B.vstore([n], B.vload([3]))", "B[n] = B[3]");
    // Lanes may meet in one cell: the last one counts.
    body_as("A[B[0:4], 0] = T.Broadcast(T.float32(1), 4)",
            "for lane in range(4):\n    A[B[lane], 0] = T.float32(1.0)");
    body_as("V = T.Buffer((4,), \"int32\", data=B.data, strides=[0])\nV[0:4] = T.Broadcast(n, 4)",
            "for lane in range(4):\n    B[0] = n");
    mistake("B[0:4] = T.Broadcast(n, 8)", "a vector of 8 lanes among vectors of 4");
    kept("B[0:4] = T.Broadcast(T.call_extern(\"int32\", \"f\"), 4)", "calls a function");
    kept("B[0:n] = T.Broadcast(0, n)", "unknown number of lanes");
    kept("B[n] = B[0:4]", "a slice as an index");
}

TEST_F(TextBreadthOpaque, MacrosAndConstantsAreWrittenOut) {
    const std::string start =
        "N = 2\nSHAPE = (N * 4,)\n\n"
        "@T.macro\ndef fill(X, lo, k=N):\n    for i in range(k):\n        X[lo + i] = k\n\n"
        "@T.prim_func\ndef f(B: T.Buffer(SHAPE, \"int32\"), i: T.int32):\n";
    reads_as(start + "    fill(B, i)\n    fill(B, N, k=3)\n",
             "@T.prim_func\ndef f(B: T.Buffer((8,), \"int32\"), i: T.int32):\n"
             "    for i_1 in range(2):\n        B[i + i_1] = 2\n"
             "    for i_2 in range(3):\n        B[2 + i_2] = 3\n");
    reads_as(start + "    k = T.meta_var([SHAPE[0] - 1, i])\n    B[k[0]] = k[1] + len(SHAPE)\n",
             "@T.prim_func\ndef f(B: T.Buffer((8,), \"int32\"), i: T.int32):\n    B[7] = i + 1\n");
    reads_as(start + "    B[0] = T.max(*[i * k for k in range(1, 4) if k != 2])\n",
             "@T.prim_func\ndef f(B: T.Buffer((8,), \"int32\"), i: T.int32):\n"
             "    B[0] = T.max(i * 1, i * 3)\n");
    EXPECT_THAT(fails(start + "    fill(B)\n"), HasSubstr("needs an argument `lo`"));
    EXPECT_THAT(fails(start + "    fill(B, 0, 1, 2)\n"), HasSubstr("has no such argument"));
    EXPECT_THAT(fails(start + "    fill(B, 0, j=2)\n"), HasSubstr("has no argument `j`"));
    // Trap: each function would have the value of its place.
    const std::string several =
        "@T.prim_func\ndef f(B: T.Buffer((8,), \"int32\")):\n    B[0] = N\n";
    EXPECT_THAT(fails("N = 4\n\n" + several + "\nN = 8\n"), HasSubstr("`N` is made by Python"));
    // Trap: a hygienic macro does not see the names of its caller.
    const std::string open =
        "def m(X):\n    X[i] = 0\n\n@T.prim_func\n"
        "def f(B: T.Buffer((8,), \"int32\"), i: T.int32):\n    m(B)\n";
    EXPECT_THAT(fails("@T.macro\n" + open), HasSubstr("`i` is not defined"));
    reads_as("@T.macro(hygienic=False)\n" + open,
             "@T.prim_func\ndef f(B: T.Buffer((8,), \"int32\"), i: T.int32):\n    B[i] = 0\n");
    EXPECT_THAT(fails("@T.macro\ndef m(X):\n    m(X)\n\n@T.prim_func\n"
                      "def f(B: T.Buffer((8,), \"int32\")):\n    m(B)\n"),
                HasSubstr("does `m` call itself?"));
}

}  // namespace
}  // namespace proviso::ir
