// Counterexamples found by trying: values that a blind choice would meet rarely, and the answers of
// no solver.
#include "analysis/prover/sample.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace proviso::analysis {
namespace {

using ir::Expr;

class Sample : public testing::Test {
  protected:
    ir::Context ctx;
    Expr i = ctx.var("i", ir::kInt32);
    Expr k = ctx.var("k", ir::kInt32);
    ir::Buffer X = ctx.buffer("X", ir::kFloat32, {ctx.i32(64)});
    ir::Buffer Y = ctx.buffer("Y", ir::kFloat32, {ctx.i32(64)});
    ir::Buffer F = ctx.buffer("F", ir::kFloat32, {ctx.i32(64)});

    Expr c(std::int64_t v) { return ctx.i32(v); }
    Expr f32(double v) { return ctx.float_imm(ir::kFloat32, v); }
    Expr x() { return ctx.load(X, {i}); }
    Expr y() { return ctx.load(Y, {k}); }
    Expr f() { return ctx.load(F, {i}); }
    bool refuted(const std::vector<Expr>& facts, Expr goal) {
        const auto once = sampled_counterexample(ctx, Obligation{{}, facts, goal, {}});
        const auto again = sampled_counterexample(ctx, Obligation{{}, facts, goal, {}});
        EXPECT_EQ(once.has_value(), again.has_value());
        return once.has_value();
    }
    // 0 <= i < 48, 0 <= k < 3, i + k < 2: three pairs of 144.
    std::vector<Expr> outside() {
        return {ctx.le(c(0), i), ctx.lt(i, c(48)), ctx.le(c(0), k), ctx.lt(k, c(3)),
                ctx.lt(ctx.add(i, k), c(2))};
    }
};

// A padding of zero, times a factor that is infinite or not a number.
TEST_F(Sample, looks_where_guards_are_false) {
    std::vector<Expr> facts = outside();
    facts.push_back(ctx.or_(ctx.le(c(2), ctx.add(i, k)), ctx.eq(x(), f32(0))));
    for (const Expr cell : {x(), y(), f()}) facts.push_back(ctx.defined(cell));
    const Expr sum = ctx.add(y(), ctx.mul(x(), f()));
    EXPECT_TRUE(refuted(facts, ctx.same(sum, y())));
    facts.push_back(ctx.eq(f(), f32(1)));
    facts.push_back(ctx.not_(ctx.same(y(), f32(-0.0))));
    EXPECT_FALSE(refuted(facts, ctx.same(sum, y()))) << "nothing refutes what holds";
}

// No choice that does not look at facts meets this value.
TEST_F(Sample, heeds_what_facts_say_of_cells) {
    std::vector<Expr> facts = outside();
    const Expr cell = ctx.load(ctx.buffer("S", ir::kInt32, {c(64)}), {i});
    facts.push_back(ctx.or_(ctx.le(c(2), ctx.add(i, k)), ctx.eq(cell, ctx.add(i, c(123456)))));
    EXPECT_TRUE(refuted(facts, ctx.lt(cell, c(100))));
    EXPECT_FALSE(refuted(facts, ctx.lt(c(100), cell)));
}

// Only a denormal number, halved, is a zero that it was not.
TEST_F(Sample, tries_the_smallest_numbers) {
    const Expr halved = ctx.add(ctx.mul(y(), f32(0.5)), x());
    EXPECT_TRUE(
        refuted({ctx.not_(ctx.same(y(), f32(-0.0)))}, ctx.not_(ctx.same(halved, f32(-0.0)))));
}

// Twice the largest number that a fact allows is infinite.
TEST_F(Sample, tries_the_constants_of_facts) {
    EXPECT_TRUE(refuted({ctx.le(f(), f32(3e38F))},
                        ctx.lt(ctx.mul(f(), f32(2)), f32(std::numeric_limits<float>::infinity()))));
}

// A cell is chosen once: a second fact that says something else is not made true.
TEST_F(Sample, contradictions_refute_nothing) {
    EXPECT_FALSE(refuted({ctx.eq(x(), f32(1)), ctx.eq(x(), f32(2))}, ctx.false_()));
    EXPECT_FALSE(refuted({ctx.defined(x()), ctx.not_(ctx.defined(x()))}, ctx.false_()));
}

// A cell of integers takes no value beyond its type.
TEST_F(Sample, chosen_cells_are_in_range) {
    const Expr cell = ctx.load(ctx.buffer("S", ir::kInt32, {c(4)}), {c(0)});
    const Expr beyond = ctx.add(k, c(INT32_MAX));
    const std::vector<Expr> small = {ctx.le(c(0), k), ctx.le(k, c(3))};
    std::vector<Expr> facts = small;
    facts.push_back(ctx.eq(cell, beyond));
    EXPECT_TRUE(refuted(facts, ctx.false_())) << "where k is 0";
    facts.push_back(ctx.le(c(1), k));
    EXPECT_FALSE(refuted(facts, ctx.false_()));
}

}  // namespace
}  // namespace proviso::analysis
