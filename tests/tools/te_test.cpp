// Tensor expressions as text: what they become, what `proviso bounds` says of stages that a
// schedule has attached, and what is said of wrong ones.
#include <gmock/gmock.h>

#include "tests/tools/bounds_fixture.h"

namespace proviso::tests {
namespace {

using testing::HasSubstr;

class TensorExpressions : public BoundsCommand {
  protected:
    json te_bounds(const std::string& text, int code = 0) {
        file("program.te.py", text);
        const Seen seen = run({"bounds", "program.te.py", "--json", "--no-cache"});
        EXPECT_EQ(seen.code, code) << seen.out << seen.err;
        json out = json::parse(seen.out, nullptr, false);
        if (!out.contains("buffers")) ADD_FAILURE() << seen.out << seen.err;
        return out;
    }
    static std::vector<std::string> path(const json& answer, const std::string& stage) {
        std::vector<std::string> out;
        const json found = named(answer.at("stages"), "name", stage);
        for (const json& loop : found.at("loops")) out.push_back(loop.at("var"));
        return out;
    }
    // Cells that one iteration of all loops around a stage computes.
    static std::string at_once(const json& answer, const std::string& name) {
        const json b = buffer(answer, name);
        return b.at("needed").at("cells").at("text");
    }
};

const char* const kTwo = R"(
P = te.compute((6, 10), lambda i, j: te.const(7), name="P")
Q = te.compute((6, 10), lambda i, j: P[i, j] * 2, name="Q")
)";

// Apart from each other, all of P is needed.
TEST_F(TensorExpressions, StagesThatAreNotAttached) {
    const json out = te_bounds(kTwo);
    EXPECT_EQ(path(out, "P"), (std::vector<std::string>{"i", "j"}));
    EXPECT_EQ(buffer(out, "P")["shared"], json::array());
    EXPECT_EQ(at_once(out, "P"), "60");
    EXPECT_EQ(buffer(out, "P")["dtype"], "int32");
    EXPECT_EQ(buffer(out, "P")["parameter"], false);
    EXPECT_EQ(buffer(out, "Q")["parameter"], true);
}

// At the inner loop of its consumer one cell at a time, at the outer one a row of ten.
TEST_F(TensorExpressions, ComputedInALoopOfItsConsumer) {
    const std::string text = std::string(kTwo) + "s = te.create_schedule(Q.op)\n";
    const json inner = te_bounds(text + "s[P].compute_at(s[Q], Q.op.axis[1])\n");
    EXPECT_EQ(at_once(inner, "P"), "1");
    EXPECT_EQ(buffer(inner, "P")["shared"].size(), 2U);
    const json outer = te_bounds(text + "s[P].compute_at(s[Q], s[Q].op.axis[0])\n");
    EXPECT_EQ(at_once(outer, "P"), "10");
    EXPECT_EQ(buffer(outer, "P")["shared"].size(), 1U);
    EXPECT_EQ(buffer(outer, "P")["loss"]["text"], "none");
}

// The consumer has a loop that the producer does not use.
TEST_F(TensorExpressions, AttachedBelowALoopThatItDoesNotUse) {
    const json out = te_bounds(R"(
P = te.compute((6, 10), lambda i, j: te.const(7), name="P")
Q = te.compute((3, 6, 10), lambda qi, qj, qk: P[qj, qk] * 2, name="Q")
s = te.create_schedule(Q.op)
s[P].compute_at(s[Q], Q.op.axis[2])
)");
    // Each iteration of qi computes all of P again, a cell at a time.
    EXPECT_EQ(buffer(out, "P_2")["shared"], json({"qi", "qj", "qk"}));
    EXPECT_EQ(at_once(out, "P_2"), "1");
    EXPECT_EQ(buffer(out, "P_2")["computed_in_all"]["text"], "180");
}

// After a split: at the inner loop one cell, at the outer one five.
TEST_F(TensorExpressions, AttachedToALoopOfASplit) {
    const std::string text = std::string(kTwo) +
                             "s = te.create_schedule(Q.op)\n"
                             "qo, qi = s[Q].split(Q.op.axis[1], factor=5)\n";
    const json inner = te_bounds(text + "s[P].compute_at(s[Q], qi)\n");
    EXPECT_EQ(path(inner, "P").size(), 3U);
    EXPECT_EQ(at_once(inner, "P"), "1");
    const json outer = te_bounds(text + "s[P].compute_at(s[Q], qo)\n");
    EXPECT_EQ(at_once(outer, "P"), "5");
    // The order of the calls does not matter.
    const json first = te_bounds(std::string(kTwo) +
                                 "s = te.create_schedule(Q.op)\n"
                                 "s[P].compute_at(s[Q], Q.op.axis[0])\n"
                                 "qo, qi = s[Q].split(Q.op.axis[1], nparts=2)\n");
    EXPECT_EQ(at_once(first, "P"), "10");
}

// P at a loop of Q, and Q at a loop of R: the attach path of P goes through both.
TEST_F(TensorExpressions, AChainOfAttachedStages) {
    const json out = te_bounds(std::string(kTwo) + R"(
R = te.compute((6, 10), lambda ri, rj: Q[ri, rj] * 4, name="R")
s = te.create_schedule(R.op)
s[P].compute_at(s[Q], Q.op.axis[1])
s[Q].compute_at(s[R], R.op.axis[1])
)");
    const std::vector<std::string> of_p = path(out, "P");
    ASSERT_GE(of_p.size(), 2U);
    EXPECT_EQ(of_p[0], "ri");
    EXPECT_EQ(of_p[1], "rj");
    EXPECT_EQ(at_once(out, "P"), "1");
    EXPECT_EQ(at_once(out, "Q"), "1");
}

// The consumer is attached in a third stage, the producer is not: all its loops are relaxed.
TEST_F(TensorExpressions, AConsumerThatIsAttachedElsewhere) {
    const json out = te_bounds(std::string(kTwo) + R"(
R = te.compute((6, 10), lambda ri, rj: Q[ri, rj] + 4, name="R")
s = te.create_schedule(R.op)
s[Q].compute_at(s[R], R.op.axis[1])
)");
    EXPECT_EQ(at_once(out, "P"), "60");
    EXPECT_EQ(at_once(out, "Q"), "1");
    EXPECT_EQ(buffer(out, "P")["shared"], json::array());
}

// A sum over an axis is a block of reduction; what is read of A is a row for each cell.
TEST_F(TensorExpressions, ASumOverAnAxis) {
    const json out = te_bounds(R"(
from tvm import te

n = te.var("n")
A = te.placeholder((n, 8), name="A")
B = te.placeholder((8, n), name="B", dtype="float32")
k = te.reduce_axis((0, 8), name="k")
C = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B(k, j), axis=k), name="C")
f = te.create_prim_func([A, B, C])
)");
    EXPECT_EQ(request(buffer(out, "A"), "C", 2), "A[i, 0:8]: 8 cells, box 8");
    EXPECT_EQ(named(out["stages"], "name", "C")["iterations"]["text"], "8 * n * n");
    EXPECT_EQ(buffer(out, "C")["dtype"], "float32");
    // It runs: sums of eight products.
    EXPECT_EQ(run({"run", "program.te.py", "--set", "n=2", "--random", "--engine", "both"}).code,
              0);
}

TEST_F(TensorExpressions, SayWhatIsWrongWhereItStands) {
    const std::string tensors =
        "A = te.placeholder((4, 8), name=\"A\")\n"
        "B = te.compute((4, 8), lambda i, j: A[i, j] + 1.0, name=\"B\")\n";
    const struct {
        std::string text;
        const char* says;
    } rows[] = {
        {"C = te.compute((4,), lambda i, j: A[i, j])\n",
         "p.py:3:22: error: the lambda has 2 parameters, the shape 1 dimensions"},
        {"C = te.compute((4,), lambda i: A[i])\n", "`A` has 2 dimensions, not 1"},
        {"C = te.compute((4,), lambda i: Z[i])\n", "p.py:3:32: error: there is no tensor `Z`"},
        {"C = te.compute((4,), lambda i: A[i, k])\n", "there is no `k` here"},
        {"C = te.compute((4,), lambda i: te.sum(A[i, k], axis=k))\n",
         "an axis of a reduction comes from te.reduce_axis"},
        {"k = te.reduce_axis((0, 8))\nC = te.compute((4,), lambda i: A[i, k])\n",
         "the axis `k` is not summed over here"},
        {"k = te.reduce_axis((0, 8))\n"
         "C = te.compute((4,), lambda i: te.sum(A[i, k], axis=k) + 1.0)\n",
         "a reduction stands alone in a te.compute"},
        {"C = te.scan(A, B)\n", "`te.scan` has no meaning here"},
        {"C = te.computed((4,), lambda i: A[i, 0])\n", "there is no `te.computed`"},
        {"B = te.compute((4,), lambda i: A[i, 0])\n", "`B` is assigned twice"},
        {"x = 3\n", "this is no call of te"},
        {"C = te.compute((4,), lambda i: A[i, 0], name=\"A\")\n", "two tensors have the name `A`"},
        {"s = te.create_schedule(B.op)\ns[A].compute_at(s[B], B.op.axis[0])\n",
         "p.py:4:3: error: no te.compute gives `A`"},
        {"s = te.create_schedule(B.op)\ns[B].split(B.op.axis[2], factor=2)\n",
         "`B` has 2 dimensions"},
        {"s = te.create_schedule(B.op)\ns[B].tile(B.op.axis[0])\n",
         "`tile` of a stage has no meaning here"},
        {"s = te.create_schedule(B.op)\ns[B].split(B.op.axis[0], factor=0)\n", "p.py:4:"},
    };
    for (const auto& row : rows) {
        file("p.py", tensors + row.text);
        const Seen seen = run({"bounds", "p.py", "--no-cache"});
        EXPECT_NE(seen.code, 0) << row.text << seen.out;
        EXPECT_THAT(seen.err, HasSubstr(row.says)) << row.text;
    }
    // Trap: a command that would not follow the schedule must not leave it out silently.
    file("p.py", tensors + "s = te.create_schedule(B.op)\ns[B].unroll(B.op.axis[1])\n");
    const Seen seen = run({"run", "p.py", "--random"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("the file schedules its tensor expressions"));
}

}  // namespace
}  // namespace proviso::tests
