// Evaluation of whole expressions: laziness, order of faults, freezing, scopes of lets.
#include "ir/domains/evaluate.h"

#include <gtest/gtest.h>

namespace proviso::ir {
namespace {

class Evaluating : public testing::Test {
  protected:
    Context ctx;
    Expr x = ctx.var("x", kInt32);
    Expr y = ctx.var("y", kInt32);
    Environment env{{{x, Value::of_int(6)}, {y, Value::of_int(0)}}};

    FaultKind fault_of(Expr e) {
        const Evaluation out = evaluate(e, env);
        return out.fault ? out.fault->kind : FaultKind::None;
    }
};

TEST_F(Evaluating, LazyOperatorsSkipFaultsAndSelectDoesNot) {
    Expr bad = ctx.floordiv(x, y);
    Expr guard = ctx.ne(y, ctx.i32(0));
    Expr bad_condition = ctx.lt(bad, x);
    EXPECT_EQ(fault_of(bad), FaultKind::ZeroDivisor);
    EXPECT_EQ(evaluate(ctx.if_then_else(guard, bad, x), env).value.integer(), 6);
    EXPECT_EQ(fault_of(ctx.select(guard, bad, x)), FaultKind::ZeroDivisor);
    EXPECT_FALSE(evaluate(ctx.and_(guard, bad_condition), env).value.truth());
    EXPECT_TRUE(evaluate(ctx.or_(ctx.not_(guard), bad_condition), env).value.truth());
    EXPECT_EQ(fault_of(ctx.or_(guard, bad_condition)), FaultKind::ZeroDivisor);
    EXPECT_EQ(evaluate(bad, env).fault->message, "zero divisor: floordiv(6, 0) on int32");
}

TEST_F(Evaluating, LetFreezesButUndefMinusUndefDoesNot) {
    Expr undef = ctx.undef(kInt32);
    EXPECT_TRUE(evaluate(ctx.sub(undef, undef), env).value.is_indet());
    Expr u = ctx.var("u", kInt32);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        env.seed = seed;
        EXPECT_EQ(evaluate(ctx.let(u, undef, ctx.sub(u, u)), env).value.integer(), 0);
        EXPECT_FALSE(evaluate(ctx.let(u, undef, u), env).value.is_indet());
    }
}

TEST_F(Evaluating, LetObservesItsValueAndEndsWithItsBody) {
    Expr max = ctx.int_imm(kInt32, kInt32.max_value());
    Expr u = ctx.var("u", kInt32);
    EXPECT_EQ(fault_of(ctx.let(u, ctx.add(max, x), u)), FaultKind::OutOfRange);
    EXPECT_EQ(fault_of(ctx.let(u, x, ctx.sub(ctx.add(max, u), u))), FaultKind::None);
    // The inner x hides the outer one only in its body.
    Expr inner = ctx.let(x, ctx.i32(1), ctx.add(x, x));
    EXPECT_EQ(evaluate(ctx.add(inner, x), env).value.integer(), 8);
}

TEST_F(Evaluating, LoadsGetObservedDefiniteIndices) {
    Buffer a = ctx.buffer("A", kFloat32, {ctx.i32(4)});
    env.load = [](Expr, std::span<const Value> indices) -> Evaluated {
        if (indices[0].integer() >= 4) return FaultKind::OutOfBounds;
        return Value::of_float(0.5);
    };
    EXPECT_EQ(evaluate(ctx.load(a, {y}), env).value, Value::of_float(0.5));
    EXPECT_EQ(fault_of(ctx.load(a, {x})), FaultKind::OutOfBounds);
    EXPECT_EQ(evaluate(ctx.load(a, {x}), env).fault->message, "out of bounds: A[6] on float32");
    EXPECT_EQ(fault_of(ctx.load(a, {ctx.undef(kInt32)})), FaultKind::IndetUse);
    Expr call = ctx.call_extern(kInt32, "f", {x});
    EXPECT_EQ(fault_of(call), FaultKind::UnsupportedCall);
    env.call = [](Expr, std::span<const Value> args) -> Evaluated { return args[0]; };
    EXPECT_EQ(evaluate(call, env).value.integer(), 6);
}

TEST_F(Evaluating, IsCutShortRatherThanEatingMemory) {
    Expr big = x;
    for (int i = 0; i < 60; ++i) big = ctx.mul(big, big);
    EXPECT_EQ(fault_of(big), FaultKind::StepLimit);
}

}  // namespace
}  // namespace proviso::ir
