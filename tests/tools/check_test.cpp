// proviso check on the command line: its limits, each met from both sides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/commands.h"

namespace {

using proviso::tests::Commands;
using proviso::tests::Seen;
using testing::HasSubstr;
using testing::Not;

class Check : public Commands {
  protected:
    // Two functions of one meaning, with a buffer of so many cells inside.
    void scratch(const std::string& cells) {
        const std::string head =
            "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
            "    tmp = T.alloc_buffer((" +
            cells + ",), \"int32\")\n";
        file("one.py", head +
                           "    for i in range(8):\n        tmp[i * 8000] = A[i]\n"
                           "    for i in range(8):\n        B[i] = tmp[i * 8000]\n");
        file("two.py", head +
                           "    for i in range(8):\n        tmp[i * 8000] = A[i]\n"
                           "        B[i] = tmp[i * 8000]\n");
    }
};

TEST_F(Check, TheLimitOfCellsIsOneOfBuffersInsideToo) {
    scratch("270000");
    const Seen small = run({"check", "one.py", "two.py", "--no-proof"});
    EXPECT_EQ(small.code, 3) << small.out;
    EXPECT_THAT(small.out, HasSubstr("a large allocation, tmp has more than 262144 cells "
                                     "(--cell-limit raises it)"));
    const Seen almost = run({"check", "one.py", "two.py", "--no-proof", "--cell-limit", "269999"});
    EXPECT_EQ(almost.code, 3) << almost.out;
    const Seen raised = run({"check", "one.py", "two.py", "--no-proof", "--cell-limit", "270000"});
    EXPECT_EQ(raised.code, 0) << raised.out;
    EXPECT_THAT(raised.out, HasSubstr("PROVED (for these sizes): constant extents"));
    // And so is a lower one.
    const Seen lowered = run({"check", "one.py", "two.py", "--no-proof", "--cell-limit", "100"});
    EXPECT_EQ(lowered.code, 3) << lowered.out;
    EXPECT_THAT(lowered.out, HasSubstr("tmp has more than 100 cells"));
}

// Trap: constant shapes over the limit were bad input, as if no such program could be checked.
TEST_F(Check, ParametersOverTheLimitAreUnknown) {
    file("large.py",
         "@T.prim_func\ndef f(A: T.Buffer((300, 300), \"int32\"), B: T.Buffer((300, 300), "
         "\"int32\")):\n    for i, j in T.grid(300, 300):\n        B[i, j] = A[i, j] + 1\n");
    const Seen seen = run({"check", "large.py", "large.py", "--cell-limit", "89999"});
    EXPECT_EQ(seen.code, 3) << seen.err;
    EXPECT_EQ(seen.err, "");
    EXPECT_THAT(seen.out, HasSubstr("the buffer has too many cells (--cell-limit raises it)\n"));
    EXPECT_THAT(seen.out, HasSubstr("interpreter: 0 runs"));
    const Seen raised =
        run({"check", "large.py", "large.py", "--cell-limit", "90000", "--tests", "5"});
    EXPECT_EQ(raised.code, 0) << raised.out << raised.err;
}

// Trap: the extents of the parameters took the steps of the body.
TEST_F(Check, TheShapesTakeNoSteps) {
    scratch("70000");
    const Seen seen = run({"check", "one.py", "two.py", "--step-limit", "1"});
    EXPECT_EQ(seen.code, 3) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("(--step-limit raises it); runs tell nothing: step limit"));
    const Seen ran = run({"run", "one.py", "--random", "--engine", "interp", "--max-steps", "1"});
    EXPECT_THAT(ran.out + ran.err, HasSubstr("step limit reached"));
}

// The interpreter's runs have room for what the option allows.
TEST_F(Check, RunsKeepToTheRaisedLimit) {
    scratch("5000000");
    const Seen few = run({"check", "one.py", "two.py", "--no-proof", "--tests", "2"});
    EXPECT_EQ(few.code, 3) << few.out;
    EXPECT_THAT(few.out, HasSubstr("(--cell-limit raises it)"));
    const Seen raised =
        run({"check", "one.py", "two.py", "--no-proof", "--tests", "2", "--cell-limit", "5000000"});
    EXPECT_EQ(raised.code, 0) << raised.out;
    EXPECT_THAT(raised.out, HasSubstr("interpreter: 2 runs, 2 of them without a fault"));
    EXPECT_THAT(raised.out, Not(HasSubstr("limit")));
}

// The limits leave room for a convolution of 14 x 14, with its blocks: for `check`, and for every
// step of its lowering in an audit.
TEST_F(Check, AConvolutionOfARealSizeIsWithinTheLimits) {
    file("conv.py", R"(
@T.prim_func
def conv(X: T.Buffer((1, 3, 14, 14), "float32"), W: T.Buffer((8, 3, 3, 3), "float32"),
         Y: T.Buffer((1, 8, 14, 14), "float32")):
    for n, f, y, x, c, r, s in T.grid(1, 8, 14, 14, 3, 3, 3):
        with T.block("conv"):
            vn, vf, vy, vx, vc, vr, vs = T.axis.remap("SSSSRRR", [n, f, y, x, c, r, s])
            with T.init():
                Y[vn, vf, vy, vx] = T.float32(0)
            Y[vn, vf, vy, vx] = Y[vn, vf, vy, vx] + T.if_then_else(
                1 <= vy + vr and vy + vr < 15 and 1 <= vx + vs and vx + vs < 15,
                X[vn, vc, vy + vr - 1, vx + vs - 1], T.float32(0)) * W[vf, vc, vr, vs]
)");
    file("conv.sch.py",
         "sch.transform_layout(\"conv\", \"X\", lambda n, c, y, x: [n, c, (y + 1) // 16, (y + "
         "1) % 16, (x + 1) // 16, (x + 1) % 16], pad_value=0.0, "
         "exact=True)\nsch.remove_branching_through_overcompute(\"conv\")\n");
    const Seen made =
        run({"lower", "conv.py", "-s", "conv.sch.py", "-q", "--no-cache", "--log", "log"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.out, Not(HasSubstr("if_then_else")));
    const Seen audited = run({"audit", "log"});
    EXPECT_EQ(audited.code, 0) << audited.out;
    EXPECT_THAT(audited.out, Not(HasSubstr("nobody validated"))) << audited.out;
    EXPECT_EQ(run({"lower", "conv.py", "-q", "--emit", "ir", "-o", "made"}).code, 0);
    const Seen checked = run({"check", "conv.py", "made/conv.lowered.py", "--tests", "0"});
    EXPECT_EQ(checked.code, 0) << checked.out;
    EXPECT_THAT(checked.out, HasSubstr("symbolic execution: BOUNDED"));
}

// A derivation of the second program from the first one says what no size can: its log is one that
// an audit verifies, and without it there is no log.
TEST_F(Check, ADerivationIsLogged) {
    const std::string head =
        "@T.prim_func\ndef f(A: T.Buffer((n,), \"float32\"), B: T.Buffer((n,), \"float32\"), "
        "n: T.int32):\n    T.func_attr({\"tir_var_upper_bound\": {\"n\": 1000}})\n";
    file("plain.py", head + "    for i in range(n):\n        B[i] = A[i] + T.float32(1)\n");
    const auto tiled = [&](const std::string& name, const std::string& tiles) {
        file(name, head + "    for io, ii in T.grid(" + tiles +
                       ", 8):\n        if io * 8 + ii < n:\n"
                       "            B[io * 8 + ii] = A[io * 8 + ii] + T.float32(1)\n");
    };
    tiled("tiled.py", "(n + 7) // 8");
    tiled("no_tail.py", "n // 8");
    const Seen proved = run({"check", "plain.py", "tiled.py", "--log", "log"});
    EXPECT_EQ(proved.code, 0) << proved.out;
    EXPECT_THAT(proved.out, HasSubstr("PROVED (all sizes): 1 step\n"));
    const Seen audited = run({"audit", "log"});
    EXPECT_EQ(audited.code, 0) << audited.out;
    EXPECT_THAT(audited.out, HasSubstr("VERIFIED"));
    const Seen json = run({"check", "plain.py", "tiled.py", "--json"});
    EXPECT_THAT(json.out, HasSubstr("\"policy\":\"E3\",\"steps\":1}"));
    const Seen wrong = run({"check", "plain.py", "no_tail.py", "--log", "none"});
    EXPECT_EQ(wrong.code, 1) << wrong.out;
    EXPECT_EQ(run({"audit", "none"}).code, 2);
    const Seen bounded = run({"check", "plain.py", "tiled.py", "--no-proof"});
    EXPECT_EQ(bounded.code, 3) << bounded.out;
    EXPECT_THAT(bounded.out, HasSubstr("BOUNDED(n = "));
}

TEST_F(Check, ALimitBeyondTheMachineIsAnError) {
    scratch("8");
    const Seen seen = run({"check", "one.py", "two.py", "--cell-limit", "16777217"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("--cell-limit"));
}

// Trap: an index of another type, which is read from memory, ended the process.
TEST_F(Check, IndicesOfTwoTypesAreCompared) {
    const std::string head =
        "@T.prim_func\ndef f(A: T.Buffer((8,), \"uint8\"), B: T.Buffer((8,), \"uint8\")):\n"
        "    for i in range(8):\n        B[i] = A[";
    file("one.py", head + "i]\n");
    file("two.py", head + "T.cast(i, \"uint8\") + A[0] * T.uint8(0)]\n");
    const Seen seen = run({"check", "one.py", "two.py"});
    EXPECT_LT(seen.code, 4) << seen.out << seen.err;
    EXPECT_THAT(seen.err, Not(HasSubstr("internal error")));
}

// Trap: what no code can be emitted for was compared, and an axiom named a function that does
// something else.
TEST_F(Check, ACallThatDoesSomethingElseIsBadInput) {
    const std::string text = R"(@T.prim_func
def f(X: T.Buffer((4,), "float32"), Y: T.Buffer((4,), "float32")):
    with T.block("twice4"):
        T.block_attr({"proviso.extern": {"arguments": ["Y", "X"], "description": "@T.prim_func\ndef d(X: T.Buffer((4,), \"float32\"), Y: T.Buffer((4,), \"float32\")):\n    for k in range(4):\n        Y[k] = X[k] * T.float32(FACTOR)\n", "result": "void", "symbol": "SYMBOL"}})
        for j in range(4):
            Y[j] = X[j] * T.float32(2)
)";
    const auto with = [&](const std::string& factor, const std::string& symbol) {
        std::string out = text;
        out.replace(out.find("FACTOR"), 6, factor);
        out.replace(out.find("SYMBOL"), 6, symbol);
        file("calls.py", out);
        return run({"check", "calls.py", "calls.py"});
    };
    EXPECT_EQ(with("2", "twice4").code, 0);
    const Seen other = with("3", "twice4");
    EXPECT_EQ(other.code, 2) << other.out;
    EXPECT_THAT(other.err, HasSubstr("is not what the description says"));
    const Seen library = with("2", "memcpy");
    EXPECT_EQ(library.code, 2) << library.out;
    EXPECT_THAT(library.err, HasSubstr("memcpy"));
}

}  // namespace
