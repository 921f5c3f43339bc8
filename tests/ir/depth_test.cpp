// Trees that were built in memory and nest deeper than any text: walking them needs no stack, and
// what does recurse is told not to.
#include <gtest/gtest.h>

#include "ir/children.h"
#include "ir/depth.h"
#include "ir/well_formed.h"

namespace proviso::ir {
namespace {

constexpr int kLevels = 100'000;

// min(min(x, 1), 2), ..
Expr nested(Context& ctx, int levels) {
    Expr e = ctx.var("x", kInt32);
    for (int i = 1; i <= levels; ++i) e = ctx.make(Op::Min, {e, ctx.i32(i)});
    return e;
}

TEST(Depth, WalkingKeepsItsOwnStack) {
    Context ctx;
    Expr e = nested(ctx, kLevels);
    std::size_t nodes = 0;
    for_each_node(e, [&](Expr) { ++nodes; });
    EXPECT_EQ(nodes, 2U * kLevels + 1);
    EXPECT_EQ(free_vars(e), std::vector<Expr>{ctx.var("x", kInt32)});
    EXPECT_TRUE(has_op(e, Op::Min));
    EXPECT_EQ(rewrite_expr(ctx, e, [](Expr n) { return n; }), e);
    Expr y = ctx.var("y", kInt32);
    Expr changed = substitute(ctx, e, {{ctx.var("x", kInt32), y}});
    EXPECT_TRUE(occurs_free(y, changed));
    EXPECT_FALSE(occurs_free(ctx.var("x", kInt32), changed));
}

TEST(Depth, IsMeasured) {
    Context ctx;
    EXPECT_TRUE(nests_too_deep(nested(ctx, static_cast<int>(kDeepest))));
    EXPECT_FALSE(nests_too_deep(nested(ctx, static_cast<int>(kDeepest) - 1)));
    // A tree that is large but not deep: 2^64 nodes of 64 levels.
    Expr wide = ctx.var("x", kInt32);
    for (int i = 0; i < 64; ++i) wide = ctx.make(Op::Max, {wide, wide});
    EXPECT_FALSE(nests_too_deep(wide));
    // A let takes more stack than an operator.
    Expr lets = ctx.var("x", kInt32);
    for (int i = 0; i < 2'000; ++i) {
        lets = ctx.let(ctx.var("v" + std::to_string(i), kInt32), ctx.i32(i), lets);
    }
    EXPECT_TRUE(nests_too_deep(lets));
}

TEST(Depth, AFunctionThatNestsTooDeepIsNotWellFormed) {
    Context ctx;
    Function f;
    f.name = "f";
    f.body = ctx.stmt(Evaluate{nested(ctx, kLevels)});
    ASSERT_EQ(well_formed(f).size(), 1U);
    EXPECT_NE(well_formed(f).front().str().find("nests more than 12000 levels"), std::string::npos);

    Stmt s = ctx.stmt(Evaluate{ctx.i32(0)});
    for (int i = 0; i < kLevels; ++i) s = ctx.stmt(IfElse{ctx.true_(), s, nullptr});
    f.body = s;
    ASSERT_EQ(well_formed(f).size(), 1U);
    EXPECT_NE(well_formed(f).front().str().find("levels deep"), std::string::npos);
}

}  // namespace
}  // namespace proviso::ir
