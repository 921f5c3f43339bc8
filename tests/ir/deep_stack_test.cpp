// Deep stacks: what runs on them, and that the limits of depth know of them.
#include "ir/deep_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "ir/depth.h"
#include "ir/text.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

std::string repeated(const std::string& part, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += part;
    return out;
}

TEST(DeepStack, IsOfTheThreadsStartedHere) {
    EXPECT_FALSE(has_deep_stack());
    bool outer = false;
    bool inner = false;
    on_deep_stack([&] {
        outer = has_deep_stack();
        on_deep_stack([&] { inner = has_deep_stack(); });  // on the same one
    });
    EXPECT_TRUE(outer);
    EXPECT_TRUE(inner);
    EXPECT_FALSE(has_deep_stack());
    EXPECT_EQ(deepest_here(), kDeepest);
}

TEST(DeepStack, PassesOnWhatIsThrown) {
    EXPECT_THROW(on_deep_stack([] { throw std::runtime_error("so"); }), std::runtime_error);
}

// Trap: what one of several threads throws leaves the others without anybody to join them.
TEST(DeepStack, WaitsForTheOthersWhenOneThrows) {
    std::atomic<int> done = 0;
    const auto work = [&] {
        std::vector<DeepThread> threads;
        threads.emplace_back([] { throw std::bad_alloc(); });
        threads.emplace_back([&] { ++done; });
        threads.emplace_back([&] { ++done; });
        for (DeepThread& t : threads) t.join();
    };
    EXPECT_THROW(work(), std::bad_alloc);
    EXPECT_EQ(done, 2);
}

// Text as deep as the limits allow is read, printed, walked and measured, and reads back as the
// same.
TEST(DeepStack, HoldsTheDeepestText) {
    const auto round_trip = [](const std::string& text, ScalarType type) {
        Context ctx;
        const Scope scope{{{"x", ctx.var("x", kInt32)}, {"b", ctx.var("b", kBool)}}, {}};
        const Result<Expr> e = parse_expr(ctx, text, scope, type);
        ASSERT_TRUE(e.ok()) << e.error().message;
        EXPECT_FALSE(nests_too_deep(*e));
        const Result<Expr> back = parse_expr(ctx, print(*e), scope, type);
        ASSERT_TRUE(back.ok()) << back.error().message;
        EXPECT_EQ(*e, *back);
    };
    on_deep_stack([&] {
        round_trip("x" + repeated(" + x", 49'990), kInt32);
        round_trip("x" + repeated(" - 3", 49'990), kInt32);
        round_trip("1" + repeated(" + 1", 49'990), kInt32);  // of literals alone
        round_trip("b" + repeated(" and b", 24'990), kBool);
        round_trip(repeated("T.min(", 3'990) + "x" + repeated(", x)", 3'990), kInt32);
        round_trip(repeated("-(", 1'990) + "x" + repeated(")", 1'990), kInt32);
        round_trip(repeated("T.if_then_else(b, x, ", 3'990) + "x" + repeated(")", 3'990), kInt32);
        round_trip(repeated("T.let(v, x, ", 3'990) + "v" + repeated(")", 3'990), kInt32);
    });
}

TEST(DeepStack, HasLimitsOfItsOwn) {
    const auto fails = [](const std::string& text) {
        Context ctx;
        const Scope scope{{{"x", ctx.var("x", kInt32)}}, {}};
        const Result<Expr> e = parse_expr(ctx, text, scope);
        return e ? std::string("read") : e.error().message;
    };
    on_deep_stack([&] {
        EXPECT_THAT(fails("x" + repeated(" + x", 100'000)), HasSubstr("more than 50000 operators"));
        EXPECT_THAT(fails(repeated("(", 100'000)), HasSubstr("more than 4000 deep"));
        EXPECT_THAT(fails(repeated("-", 100'000) + "x"), HasSubstr("more than 4000 levels"));
        EXPECT_EQ(deepest_here(), kDeepestOnDeepStack);
        EXPECT_THAT(too_deep("it"), HasSubstr("more than 100000 levels"));
    });
    EXPECT_THAT(fails("x" + repeated(" + x", 2'000)), HasSubstr("more than 1000 operators"));
}

}  // namespace
}  // namespace proviso::ir
