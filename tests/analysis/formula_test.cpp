// When does an expression fault, when is it definite: each clause of docs/semantics.md by an
// example.
#include "analysis/facts/formula.h"

#include <gtest/gtest.h>

#include "analysis/prover/prover.h"

namespace proviso::analysis {
namespace {

using ir::Expr;
using ir::Op;

class Formula : public testing::Test {
  protected:
    ir::Context ctx;
    Expr x = ctx.var("x", ir::kInt32);
    Expr y = ctx.var("y", ir::kInt32);
    Expr p = ctx.var("p", ir::kBool);
    Expr n = ctx.var("n", ir::kInt32);
    Expr u8 = ctx.var("u", ir::kUInt8);
    Expr f = ctx.var("f", ir::kFloat32);
    ir::Buffer A = ctx.buffer("A", ir::kInt32, {n});
    ir::Buffer B = ctx.buffer("B", ir::kBool, {n});
    Expr Ax = ctx.load(A, {x});
    Expr c(std::int64_t v) { return ctx.i32(v); }
    Expr in_i32(Expr e) { return ctx.and_(ctx.le(c(INT32_MIN), e), ctx.le(e, c(INT32_MAX))); }
};

TEST_F(Formula, ring_operators_never_fault) {
    EXPECT_EQ(no_fault(ctx, ctx.mul(ctx.add(x, y), ctx.neg(x))), ctx.true_());
    EXPECT_EQ(no_fault(ctx, ctx.make(Op::Div, {f, f})), ctx.true_());
}

TEST_F(Formula, comparison_observes_its_operands) {
    EXPECT_EQ(no_fault(ctx, ctx.lt(x, y)), ctx.true_());
    const Expr sum = ctx.add(x, y);
    EXPECT_EQ(no_fault(ctx, ctx.lt(sum, y)), in_i32(sum));
    EXPECT_EQ(no_fault(ctx, ctx.min(sum, y)), in_i32(sum));
    EXPECT_EQ(no_fault(ctx, ctx.cast(ir::kInt64, sum)), in_i32(sum));
}

TEST_F(Formula, wrapping_integers_stay_in_range) {
    EXPECT_EQ(no_fault(ctx, ctx.lt(ctx.add(u8, u8), u8)), ctx.true_());
    EXPECT_EQ(in_range(ctx, ctx.add(u8, u8)), ctx.true_());
}

TEST_F(Formula, division_by_a_variable) {
    EXPECT_EQ(no_fault(ctx, ctx.floordiv(x, c(4))), ctx.true_());
    EXPECT_EQ(no_fault(ctx, ctx.floordiv(x, c(0))), ctx.false_());
    const Expr not_min = ctx.ne(x, c(INT32_MIN));
    EXPECT_EQ(no_fault(ctx, ctx.floordiv(x, c(-1))), not_min);
    EXPECT_EQ(no_fault(ctx, ctx.floormod(x, y)),
              ctx.and_(ctx.ne(y, c(0)), ctx.or_(not_min, ctx.ne(y, c(-1)))));
    EXPECT_EQ(no_fault(ctx, ctx.make(Op::TruncDiv, {u8, u8})),
              ctx.ne(u8, ctx.int_imm(ir::kUInt8, 0)));
}

TEST_F(Formula, divisor_must_be_definite_dividend_need_not) {
    const Expr claim = no_fault(ctx, ctx.floordiv(c(7), Ax));
    Prover prover(ctx, {});
    EXPECT_EQ(prover.prove({claim}, ctx.defined(Ax)).verdict, Verdict::Proved);
    const Expr other = no_fault(ctx, ctx.floordiv(Ax, c(7)));
    EXPECT_EQ(prover.prove({other}, ctx.defined(Ax)).verdict, Verdict::Refuted);
}

TEST_F(Formula, short_circuits_guard_their_right_side) {
    const Expr division = ctx.eq(ctx.floordiv(c(1), x), c(1));
    const Expr safe = no_fault(ctx, ctx.and_(ctx.ne(x, c(0)), division));
    Prover prover(ctx, {});
    EXPECT_EQ(prover.prove({}, safe).verdict, Verdict::Proved);
    EXPECT_EQ(prover.prove({}, no_fault(ctx, ctx.or_(ctx.eq(x, c(0)), division))).verdict,
              Verdict::Proved);
    // The other order evaluates the division first.
    EXPECT_EQ(prover.prove({}, no_fault(ctx, ctx.and_(division, ctx.ne(x, c(0))))).verdict,
              Verdict::Refuted);
}

TEST_F(Formula, if_then_else_guards_its_arms_select_does_not) {
    const Expr nonzero = ctx.ne(x, c(0));
    const Expr division = ctx.floordiv(c(1), x);
    Prover prover(ctx, {});
    EXPECT_EQ(prover.prove({}, no_fault(ctx, ctx.if_then_else(nonzero, division, c(0)))).verdict,
              Verdict::Proved);
    EXPECT_EQ(prover.prove({}, no_fault(ctx, ctx.select(nonzero, division, c(0)))).verdict,
              Verdict::Refuted);
}

TEST_F(Formula, loads_are_in_bounds_and_their_indices_definite) {
    EXPECT_EQ(no_fault(ctx, Ax), ctx.and_(ctx.le(c(0), x), ctx.lt(x, n)));
    Prover prover(ctx, {});
    const Expr indirect = ctx.load(A, {Ax});
    EXPECT_EQ(prover.prove({no_fault(ctx, indirect)}, ctx.defined(Ax)).verdict, Verdict::Proved);
    EXPECT_EQ(prover.prove({no_fault(ctx, indirect)}, ctx.lt(Ax, n)).verdict, Verdict::Proved);
}

TEST_F(Formula, bounds_across_index_types) {
    const ir::Buffer small = ctx.buffer("S", ir::kInt8, {c(10), c(300)});
    const std::vector<Expr> indices = {u8, u8};  // 0 <= u8 < 300 needs no claim
    EXPECT_EQ(in_bounds(ctx, small, indices), ctx.lt(u8, ctx.int_imm(ir::kUInt8, 10)));
    const Expr wide = ctx.var("w", ir::kUInt64);
    Prover prover(ctx, {});
    const std::vector<Expr> wide_index = {wide};
    const Expr claim = in_bounds(ctx, A, wide_index);
    // A huge unsigned index is not below a signed extent by wrapping around.
    EXPECT_EQ(prover.prove({claim, ctx.le(n, c(100))}, ctx.lt(wide, ctx.int_imm(ir::kUInt64, 100)))
                  .verdict,
              Verdict::Proved);
}

TEST_F(Formula, branch_conditions_must_be_definite) {
    const Expr Bx = ctx.load(B, {x});
    Prover prover(ctx, {});
    for (const Expr e : {ctx.if_then_else(Bx, p, p), ctx.and_(Bx, p), ctx.or_(Bx, p)}) {
        EXPECT_EQ(prover.prove({no_fault(ctx, e)}, ctx.defined(Bx)).verdict, Verdict::Proved);
    }
    // As the condition of a select it is an operand like any other.
    const Expr e = ctx.select(Bx, x, y);
    EXPECT_EQ(prover.prove({no_fault(ctx, e)}, ctx.defined(Bx)).verdict, Verdict::Refuted);
    EXPECT_EQ(definite(ctx, e), ctx.defined(Bx));
}

TEST_F(Formula, shifts_stay_below_the_width) {
    EXPECT_EQ(no_fault(ctx, ctx.make(Op::Shl, {x, c(31)})), ctx.true_());
    EXPECT_EQ(no_fault(ctx, ctx.make(Op::Shl, {x, c(32)})), ctx.false_());
    EXPECT_EQ(no_fault(ctx, ctx.make(Op::Shr, {x, y})),
              ctx.and_(ctx.le(c(0), y), ctx.lt(y, c(32))));
    EXPECT_EQ(no_fault(ctx, ctx.make(Op::Shr, {u8, u8})), ctx.lt(u8, ctx.int_imm(ir::kUInt8, 8)));
}

TEST_F(Formula, float_to_integer_bounds_are_exact) {
    const auto f32 = [&](double v) { return ctx.float_imm(ir::kFloat32, v); };
    // -2^31 - 1 is no float32, and there is none between it and -2^31.
    EXPECT_EQ(no_fault(ctx, ctx.cast(ir::kInt32, f)),
              ctx.and_(ctx.le(f32(-0x1p31), f), ctx.lt(f, f32(0x1p31))));
    EXPECT_EQ(no_fault(ctx, ctx.cast(ir::kInt8, f)),
              ctx.and_(ctx.lt(f32(-129), f), ctx.lt(f, f32(128))));
    EXPECT_EQ(no_fault(ctx, ctx.cast(ir::kUInt8, f)),
              ctx.and_(ctx.lt(f32(-1), f), ctx.lt(f, f32(256))));
}

TEST_F(Formula, let_observes_and_freezes) {
    const Expr v = ctx.var("v", ir::kInt32);
    const Expr sum = ctx.add(x, y);
    EXPECT_EQ(no_fault(ctx, ctx.let(v, sum, v)), in_i32(sum));
    EXPECT_EQ(definite(ctx, ctx.let(v, Ax, ctx.add(v, v))), ctx.true_());
    EXPECT_EQ(definite(ctx, Ax), ctx.defined(Ax));
    // The divisor is the frozen value.
    EXPECT_EQ(no_fault(ctx, ctx.let(v, y, ctx.floordiv(c(1), v))), ctx.ne(y, c(0)));
}

TEST_F(Formula, definite_follows_the_chosen_arm) {
    EXPECT_EQ(definite(ctx, ctx.mul(c(0), ctx.undef(ir::kInt32))), ctx.false_());
    EXPECT_EQ(definite(ctx, ctx.select(p, x, ctx.undef(ir::kInt32))), p);
    EXPECT_EQ(definite(ctx, ctx.if_then_else(p, Ax, Ax)), ctx.defined(Ax));
}

TEST_F(Formula, in_range_of_products_and_choices) {
    EXPECT_EQ(in_range(ctx, Ax), ctx.true_());
    EXPECT_EQ(in_range(ctx, ctx.min(x, y)), ctx.true_());
    const Expr product = ctx.mul(x, y);
    EXPECT_EQ(in_range(ctx, product), in_i32(product));
    EXPECT_EQ(in_range(ctx, ctx.select(p, x, product)), ctx.or_(p, in_i32(product)));
}

}  // namespace
}  // namespace proviso::analysis
