// What is said of innermost loops in machine code: each program has one loop whose fate is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/cpu/speed/speed.h"
#include "ir/text.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::backend {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct LoopsSpeed : ::testing::Test {
    ir::Context ctx;

    Speed speed_of_text(const std::string& text, const CpuOptions& options) {
        const Result<ir::Function> f = ir::parse_function(ctx, text, "f.py");
        EXPECT_TRUE(f.ok()) << f.error().str();
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
        EXPECT_TRUE(d.ok());
        const Result<Speed> out = speed_of(*d, options);
        EXPECT_TRUE(out.ok()) << out.error().str();
        return out.ok() ? *out : Speed{};
    }
    Speed speed(const std::string& body, const CpuOptions& options = {}) {
        return speed_of_text(
            "@T.prim_func\ndef f(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), "
            "\"float32\"), I: T.Buffer((64,), \"int32\")):\n" +
                body,
            options);
    }
};

TEST_F(LoopsSpeed, VectorsHaveTheLanesOfTheCpu) {
    const std::string body =
        "    for i in range(64):\n"
        "        for j in range(64):\n"
        "            B[i, j] = A[i, j] * T.float32(3)\n";
    const Speed made = speed(body);
    EXPECT_EQ(made.cpu, "x86-64-v3");
    ASSERT_EQ(made.loops.size(), 1U);
    const LoopSpeed& loop = made.loops[0];
    EXPECT_EQ(loop.line, 4U);
    EXPECT_EQ(loop.loop, "for j in range(64)");
    EXPECT_EQ(loop.lanes, 8U);
    EXPECT_EQ(loop.element, "float");
    EXPECT_GT(loop.vectors, 0U);
    EXPECT_EQ(loop.singles, 0U);
    EXPECT_THAT(loop.why_not, IsEmpty());
    CpuOptions old;
    old.cpu = "x86-64";
    EXPECT_EQ(speed(body, old).loops.at(0).lanes, 4U);
}

// A sum in order: LLVM must not make vectors of it, and says so.
TEST_F(LoopsSpeed, ASumInOrderSaysWhyItHasNone) {
    const Speed made = speed(
        "    for i in range(64):\n"
        "        B[i, 0] = T.float32(0)\n"
        "        for j in range(64):\n"
        "            B[i, 0] = B[i, 0] + A[i, j] / A[j, i]\n");
    ASSERT_EQ(made.loops.size(), 1U);
    EXPECT_EQ(made.loops[0].line, 5U);
    EXPECT_EQ(made.loops[0].vectors, 0U);
    EXPECT_GT(made.loops[0].singles, 0U);
    EXPECT_THAT(made.loops[0].why_not, Not(IsEmpty()));
}

TEST_F(LoopsSpeed, InnermostLoopsAreToldInTheOrderOfTheText) {
    const Speed made = speed(
        "    for i in T.parallel(64):\n"
        "        for j in range(64):\n"
        "            B[i, j] = A[i, j]\n"
        "        for k in T.unroll(4):\n"
        "            if k < I[i]:\n"
        "                B[i, k] = T.float32(1)\n"
        "    for q in range(64):\n"
        "        I[q] = I[q] + 1\n");
    ASSERT_EQ(made.loops.size(), 3U);
    EXPECT_EQ(made.loops[0].line, 4U);
    EXPECT_EQ(made.loops[1].line, 6U);
    EXPECT_EQ(made.loops[1].branches, 1U);
    EXPECT_THAT(made.loops[1].unrolled, Contains(HasSubstr("unrolled loop with 4 iterations")));
    EXPECT_EQ(made.loops[2].line, 9U);
    EXPECT_EQ(made.loops[2].element, "i32");
    EXPECT_EQ(made.loops[2].lanes, 8U);
}

// A tile of sums: as copies of a body without a loop it would be gathered, 4 values at a time.
TEST_F(LoopsSpeed, ShortLoopsBecomeVectorsBeforeTheyBecomeCopies) {
    const std::string text =
        "@T.prim_func\ndef f(A: T.Buffer((32, 127, 4), \"float32\"), B: T.Buffer((8, 127, 16), "
        "\"float32\"), C: T.Buffer((32, 8, 4, 16), \"float32\")):\n"
        "    for i in range(32):\n"
        "        for j in range(8):\n"
        "            for k in range(127):\n"
        "                for ii in range(4):\n"
        "                    for jj in range(16):\n"
        "                        C[i, j, ii, jj] = C[i, j, ii, jj] + A[i, k, ii] * B[j, k, jj]\n";
    for (const char* cpu : {"v2", "v3", "v4"}) {
        CpuOptions options;
        options.cpu = cpu;
        const Speed made = speed_of_text(text, options);
        ASSERT_EQ(made.loops.size(), 1U);
        EXPECT_EQ(made.loops[0].lanes, cpu == std::string("v2") ? 4U : 8U) << cpu;
        EXPECT_EQ(made.loops[0].gathers, 0U) << cpu;
        EXPECT_EQ(made.loops[0].singles, 0U) << cpu;
    }
}

TEST_F(LoopsSpeed, AProgramWithoutLoopsHasNone) {
    EXPECT_THAT(speed("    B[0, 0] = A[0, 0]\n").loops, IsEmpty());
    EXPECT_THAT(speed("    for i in range(4):\n        T.evaluate(0)\n").loops.size(), 1U);
}

TEST_F(LoopsSpeed, AnUnknownCpuIsAnError) {
    const Result<ir::Function> f = ir::parse_function(
        ctx, "@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\")):\n    A[0] = T.float32(1)\n",
        "f.py");
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
    CpuOptions wrong;
    wrong.cpu = "haswel";
    EXPECT_FALSE(speed_of(*d, wrong).ok());
}

}  // namespace
}  // namespace proviso::backend
