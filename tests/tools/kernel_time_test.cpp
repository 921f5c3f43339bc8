// How long a function takes, and what has no time.
#include "tools/support/kernel_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/text.h"

namespace {

using namespace proviso;
using testing::HasSubstr;

struct KernelTimes : testing::Test {
    Result<tools::KernelTime> time(const std::string& text, const std::string& schedule = "") {
        const Result<ir::Function> f = ir::parse_function(ctx_, text, "f.py");
        EXPECT_TRUE(f) << f.error().str();
        analysis::Prover prover(ctx_, {});
        return tools::kernel_time(*f, schedule, prover);
    }
    ir::Context ctx_;
};

std::string product_text(int n) {
    const std::string k = std::to_string(n);
    const std::string square = "T.Buffer((" + k + ", " + k + "), \"float32\")";
    return "@T.prim_func\ndef f(A: " + square + ", B: " + square + ", C: " + square +
           "):\n    for i in range(" + k + "):\n        for j in range(" + k +
           "):\n            C[i, j] = T.float32(0.0)\n            for l in range(" + k +
           "):\n                C[i, j] = C[i, j] + A[i, l] * B[l, j]\n";
}

// Eight times the edge is 512 times the work.
TEST_F(KernelTimes, MoreWorkTakesLonger) {
    const auto small = time(product_text(16));
    const auto large = time(product_text(128));
    ASSERT_TRUE(small) << small.error().str();
    ASSERT_TRUE(large) << large.error().str();
    EXPECT_GE(small->fastest, 1);
    EXPECT_LE(small->fastest, small->median);
    EXPECT_GE(small->samples, 5);
    EXPECT_GT(large->fastest, small->fastest);
}

TEST_F(KernelTimes, WhatHasNone) {
    const std::string sized =
        "@T.prim_func\ndef f(A: T.Buffer((n,), \"int32\"), n: T.int32):\n    for i in range(n):\n"
        "        A[i] = 1\n";
    const auto no_size = time(sized);
    ASSERT_FALSE(no_size);
    EXPECT_THAT(no_size.error().message, HasSubstr("takes scalars"));
    const auto stops =
        time("@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\")):\n    assert A[0] == 1, \"one\"\n");
    ASSERT_FALSE(stops);
    EXPECT_THAT(stops.error().message, HasSubstr("stops on what it is measured with"));
    const auto refused = time(product_text(16), "sch.parallel(\"l\")\n");
    ASSERT_FALSE(refused);
}

// Trap: zeros, or what an earlier run has left, may make a loop that depends on data shorter.
TEST_F(KernelTimes, NumbersAreNoZeros) {
    const auto stops = time(
        "@T.prim_func\ndef f(A: T.Buffer((64,), \"float32\")):\n    for i in range(64):\n        "
        "assert A[i] != T.float32(0.0) and A[i] <= T.float32(1.0) and T.float32(-1.0) <= A[i], "
        "\"a number\"\n");
    EXPECT_TRUE(stops) << stops.error().str();
}

}  // namespace
