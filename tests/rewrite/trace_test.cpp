// Traces of TVM as schedules: what each kind means, and what is said of one that is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ir/files/limits.h"
#include "ir/text.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::rewrite {
namespace {

using testing::HasSubstr;

constexpr const char* kTwoStages = R"(@T.prim_func
def stages(A: T.Buffer((24, 10), "int32"), C: T.Buffer((24, 10), "int32")):
    B = T.alloc_buffer((24, 10), "int32")
    for i, j in T.grid(24, 10):
        with T.block("shifted"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + 3
    for i, j in T.grid(24, 10):
        with T.block("masked"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] & 7
)";

// The program after a schedule, or the message of what is wrong with it.
struct After {
    std::string program;
    std::string message;
    int line = 0;
};

After after(const std::string& schedule, const std::string& file = "t.json") {
    ir::Context ctx;
    const Result<ir::Function> f = ir::parse_function(ctx, kTwoStages, "stages.py");
    EXPECT_TRUE(f.ok()) << f.error().str();
    analysis::Prover prover(ctx, {});
    Result<Derivation> derivation = Derivation::start(ctx, *f);
    Proposer proposer(*derivation, prover);
    const auto report = run_schedule(proposer, schedule, file);
    if (!report) return {"", report.error().str(), report.error().line};
    if (report->refusal) {
        const Diagnostic& d = report->refusal->diagnostic;
        return {"", d.str(), d.line};
    }
    return {ir::print(derivation->current()), "", 0};
}

// One instruction a line; `more` after the two blocks and the loops of the second.
std::string trace(const std::vector<std::string>& more, const std::string& decisions = "") {
    std::string out =
        "[[[\"GetBlock\", [], [\"shifted\", \"main\"], [\"b0\"]],\n"
        "[\"GetBlock\", [], [\"masked\", \"stages\"], [\"b1\"]],\n"
        "[\"GetLoops\", [\"b1\"], [], [\"l2\", \"l3\"]]";
    for (const std::string& line : more) out += ",\n" + line;
    return out + "], [" + decisions + "]]";
}

void expect_like(const std::string& json, const std::string& calls) {
    const std::string begin =
        "b0 = sch.get_block(\"shifted\")\nb1 = sch.get_block(\"masked\")\n"
        "l2, l3 = sch.get_loops(b1)\n";
    const After a = after(json);
    EXPECT_EQ(a.message, "");
    EXPECT_EQ(a.program, after(begin + calls, "s.py").program);
}

TEST(Traces, KindsAreThePrimitives) {
    expect_like(trace({R"(["Split", ["l2", null, 8], [1, 0], ["l4", "l5"]])",
                       R"(["Reorder", ["l3", "l5"], [], []])", R"(["Vectorize", ["l5"], [], []])"}),
                "l4, l5 = sch.split(l2, [None, 8])\nsch.reorder(l3, l5)\nsch.vectorize(l5)\n");
    expect_like(trace({R"(["Fuse", ["l2", "l3"], [true], ["l4"]])",
                       R"(["Split", ["l4", "None", 16], [0], ["l5", "l6"]])",
                       R"(["Bind", ["l5"], ["blockIdx.x"], []])",
                       R"(["Bind", ["l6"], ["threadIdx.x"], []])"}),
                "l4 = sch.fuse(l2, l3)\nl5, l6 = sch.split(l4, [None, 16])\n"
                "sch.bind(l5, \"blockIdx.x\")\nsch.bind(l6, \"threadIdx.x\")\n");
    expect_like(
        trace({R"(["ComputeAt", ["b0", "l2"], [0, -1], []])", R"(["EnterPostproc", [], [], []])",
               R"(["Annotate", ["b1", "\"RS\""], ["tiling"], []])"}),
        "sch.compute_at(b0, l2)\nsch.annotate(b1, \"tiling\", \"RS\")\n");
    expect_like(trace({R"(["CacheRead", ["b1", ["b1"]], [0, "local"], ["b4"]])",
                       R"(["CacheWrite", ["b1", []], [0, "local"], ["b5"]])"}),
                "b4 = sch.cache_read(b1, 0, \"local\", [b1])\n"
                "b5 = sch.cache_write(b1, 0, \"local\")\n");
    // Both ways in which TVM has written a layout.
    for (const char* const layout :
         {R"(["TransformLayout", ["b1"], [0, 1, "lambda i, j: [j, i]", null], []])",
          R"(["TransformLayout", ["b1", "\"lambda i, j: [j, i]\""], [0, 1, null, 0], []])"}) {
        expect_like(trace({layout}),
                    "sch.transform_layout(b1, (\"write\", 0), lambda i, j: [j, i])\n");
    }
}

TEST(Traces, RegionsAndTypes) {
    expect_like(
        trace(
            {R"(["AnnotateBufferAccess", ["b0", 0, 0, "lambda i, j: [i, i + 1, 0, 10]"], [], []])",
             R"(["AnnotateBufferAccess", ["b0", 0, 1, "\"lambda i, j: (i, j)\""], [], []])"}),
        "sch.annotate_buffer_access(b0, 0, \"read\", lambda i, j: (i, (0, 10)))\n"
        "sch.annotate_buffer_access(b0, \"B\", \"write\", lambda x, y: ((x, x + 1), y))\n");
    expect_like(trace({R"(["UnsafeSetDType", ["b0"], [0, "int64"], []])"}),
                "sch.unsafe_set_dtype(b0, 0, \"int64\")\n");
    expect_like(trace({R"(["CacheIndex", ["b1"], ["local", 0], []])"}), "");
}

// TVM gives the loops between a block and the one around it; there they are asked for.
TEST(Traces, LoopsOfABlockWithinABlock) {
    const std::vector<std::string> tiled = {R"(["Split", ["l3", null, 5], [1, 0], ["l4", "l5"]])",
                                            R"(["Blockize", ["l5"], [1], ["b6"]])",
                                            R"(["GetLoops", ["b1"], [], ["l7"]])",
                                            R"(["Vectorize", ["l7"], [], []])"};
    expect_like(trace(tiled),
                "l4, l5 = sch.split(l3, [None, 5])\nsch.blockize(l5)\n"
                "l7, = sch.get_loops(b1)[-1:]\nsch.vectorize(l7)\n");
    std::vector<std::string> all = tiled;
    all[2] = R"(["GetLoops", ["b1"], [], ["l8", "l9", "l7"]])";
    EXPECT_EQ(after(trace(all)).message, "");
    all[2] = R"(["GetLoops", ["b1"], [], ["l8", "l7"]])";
    EXPECT_THAT(after(trace(all)).message,
                HasSubstr("instruction 5 (GetLoops): block masked has 3 loops, not 2"));
}

TEST(Traces, LoopsAreWrittenAsThoseOfEachBlock) {
    ir::Context ctx;
    const Result<ir::Function> f = ir::parse_function(ctx, kTwoStages, "stages.py");
    analysis::Prover prover(ctx, {});
    Result<Derivation> derivation = Derivation::start(ctx, *f);
    Proposer proposer(*derivation, prover);
    const auto report = run_schedule(
        proposer,
        "i, j = sch.get_loops(\"masked\")\nsch.blockize(j)\ni, j = sch.get_loops(\"masked\")\n",
        "s.py");
    ASSERT_TRUE(report.ok());
    EXPECT_THAT(report->trace, HasSubstr("[\"masked\",\"main\"],[\"b4\"]],\n"
                                         "  [\"GetBlock\",[],[\"masked_o\",\"main\"],[\"b5\"]],\n"
                                         "  [\"GetLoops\",[\"b5\"],[],[\"l6\"]],\n"
                                         "  [\"GetLoops\",[\"b4\"],[],[\"l7\"]]\n"));
}

// meta_schedule annotates it.
TEST(Traces, TheRootBlockMayBeAnnotated) {
    const std::string root = R"(["GetSBlock", [], ["root", "main"], ["b4"]])";
    const std::string annotate = R"(["Annotate", ["b4", 16], ["meta_schedule.parallel"], []])";
    const std::string take = R"(["Unannotate", ["b4"], ["meta_schedule.parallel"], []])";
    expect_like(trace({root, annotate, take}), "");
    EXPECT_THAT(after(trace({root, take})).message,
                HasSubstr("block root has no annotation \"meta_schedule.parallel\""));
}

TEST(Traces, WhatIsInsideOfALoop) {
    expect_like(trace({R"(["EnterInside", ["l2"], [], []])",
                       R"(["CacheRead", ["b1", []], [0, "local"], ["b4"]])",
                       R"(["LeaveInside", [], [], []])", R"(["Parallel", ["l2"], [], []])"}),
                "with sch.inside(l2) as s:\n    s.cache_read(b1, 0, \"local\")\n"
                "sch.parallel(l2)\n");
    EXPECT_THAT(after(trace({R"(["EnterInside", ["l2"], [], []])",
                             R"(["Parallel", ["l2"], [], []])", R"(["LeaveInside", [], [], []])"}))
                    .message,
                HasSubstr("instruction 4 (Parallel): parallel refused: loop i_1 is the loop"));
    EXPECT_THAT(after(trace({R"(["EnterInside", ["l2"], [], []])"})).message,
                HasSubstr("instruction 3 (EnterInside): 1 more EnterInside than LeaveInside"));
    EXPECT_THAT(after(trace({R"(["LeaveInside", [], [], []])"})).message,
                HasSubstr("there is no EnterInside before it"));
    std::vector<std::string> deep(51, R"(["EnterInside", ["l2"], [], []])");
    EXPECT_THAT(after(trace(deep)).message, HasSubstr("more than 50 loops are entered"));
}

TEST(Traces, AsAnotherStage) {
    expect_like(trace({R"(["Split", ["l2", null, 8], [1, 0], ["l4", "l5"]])",
                       R"(["Like", ["b0", "b1"], [], ["l6", "l7", "l8"]])",
                       R"(["Unroll", ["l7"], [], []])"}),
                "sch.split(l2, [None, 8])\n_, l7, _ = sch.like(b0, b1)\nsch.unroll(l7)\n");
}

TEST(Traces, DecisionsAreTaken) {
    expect_like(trace({R"(["SamplePerfectTile", ["l2"], [2, 64], ["v4", "v5"]])",
                       R"(["Split", ["l2", "v4", "v5"], [1], ["l6", "l7"]])"},
                      "[3, [4, 6]]"),
                "sch.split(l2, [4, 6])\n");
    expect_like(trace({R"(["SampleCategorical", [], [[0, 16, 64], [0.3, 0.3, 0.4]], ["v4"]])",
                       R"(["Annotate", ["b1", "v4"], ["unroll"], []])"},
                      "[3, 2]"),
                "sch.annotate(b1, \"unroll\", 64)\n");
    const std::string at = R"(["SampleComputeLocation", ["b0"], [], ["l4"]])";
    const std::string use = R"(["ComputeAt", ["b0", "l4"], [1, -1], []])";
    expect_like(trace({at, use}, "[3, 0]"), "sch.compute_at(b0, l2, True)\n");
    expect_like(trace({at, use}, "[3, -1]"), "");
    expect_like(trace({at, use}, "[3, -2]"), "sch.compute_inline(b0)\n");
}

TEST(Traces, MistakesNameTheInstruction) {
    const std::string bound = R"(["Bind", ["l2"], ["blockIdx.x"], []])";
    const std::string tile = R"(["SamplePerfectTile", ["l2"], [2, 64], ["v4", "v5"]])";
    const struct {
        std::string trace;
        const char* says;
        const char* hint;
    } cases[] = {
        {trace({R"(["Splitt", ["l2", 4], [], []])"}),
         "t.json:4:1: error: instruction 3 (Splitt): no instruction kind 'Splitt'",
         "did you mean `Split`?"},
        {trace({R"(["UnsafeHideBufferAccess", ["b1"], ["read", [0]], []])"}),
         "no schedule primitive 'unsafe_hide_buffer_access'", "computed from its body"},
        {trace({R"(["Tensorize", ["l2"], ["mma", 1], []])"}), "there is no intrinsic \"mma\"", ""},
        {trace({R"(["Bind", ["l2", "l3"], ["blockIdx.x"], []])"}),
         "instruction 3 (Bind): 2 inputs for (loop)", "an instruction is"},
        {trace({R"(["Bind", ["l2"], [], []])"}), "0 attributes for (thread_axis)", ""},
        {trace({R"(["Bind", ["l2"], ["blockIdx.x"], ["l9"]])"}),
         "this gives nothing, and has outputs", ""},
        {trace({R"(["Bind", ["l7"], ["blockIdx.x"], []])"}), "unknown variable \"l7\"", ""},
        {trace({R"(["Bind", [["l2", "l3"]], ["blockIdx.x"], []])"}),
         "expected the name of a variable", ""},
        {trace({R"(["Fuse", ["l2", "l3"], [1], []])"}), "expected 1 output, not 0", ""},
        {trace({R"(["Fuse", ["l2", "l3"], [1], ["l3"]])"}), "'l3' is given a second time", ""},
        {trace({R"(["Fuse", ["l2", "l3"], [1], ["sch"]])"}), "'sch' is no name of a variable",
         "b0, l3, v1"},
        {trace({R"(["Fuse", ["l2", "l3"], [2], ["l4"]])"}),
         "`preserve_unit_iters` is true or false, not 2", ""},
        {trace({R"(["GetBlock", [], ["masked", "other"], ["b4"]])"}),
         "the trace looks in the function \"other\"", "'stages'"},
        {trace({R"(["GetLoops", ["b0"], [], ["l4"]])"}), "block shifted has 2 loops, not 1", ""},
        {trace({R"(["Bind", 3, ["blockIdx.x"], []])"}), "this is no instruction", ""},
        {trace({R"(["TransformLayout", ["b1"], [0, 1, {"root": 1}, null], []])"}),
         "`index_map` is a tree of the nodes of a compiler", "the text of a lambda"},
        {trace({R"(["TransformLayout", ["b1"], [0, 1, "{\"root\": 1}", null], []])"}),
         "`index_map` is a tree of the nodes of a compiler", "the text of a lambda"},
        {trace({R"(["TransformLayout", ["b1"], [0, 1, "lambda i, j: [j i]", null], []])"}),
         "in `index_map`, `lambda i, j: [j i]`", ""},
        {trace(
             {R"x(["TransformLayout", ["b1"], [0, 1, "lambda i, j: [j, i]", "sch.show()"], []])x"}),
         "`pad_value` is no value: `sch.show()`", ""},
        {trace({R"(["TransformLayout", ["b1"], [0, 2, "lambda i, j: [j, i]"], []])"}),
         "the type of a buffer's index is 0 or 1", ""},
        {trace({R"(["Annotate", ["b1", "RS"], ["tiling"], []])"}), "unknown variable \"RS\"", ""},
        {trace({R"(["Annotate", ["b1", 1234567890123456789], ["k"], []])"}),
         "a number is out of range", "18 digits"},
        {trace({tile}), "no decision: nothing is sampled here", "[3, value]"},
        {trace({tile}, "[3, [4, 5]]"), "bad decision: a tile of 20", "the whole loop"},
        {trace({tile}, "[3, [4, 0]]"), "bad decision [4,0]", "factors are positive"},
        {trace({tile}, "[3, [4]]"), "bad decision [4]", "a factor for each output"},
        {trace({tile}, "[3, [4, 6]], [3, [6, 4]]"), "has a decision already", ""},
        {trace({tile}, "[2, [4, 6]]"), "instruction 2 (GetLoops) decides nothing", ""},
        {trace({tile}, "[4, [4, 6]]"), "there is no such instruction: 4", ""},
        {trace({R"(["SampleCategorical", [], [[1, 2], [0.5, 0.5]], ["v4"]])"}, "[3, 2]"),
         "bad decision 2", "one of the 2 candidates"},
        {trace({R"(["SampleComputeLocation", ["b0"], [], ["l4"]])"}, "[3, -3]"), "bad decision -3",
         "-2 (inline)"},
        {"{}", "this is no trace", "[instructions, decisions]"},
        {"[[], [], []]", "this is no trace", "[instructions, decisions]"},
        {"[[\n[\"GetBlock\"", "t.json:2:12: error: this is no JSON", ""},
        {std::string(300, '['), "JSON is nested more than 200 deep", "docs/limits.md"},
        {trace({bound}) + "x", "this is no JSON", ""},
    };
    for (const auto& c : cases) {
        const After a = after(c.trace);
        EXPECT_THAT(a.message, HasSubstr(c.says)) << c.trace;
        EXPECT_THAT(a.message, HasSubstr(c.hint)) << c.trace;
    }
    const After refused = after(trace({R"(["Split", ["l2", 2, 3], [1], ["l4", "l5"]])"}));
    EXPECT_THAT(refused.message, HasSubstr("t.json:4:1: error: instruction 3 (Split): split "
                                           "refused: the factors cover fewer iterations"));
}

TEST(Traces, TooManyInstructionsAreNotRead) {
    std::string text = "[[";
    for (std::size_t k = 0; k <= ir::limits::kTraceInstructions; ++k) {
        text += k == 0 ? "[]" : ",[]";
    }
    EXPECT_THAT(after(text + "], []]").message, HasSubstr("a trace of more than 100000"));
}

// Bytes changed, taken out and put in twice; parts of other traces put in: it is read, refused or a
// mistake, and the reader lives.
TEST(Traces, MutatedOnesEndInAnAnswer) {
    const std::string whole =
        trace({R"(["SamplePerfectTile", ["l2"], [2, 64], ["v4", "v5"]])",
               R"(["Split", ["l2", "v4", "v5"], [1], ["l6", "l7"]])",
               R"(["Annotate", ["b1", {"k": [1, 2.5, "None"]}], ["tiling"], []])",
               R"(["TransformLayout", ["b1"], [0, 1, "lambda i, j: [j, i]", null], []])",
               R"(["SampleComputeLocation", ["b0"], [], ["l8"]])",
               R"(["ComputeAt", ["b0", "l8"], [0, -1], []])"},
              "[3, [4, 6]], [7, -2]");
    ASSERT_EQ(after(whole).message, "");
    const std::vector<std::string> pieces = {"[",
                                             "]",
                                             "\"b0\"",
                                             "\"l2\"",
                                             "\"v4\"",
                                             "null",
                                             "-1",
                                             "9999999999999999999",
                                             "1e400",
                                             "{}",
                                             ",",
                                             "\"",
                                             "\\u0000",
                                             "[[[]]]",
                                             "\"lambda: 0\"",
                                             "\"Fuse\"",
                                             "true",
                                             "\"_\"",
                                             "\"None\""};
    std::mt19937 random(20);
    const auto pick = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    std::size_t wrong = 0;
    for (int k = 0; k < 400; ++k) {
        std::string text = whole;
        for (std::size_t changes = 1 + pick(3); changes > 0; --changes) {
            const std::size_t at = pick(text.size());
            const std::size_t length = pick(std::min<std::size_t>(text.size() - at, 12)) + 1;
            switch (pick(3)) {
                case 0: text.replace(at, length, pieces[pick(pieces.size())]); break;
                case 1: text.insert(at, text.substr(pick(text.size()), 1 + pick(40))); break;
                default: text.erase(at, length); break;
            }
        }
        wrong += after(text).message.empty() ? 0 : 1;
    }
    EXPECT_GT(wrong, 300U);
}

}  // namespace
}  // namespace proviso::rewrite
