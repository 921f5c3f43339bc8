// Claims that nest deep: an answer, or one that says that they nest too deep.
#include <gtest/gtest.h>

#include "analysis/prover.h"

namespace proviso::analysis {
namespace {

using ir::Expr;

// 0 <= min(min(x, 1), 2)..
Expr claim(ir::Context& ctx, std::uint32_t levels) {
    Expr e = ctx.var("x", ir::kInt32);
    for (std::uint32_t i = 1; i <= levels; ++i) {
        e = ctx.make(ir::Op::Min, {e, ctx.i32(static_cast<std::int32_t>(i))});
    }
    return ctx.le(ctx.i32(0), e);
}

TEST(Depth, TooDeepIsUnknownAndSaysSo) {
    ir::Context ctx;
    Prover prover(ctx, {});
    const Expr x_is_positive = ctx.lt(ctx.i32(0), ctx.var("x", ir::kInt32));
    const Answer goal = prover.prove({x_is_positive}, claim(ctx, 100'000));
    EXPECT_EQ(goal.verdict, Verdict::Unknown);
    EXPECT_NE(goal.why.find("nests more than"), std::string::npos) << goal.why;
    const Answer fact = prover.prove({claim(ctx, 100'000)}, x_is_positive);
    EXPECT_EQ(fact.verdict, Verdict::Unknown);
    EXPECT_FALSE(prover.proves_cheaply({claim(ctx, 100'000)}, x_is_positive));
}

TEST(Depth, DeepGetsAnAnswer) {
    ir::Context ctx;
    Prover prover(ctx, {});
    const Expr x_is_positive = ctx.lt(ctx.i32(0), ctx.var("x", ir::kInt32));
    const Answer near = prover.prove({x_is_positive}, claim(ctx, 500));
    EXPECT_EQ(near.verdict, Verdict::Proved) << near.why;
}

}  // namespace
}  // namespace proviso::analysis
