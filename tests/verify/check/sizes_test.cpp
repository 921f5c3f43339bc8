// check of programs with symbolic extents: which sizes are looked at, and what may be said of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "ir/text.h"
#include "tests/verify/by_execution.h"
#include "verify/check/check.h"

namespace proviso::verify {
namespace {

using testing::HasSubstr;

class CheckSizes : public testing::Test {
  protected:
    ir::Function parse(const std::string& body) {
        const Result<ir::Function> f =
            ir::parse_function(ctx, "@T.prim_func\ndef f(" + params_ + "):\n" + body, "<test>");
        EXPECT_TRUE(f.ok()) << f.error().str();
        return f.ok() ? *f : ir::Function{};
    }
    CheckReport check_text(const std::string& before, const std::string& after) {
        const Result<CheckReport> out = check(ctx, parse(before), parse(after), options_);
        EXPECT_TRUE(out.ok()) << out.error().str();
        return out.ok() ? *out : CheckReport{};
    }
    // Values of `n` that were looked at.
    static std::set<int> values(const CheckReport& report) {
        std::set<int> out;
        for (const TvResult& r : report.at) out.insert(std::stoi(r.sizes.substr(4)));
        return out;
    }

    ir::Context ctx;
    CheckOptions options_ = by_execution();
    std::string params_ =
        "A: T.Buffer((n,), \"float32\"), B: T.Buffer((n,), \"float32\"), n: T.int32";
    std::string plain_ = "    for i in range(n):\n        B[i] = A[i]\n";
};

TEST_F(CheckSizes, BoundedAtChosenSizesIsNoPass) {
    const CheckReport out = check_text(plain_, plain_);
    EXPECT_EQ(out.verdict, CheckVerdict::Bounded) << out.text();
    EXPECT_EQ(out.exit_code(), 3);
    EXPECT_GE(out.at.size(), 12U);
    EXPECT_THAT(out.text(), HasSubstr("nothing is said of other sizes"));
    EXPECT_EQ(out.json()["sizes"].size(), out.at.size());
    EXPECT_FALSE(out.json()["all_sizes"].get<bool>());
}

TEST_F(CheckSizes, AroundEveryConstant) {
    const std::string tiles =
        "    assert n != 100, \"hundred\"\n"
        "    for i in range((n + 15) // 16):\n        for j in range(16):\n"
        "            if i * 16 + j < n:\n                B[i * 16 + j] = A[i * 16 + j]\n";
    const std::set<int> seen = values(check_text(tiles, tiles));
    for (const int n : {1, 2, 14, 15, 16, 17, 31, 33, 99, 100, 101, 201, 1009}) {
        EXPECT_EQ(seen.count(n), 1U) << n;
    }
}

TEST_F(CheckSizes, TrapATailThatIsDropped) {
    const CheckReport out = check_text(plain_,
                                       "    for i in range(n // 16):\n        for j in range(16):\n"
                                       "            B[i * 16 + j] = A[i * 16 + j]\n");
    EXPECT_EQ(out.verdict, CheckVerdict::Refuted) << out.text();
    EXPECT_EQ(out.exit_code(), 1);
    EXPECT_TRUE(out.counterexample.has_value());
}

TEST_F(CheckSizes, TrapOneSizeIsSpecial) {
    for (const char* special : {"n == 37", "n * 2 == 374", "n * n == 1369 and n > 30"}) {
        const CheckReport out =
            check_text(plain_, "    for i in range(n):\n        if " + std::string(special) +
                                   ":\n            B[i] = T.float32(0)\n"
                                   "        else:\n            B[i] = A[i]\n");
        EXPECT_EQ(out.verdict, CheckVerdict::Refuted) << special << out.text();
        EXPECT_TRUE(out.counterexample.has_value()) << special;
    }
}

TEST_F(CheckSizes, TrapBeyondAnAssert) {
    const auto program = [&](const std::string& bound) {
        return "    assert n <= " + bound + ", \"too large\"\n" + plain_;
    };
    const CheckReport out = check_text(program("640"), program("641"));
    EXPECT_EQ(out.verdict, CheckVerdict::Refuted) << out.text();
    EXPECT_THAT(out.what, HasSubstr("n = 641"));
    // Where the buffers of that size are over the limit, runs stop at the assert at once.
    params_ = "A: T.Buffer((n, n), \"float32\"), B: T.Buffer((n,), \"float32\"), n: T.int32";
    plain_ = "    for i in range(n):\n        B[i] = A[i, 0]\n";
    const CheckReport large = check_text(program("400"), program("401"));
    EXPECT_EQ(large.verdict, CheckVerdict::Refuted) << large.text();
}

TEST_F(CheckSizes, TrapOnlyTwoSizesTogether) {
    params_ =
        "A: T.Buffer((n, m), \"int32\"), B: T.Buffer((n, m), \"int32\"), n: T.int32, m: T.int32";
    const std::string same =
        "    for i in range(n):\n        for j in range(m):\n            B[i, j] = A[i, j]\n";
    const CheckReport fine = check_text(same, same);
    EXPECT_EQ(fine.verdict, CheckVerdict::Bounded) << fine.text();
    EXPECT_GE(fine.at.size(), 12U);
    const CheckReport out = check_text(same,
                                       "    for i in range(n):\n        for j in range(m):\n"
                                       "            if n == m + 23:\n                B[i, j] = 0\n"
                                       "            else:\n                B[i, j] = A[i, j]\n");
    EXPECT_EQ(out.verdict, CheckVerdict::Refuted) << out.text();
}

// Nothing else can be passed.
TEST_F(CheckSizes, EverySizeThatIsDeclaredIsAPass) {
    const std::string bounds =
        "    T.func_attr({\"tir_var_lower_bound\": {\"n\": 1}, \"tir_var_upper_bound\": {\"n\": "
        "20}})\n";
    const CheckReport out = check_text(bounds + plain_, bounds + plain_);
    EXPECT_EQ(out.verdict, CheckVerdict::Bounded) << out.text();
    EXPECT_EQ(out.at.size(), 20U);
    EXPECT_EQ(out.exit_code(), 0);
    EXPECT_THAT(out.verdict_text, HasSubstr("PROVED (for these sizes): n = 1, 2"));
    options_.most_sizes = 19;  // not all of them
    EXPECT_EQ(check_text(bounds + plain_, bounds + plain_).exit_code(), 3);
}

TEST_F(CheckSizes, AGivenSizeIsTheOnlyOne) {
    options_.tv.sizes[ctx.var("n", ir::kInt32)] = ctx.int_imm(ir::kInt32, 6);
    const CheckReport out = check_text(plain_, plain_);
    EXPECT_EQ(values(out), std::set<int>{6});
    EXPECT_EQ(out.exit_code(), 3);
}

TEST_F(CheckSizes, LimitsNameTheOptionThatRaisesThem) {
    options_.tv.cell_limit = 100;
    const CheckReport cells = check_text("    B[n - 1] = A[200]\n", "    B[n - 1] = A[200]\n");
    EXPECT_THAT(cells.text(), HasSubstr("--cell-limit raises it"));
    options_ = by_execution();
    options_.tv.step_limit = 1;
    const CheckReport steps = check_text(plain_, plain_);
    EXPECT_THAT(steps.text(), HasSubstr("--step-limit raises it"));
    EXPECT_EQ(steps.exit_code(), 3);
    options_ = by_execution();
    options_.most_sizes = 3;
    const CheckReport few = check_text(plain_, plain_);
    EXPECT_EQ(few.at.size(), 3U);
    EXPECT_THAT(few.text(), HasSubstr("--sizes raises the limit"));
}

// Sizes that nobody may pass tell nothing, and do not hide that others are fine.
TEST_F(CheckSizes, SizesThatAreAssumedAway) {
    const std::string even = "    T.assume(n % 2 == 0)\n" + plain_;
    const CheckReport out = check_text(even, even);
    EXPECT_EQ(out.verdict, CheckVerdict::Bounded) << out.text();
    EXPECT_THAT(out.text(), HasSubstr("the first program faults on every run at: n = 1"));
}

// What symbolic execution alone sees is not called a refutation.
TEST_F(CheckSizes, TrapADifferenceThatNothingReplays) {
    options_.replay.tries = 0;
    const CheckReport out = check_text(plain_, "    pass\n");
    EXPECT_EQ(out.verdict, CheckVerdict::Unknown) << out.text();
    EXPECT_EQ(out.exit_code(), 3);
    EXPECT_THAT(out.what, HasSubstr("no run shows it"));
    EXPECT_FALSE(out.json()["replayed"].get<bool>());
}

}  // namespace
}  // namespace proviso::verify
