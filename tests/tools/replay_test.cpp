// A refusal is shown by a run at real sizes, or the message says what stands in the way.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/sanitized.h"
#include "tests/tools/commands.h"

namespace {

using nlohmann::json;
using proviso::tests::Commands;
using proviso::tests::kShare;
using proviso::tests::Seen;
using testing::HasSubstr;
using testing::Not;

class Replays : public Commands {
  protected:
    // 3 x 3 convolution with a guard; the schedule pads with 1, which the extra work adds.
    Seen convolution(int in, int out, int n, std::vector<std::string> more = {}) {
        file("p.py", fmt::format(R"(
@T.prim_func
def conv(X: T.Buffer(({0}, {2}, {2}), "float32"), W: T.Buffer(({1}, {0}, 3, 3), "float32"),
         Y: T.Buffer(({1}, {2}, {2}), "float32")):
    for o, y, x in T.grid({1}, {2}, {2}):
        Y[o, y, x] = T.float32(0)
        for c, r, s in T.grid({0}, 3, 3):
            with T.block("conv"):
                vc = T.axis.reduce({0}, c)
                vy = T.axis.opaque({3}, y + r)
                vx = T.axis.opaque({3}, x + s)
                if 1 <= vy and vy < {4} and 1 <= vx and vx < {4}:
                    Y[o, y, x] = Y[o, y, x] + X[vc, vy - 1, vx - 1] * W[o, vc, r, s]
)",
                                 in, out, n, n + 2, n + 1));
        file("s.py", fmt::format("sch.transform_layout(\"conv\", \"X\", lambda c, y, x: [c, (y + "
                                 "1) // {0}, (y + 1) % {0}, (x + 1) // {0}, (x + 1) % {0}], "
                                 "pad_value=1.0)\n"
                                 "sch.remove_branching_through_overcompute(\"conv\")\n",
                                 n + 2));
        return refused(std::move(more));
    }
    Seen refused(std::vector<std::string> more) {
        std::vector<std::string> words = {"lower", "p.py", "-s", "s.py", "-q", "--no-cache"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    static void shown(const Seen& seen, const char* cell) {
        EXPECT_EQ(seen.code, 1) << seen.err;
        EXPECT_THAT(seen.err, HasSubstr("REFUTED"));
        EXPECT_THAT(seen.err, HasSubstr(std::string("replay by the interpreter: ") + cell));
        EXPECT_THAT(seen.err, Not(HasSubstr("step limit")));
    }
};

// What --explain says of a choice that stays is seen at a real size, too; where a limit is in the
// way, it is named once, with its option.
TEST_F(Replays, WhatRemainsOfAConvolutionOfARealSize) {
    file("p.py", R"(
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
    file("s.py",
         "sch.transform_layout(\"conv\", \"X\", lambda n, c, y, x: (n, c, y + 1, x + 1), "
         "pad_value=0.0)\nsch.remove_branching_through_overcompute(\"conv\")\n");
    const Seen seen = refused({"--explain"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("remains: choice"));
    // The layout has 15 rows, as the map asks for: one too few for what the padding is read for.
    EXPECT_THAT(seen.out, HasSubstr("replay by the interpreter: out of bounds: load of X["));
    EXPECT_THAT(seen.out, HasSubstr("what would remove it: make room for the extra work: enlarge "
                                    "the layout of what it reads; promise the padding"));
    EXPECT_THAT(seen.out, Not(HasSubstr("step limit")));
    EXPECT_THAT(seen.out, Not(HasSubstr("tell nothing")));
    const Seen few = refused({"--explain", "--replay-steps", "1000"});
    EXPECT_THAT(few.out, HasSubstr("replay: no run tells, of 4: step limit reached"));
    EXPECT_THAT(few.out, HasSubstr("(--replay-steps raises it)"));
    EXPECT_THAT(few.out, Not(HasSubstr("no difference")));
}

TEST_F(Replays, ConvolutionsOfRealSizes) {
    shown(convolution(4, 4, 6), "Y[");
    shown(convolution(16, 16, 14), "Y[");
    if (proviso::tests::kShare == 1) shown(convolution(64, 64, 14), "Y[");
}

TEST_F(Replays, MatrixProductsOfRealSizes) {
    for (const int n : {20, 100, 128}) {
        if (kShare > 1 && n > 20) break;  // the interpreter takes its time under a sanitizer
        file("p.py", fmt::format(R"(
@T.prim_func
def product(A: T.Buffer(({0}, {1}), "float32"), B: T.Buffer(({1}, {0}), "float32"),
            C: T.Buffer(({0}, {0}), "float32")):
    for i, j in T.grid({0}, {0}):
        C[i, j] = T.float32(0)
        for k in range({0}):
            with T.block("product"):
                vk = T.axis.reduce({0}, k)
                if vk < {1}:
                    C[i, j] = C[i, j] + A[i, vk] * B[vk, j]
)",
                                 n, n - 3));
        file("s.py", fmt::format("sch.transform_layout(\"product\", \"A\", lambda i, k: "
                                 "[i, k // {0}, k % {0}], pad_value=1.0)\n"
                                 "sch.transform_layout(\"product\", \"B\", lambda k, j: [k // {0}, "
                                 "k % {0}, j], pad_value=1.0)\n"
                                 "sch.remove_branching_through_overcompute(\"product\")\n",
                                 n));
        shown(refused({}), "C[");
    }
}

// Trap: inputs whose sums are exact, or all NaN, show no order.
TEST_F(Replays, SumsInAnotherOrder) {
    const std::string text = R"(
@T.prim_func
def conv(X: T.Buffer((1, {0}, {1}, {1}), "float32"), W: T.Buffer(({0}, {0}, 3, 3), "float32"),
         Y: T.Buffer((1, {0}, {2}, {2}), "float32")):
    for n, f, y, x, c, r, s in T.grid(1, {0}, {2}, {2}, {0}, 3, 3):
        with T.block("conv"):
            vn, vf, vy, vx, vc, vr, vs = T.axis.remap("SSSSRRR", [n, f, y, x, c, r, s])
            with T.init():
                Y[vn, vf, vy, vx] = T.float32(0)
            Y[vn, vf, vy, vx] = Y[vn, vf, vy, vx] + X[vn, vc, vy + vr, vx + vs] * W[vf, vc, vr, vs]
)";
    file("s.py", "n, f, y, x, c, r, s = sch.get_loops(\"conv\")\nsch.reorder(r, c)\n");
    for (const int channels : {8, 64}) {  // the second one takes long runs, and few of them
        if (kShare > 1 && channels > 8) break;
        const int n = channels == 8 ? 5 : 14;
        file("p.py", fmt::format(fmt::runtime(text), channels, n + 2, n));
        shown(refused({}), "Y[0, 0, 0, ");
    }
}

// Sizes that can be chosen are chosen small, where a run at others takes too long.
TEST_F(Replays, SmallTwinsOfSymbolicSizes) {
    file("p.py", R"(
@T.prim_func
def sums(X: T.Buffer((n, 64, 64, 64), "float32"), Y: T.Buffer((n,), "float32"), n: T.int32):
    T.func_attr({"tir_var_lower_bound": {"n": 0}})
    for i in range(n):
        Y[i] = T.float32(0)
        for a, b, c in T.grid(64, 64, 64):
            if c < 63:
                Y[i] = Y[i] + X[i, a, b, c]
)");
    file("s.py", "sch.remove_branching_through_overcompute()\n");
    const Seen seen = refused({});
    shown(seen, "Y[");
    EXPECT_THAT(seen.err, testing::AnyOf(HasSubstr("with n = 1,"), HasSubstr("with n = 2,"),
                                         HasSubstr("n = 1)"), HasSubstr("n = 2)")));
}

// What would take too long is not begun, and the message says how long it would take.
TEST_F(Replays, ARunBeyondTheLimitIsNotMade) {
    const Seen large = convolution(1024, 128, 8);  // more than a million weights
    EXPECT_EQ(large.code, 3) << large.err;
    EXPECT_THAT(large.err, HasSubstr("not proved"));
    EXPECT_THAT(large.err,
                testing::ContainsRegex("replay: not run: a run takes about [0-9]+ steps, more than "
                                       "1500000000 \\(--replay-steps raises it\\)"));
    const Seen told = convolution(16, 16, 14, {"--replay-steps", "3000000", "--json"});
    const json replay = json::parse(told.out)["replay"];
    EXPECT_FALSE(replay["found"].get<bool>());
    EXPECT_GT(replay["steps_needed"].get<std::uint64_t>(), 10'000'000U);
    EXPECT_LT(replay["steps_needed"].get<std::uint64_t>(), 100'000'000U);
}

// Of a large buffer the cells that play a part are shown, and no others.
TEST_F(Replays, ShowTheCellsThatMatter) {
    file("p.py", R"(
@T.prim_func
def copy(A: T.Buffer((32, 64), "float32"), B: T.Buffer((32, 64), "float32")):
    for i, j in T.grid(32, 64):
        with T.block("copy"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
)");
    file("s.py", "sch.assume(\"copy\", lambda i, j: i != 17 or j != 40 or A[i, j] < 5.0)\n");
    const Seen seen = refused({});
    EXPECT_EQ(seen.code, 1) << seen.err;
    EXPECT_THAT(seen.err, testing::ContainsRegex(
                              "\\(with A = 0\\.0 but for \\[17, 40\\] = [^ ,]+, B = [^ ]+ in "
                              "all cells\\)"));
}

}  // namespace
