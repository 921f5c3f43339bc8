// A solver that does not keep to its budget is stopped; that is UNKNOWN, and nothing keeps it.
#include "analysis/smt/watchdog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "analysis/prover/ladder.h"
#include "analysis/prover/prover.h"
#include "analysis/z3/linked_z3.h"
#include "ir/text.h"

namespace {

using namespace proviso;
using namespace proviso::analysis;
using testing::HasSubstr;

// For x from 6 to 13, x << x is a multiple of 64, so the last four bits after the xor are ones.
// Z3 4.8.12 takes minutes over 2,000,000 of its units here.
class Slow : public testing::Test {
  protected:
    Obligation claim() {
        const ir::Scope scope{{{"x", ctx.var("x", ir::kInt64)}}, {}};
        const auto read = [&](const char* text) { return *ir::parse_expr(ctx, text, scope); };
        return Obligation{{},
                          {read("5 < x"), read("x <= 13")},
                          read("T.Cast(\"int32\", (x << x) ^ T.int64(15)) % 4 == 3")};
    }

    ir::Context ctx;
};

constexpr std::uint64_t kNoBudget = 4'000'000'000;

TEST_F(Slow, Z3IsStopped) {
    const SmtText text = to_smt(ctx, claim());
    EXPECT_TRUE(smt::mixes_bit_vectors(text.text));
    const smt::Reply reply = smt::run_z3(text.text, kNoBudget, nullptr, 1);
    EXPECT_EQ(reply.verdict, Verdict::Unknown);
    EXPECT_EQ(reply.why, "z3 did not keep to its budget and was stopped after 1 s");
    EXPECT_TRUE(smt::was_stopped(reply.why));
    EXPECT_FALSE(smt::was_stopped("resource"));
}

TEST_F(Slow, AProverSaysSoAndKeepsNothing) {
    const std::filesystem::path cache =
        std::filesystem::path(testing::TempDir()) / "proviso_watchdog";
    std::filesystem::remove_all(cache);
    ProverOptions options;
    options.use_cheap = false;
    options.use_cvc5 = false;
    options.rlimit = kNoBudget;
    options.wall_limit_s = 1;
    options.cache_dir = cache.string();
    Prover prover(ctx, options);
    const Answer a = prover.prove(claim());
    EXPECT_EQ(a.verdict, Verdict::Unknown);
    EXPECT_THAT(a.why, HasSubstr("was stopped after 1 s"));
    EXPECT_FALSE(std::filesystem::exists(cache));
}

// Its usual budgets decide it: no clock does.
TEST_F(Slow, TheUsualBudgetsDecide) {
    if (cvc5_version().empty()) GTEST_SKIP() << "cvc5 is not installed";
    Prover prover(ctx, {});
    const Answer a = prover.prove(claim());
    EXPECT_EQ(a.verdict, Verdict::Proved) << a.why;
}

TEST(Watchdog, StopsOnceItsTimeHasPassedAndThenAgain) {
    std::atomic<int> calls{0};
    const smt::Watchdog late(0, [&] { ++calls; });
    while (calls < 2) std::this_thread::yield();
    EXPECT_TRUE(late.has_stopped());
}

TEST(Watchdog, LeavesAloneWhatEndsInTime) {
    std::atomic<int> calls{0};
    {
        const smt::Watchdog early(3600, [&] { ++calls; });
    }
    EXPECT_EQ(calls, 0);
}

}  // namespace
