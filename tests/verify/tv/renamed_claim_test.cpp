// Claims by the names of no cell in particular.
#include "verify/tv/renamed_claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace proviso::verify {
namespace {

using namespace ir;

class RenamedClaims : public testing::Test {
  protected:
    Expr a(int k) { return ctx.load(a_, {ctx.i32(k)}); }
    Expr b(int k) { return ctx.load(b_, {ctx.i32(k)}); }

    Context ctx;
    Buffer a_ = ctx.buffer("A", kInt32, {ctx.i32(8)});
    Buffer b_ = ctx.buffer("B", kInt32, {ctx.i32(8)});
};

TEST_F(RenamedClaims, CellsThatPlayOnePartAreOneQuestion) {
    const auto first = renamed(ctx, ctx.eq(ctx.add(a(1), b(2)), ctx.add(b(2), a(1))));
    const auto second = renamed(ctx, ctx.eq(ctx.add(a(5), a(6)), ctx.add(a(6), a(5))));
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->claim, second->claim);
    EXPECT_EQ(first->was.size(), 2U);
}

// Trap: one cell read twice is one value, and two cells are not.
TEST_F(RenamedClaims, EqualCellsStayEqual) {
    const auto one = renamed(ctx, ctx.eq(a(1), a(1)));
    const auto two = renamed(ctx, ctx.eq(a(1), b(1)));
    const auto other = renamed(ctx, ctx.eq(a(1), a(2)));
    ASSERT_TRUE(two && other);
    EXPECT_TRUE(!one || one->claim != two->claim);
    EXPECT_EQ(two->claim, other->claim);
    EXPECT_NE(two->claim->arg(0), two->claim->arg(1));
}

// Trap: a variable that is called as the new ones are.
TEST_F(RenamedClaims, NamesInUseAreRenamedToo) {
    Expr taken = ctx.var("cell_0", a_->type);
    const auto claim = renamed(ctx, ctx.eq(a(1), taken));
    ASSERT_TRUE(claim);
    EXPECT_NE(claim->claim->arg(0), claim->claim->arg(1));
    EXPECT_EQ(claim->was.size(), 2U);
}

// Trap: whether a cell is defined, and which cell a variable index means, is no matter of values.
TEST_F(RenamedClaims, OthersAreAskedAsTheyAre) {
    EXPECT_FALSE(renamed(ctx, ctx.defined(a(1))));
    Expr i = ctx.var("i", a_->type);
    EXPECT_FALSE(renamed(ctx, ctx.eq(ctx.load(a_, {i}), ctx.i32(0))));
}

TEST_F(RenamedClaims, ValuesGetTheirCellsBack) {
    const auto claim = renamed(ctx, ctx.eq(a(3), ctx.i32(1)));
    ASSERT_TRUE(claim);
    std::vector<analysis::ModelValue> model(1);
    model[0].expr = claim->was.begin()->first;
    claim->rename_back(model);
    EXPECT_EQ(model[0].expr, a(3));
    EXPECT_EQ(model[0].name, "A[3]");
}

}  // namespace
}  // namespace proviso::verify
