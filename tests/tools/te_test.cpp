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

// `i, j = D.op.axis`, `x = s[D].op.axis[1]`, and an axis of reduction by its own name.
TEST_F(TensorExpressions, AxesHaveNames) {
    const std::string text = R"(
A = te.placeholder((32, 16), name="A", dtype="float32")
k = te.reduce_axis((0, 16), name="k")
S = te.compute((32,), lambda i: te.sum(A[i, k], axis=k), name="S")
D = te.compute((32, 16), lambda i, j: A[i, j] - S[i], name="D")
s = te.create_schedule(D.op)
)";
    const std::vector<std::string> split = {"i_1_0", "i_1_1", "j"};
    for (const char* names : {"i, j = D.op.axis\n", "i = s[D].op.axis[0]\n",
                              "all = s[D].op.axis\nall = all[0]\ni = D.op.axis[0]\n",
                              "all = D.op.axis\ni = all[0]\n"}) {
        const json out = te_bounds(text + names +
                                   "io, ii = s[D].split(i, 8)\n"
                                   "s[S].compute_at(s[D], io)\n");
        EXPECT_EQ(path(out, "D"), split) << names;
        EXPECT_EQ(buffer(out, "S")["shared"], json({"i_1_0"})) << names;
        EXPECT_EQ(at_once(out, "S"), "8") << names;
    }
    const json reduced = te_bounds(text + "ko, ki = s[S].split(k, factor=4)\n");
    EXPECT_EQ(path(reduced, "S"), (std::vector<std::string>{"i", "k_0", "k_1"}));
    const json last = te_bounds(text +
                                "i, j = D.op.axis\ns[S].compute_at(s[D], j)\n"
                                "print(tvm.lower(s, [D, A], simple_mode=True))\n");
    EXPECT_EQ(path(last, "S").at(1), "j");
}

// TVM calls the indices i0, i1; those of `*rest` are the ones that are left.
TEST_F(TensorExpressions, IndicesThatAreLeft) {
    const std::string head = "A = te.placeholder((6, 7, 8), name=\"A\")\n";
    const struct {
        const char *lambda, *indices;
        std::vector<std::string> loops;
    } rows[] = {
        {"lambda *x: A(*x) * 2.0", "A[i0, i1, i2]", {"i0", "i1", "i2"}},
        {"lambda *x: A[x] * 2.0", "A[i0, i1, i2]", {"i0", "i1", "i2"}},
        {"lambda i, *x: A[5 - i, x[0], x[1]]", "A[5 - i, i0, i1]", {"i", "i0", "i1"}},
        {"lambda i0, *x: A(i0, *x)", "A[i0, i1, i2]", {"i0", "i1", "i2"}},
        {"lambda i, j, k, *x: A(i, j, k, *x)", "A[i, j, k]", {"i", "j", "k"}},
    };
    for (const auto& row : rows) {
        const json out = te_bounds(head + "B = te.compute((6, 7, 8), " + row.lambda + ")\n");
        EXPECT_EQ(path(out, "B"), row.loops) << row.lambda;
        EXPECT_THAT(request(buffer(out, "A"), "B", 3), HasSubstr(row.indices)) << row.lambda;
    }
}

TEST_F(TensorExpressions, AllAndAnyOfConditions) {
    const std::string program = R"(
A = te.placeholder((10,), name="A", dtype="int32")
B = te.compute((10,), lambda i: te.if_then_else(te.all(i > 0, te.any(i < 5, i == 9), i < 10), A[i - 1], 0), name="B")
)";
    const json out = te_bounds(program);
    EXPECT_EQ(request(buffer(out, "A"), "B", 0), "A[0:4] + A[8]: 5 cells, box 9");
    file("none.py", program + "C = te.compute((10,), lambda i: te.all())\n");
    EXPECT_THAT(run({"bounds", "none.py"}).err, HasSubstr("`te.all` needs a condition"));
}

// fmt has nothing to write of such a file.
TEST_F(TensorExpressions, AreNoFunctionsForFmt) {
    file("p.py", kTwo);
    const Seen seen = run({"fmt", "p.py"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("`p.py` has tensor expressions"));
    EXPECT_THAT(seen.err, HasSubstr("proviso lower p.py"));
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
        {"i, j, k = B.op.axis\n", "p.py:3:11: error: `B` has 2 dimensions, not 3"},
        {"i, j = A.op.axis\n", "no te.compute gives this tensor"},
        {"C = te.compute((4, 8), lambda *x: A(x[2], 0))\n", "there is no tensor `x`"},
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
