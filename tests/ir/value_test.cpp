// The table of operators against plain C++ arithmetic: every pair of 8-bit integers, native floats,
// casts at their borders, and what faults.
#include "ir/domains/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace proviso::ir {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

class Values : public testing::Test {
  protected:
    Context ctx;

    Evaluated apply(Op op, ScalarType type, const std::vector<Value>& args) {
        std::vector<Expr> vars;
        vars.reserve(args.size());
        for (std::size_t i = 0; i < args.size(); ++i) {
            vars.push_back(ctx.var("x" + std::to_string(i), type));
        }
        return eval_op(*ctx.make(op, vars), args);
    }
    Evaluated binary(Op op, ScalarType type, Int128 a, Int128 b) {
        return apply(op, type, {Value::of_int(a), Value::of_int(b)});
    }
    Evaluated cast(ScalarType from, ScalarType to, const Value& a) {
        return eval_op(*ctx.cast(to, ctx.var("x", from)), std::vector<Value>{a});
    }
    Evaluated math(MathFn fn, ScalarType type, double x) {
        return eval_op(*ctx.math(fn, {ctx.var("x", type)}), std::vector<Value>{Value::of_float(x)});
    }
};

int floor_quotient(int a, int b) {
    return static_cast<int>(std::floor(static_cast<double>(a) / b));
}

TEST_F(Values, EveryPairOfEightBitIntegers) {
    for (const ScalarType type : {kInt8, kUInt8}) {
        const int lo = static_cast<int>(type.min_value());
        const int hi = static_cast<int>(type.max_value());
        const auto wrap = [&](int v) {
            return type == kInt8 ? static_cast<int>(static_cast<std::int8_t>(v)) : (v & 255);
        };
        const auto expect = [&](Op op, int a, int b, int want) {
            const Evaluated got = binary(op, type, a, b);
            ASSERT_TRUE(got.ok()) << op_info(op).name << a << " " << b;
            ASSERT_EQ(got.value.integer(), Integer(want)) << op_info(op).name << a << " " << b;
        };
        const auto expect_fault = [&](Op op, int a, int b, FaultKind want) {
            ASSERT_EQ(binary(op, type, a, b).fault, want) << op_info(op).name << a << " " << b;
        };
        for (int a = lo; a <= hi; ++a) {
            for (int b = lo; b <= hi; ++b) {
                expect(Op::Add, a, b, wrap(a + b));
                expect(Op::Sub, a, b, wrap(a - b));
                expect(Op::Mul, a, b, wrap(a * b));
                expect(Op::Min, a, b, std::min(a, b));
                expect(Op::Max, a, b, std::max(a, b));
                expect(Op::Eq, a, b, a == b);
                expect(Op::Ne, a, b, a != b);
                expect(Op::Lt, a, b, a < b);
                expect(Op::Le, a, b, a <= b);
                expect(Op::BitAnd, a, b, wrap(a & b));
                expect(Op::BitOr, a, b, wrap(a | b));
                expect(Op::BitXor, a, b, wrap(a ^ b));
                if (b < 0 || b >= 8) {
                    expect_fault(Op::Shl, a, b, FaultKind::Shift);
                    expect_fault(Op::Shr, a, b, FaultKind::Shift);
                } else {
                    expect(Op::Shl, a, b, wrap(a * (1 << b)));
                    expect(Op::Shr, a, b, a >> b);
                }
                for (const Op op : {Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod}) {
                    if (b == 0) {
                        expect_fault(op, a, b, FaultKind::ZeroDivisor);
                    } else if (a == -128 && b == -1) {
                        expect_fault(op, a, b, FaultKind::QuotientOutOfRange);
                    }
                }
                if (b == 0 || (a == -128 && b == -1)) continue;
                expect(Op::FloorDiv, a, b, floor_quotient(a, b));
                expect(Op::FloorMod, a, b, a - floor_quotient(a, b) * b);
                expect(Op::TruncDiv, a, b, a / b);
                expect(Op::TruncMod, a, b, a % b);
            }
        }
    }
}

TEST_F(Values, ExactIntegersLeaveTheirRangeUntilObserved) {
    const Int128 max32 = kInt32.max_value();
    const Evaluated sum = binary(Op::Add, kInt32, max32, 1);
    EXPECT_EQ(sum.value.integer(), Integer(max32 + 1));
    EXPECT_FALSE(observable(kInt32, sum.value));
    EXPECT_EQ(apply(Op::Sub, kInt32, {sum.value, Value::of_int(1)}).value.integer(), max32);
    for (const Op op : {Op::FloorDiv, Op::TruncMod, Op::Min, Op::Lt, Op::Eq, Op::BitAnd, Op::Shl}) {
        EXPECT_EQ(apply(op, kInt32, {sum.value, Value::of_int(2)}).fault, FaultKind::OutOfRange);
        EXPECT_EQ(apply(op, kInt32, {sum.value, Value::indet()}).fault, FaultKind::OutOfRange);
    }
    EXPECT_EQ(cast(kInt32, kUInt8, sum.value).fault, FaultKind::OutOfRange);
    EXPECT_EQ(binary(Op::Shl, kInt32, max32, 31).value.integer(),
              Integer(max32) * Integer::power_of_two(31));
    EXPECT_EQ(binary(Op::FloorDiv, kInt32, kInt32.min_value(), -1).fault,
              FaultKind::QuotientOutOfRange);
    EXPECT_EQ(binary(Op::Mul, kUInt64, kUInt64.max_value(), kUInt64.max_value()).value.integer(),
              1);
}

// Where some definite value in the place of indet would be a fault, there or where the result is
// observed.
TEST_F(Values, IndetIsAFaultWhereAValueCouldBe) {
    const Value indet = Value::indet();
    const Value one = Value::of_int(1);
    for (const ScalarType type : {kInt32, kInt64}) {
        for (const Op op : {Op::Add, Op::Sub, Op::Mul, Op::Shl}) {
            EXPECT_EQ(apply(op, type, {indet, one}).fault, FaultKind::IndetUse);
            EXPECT_EQ(apply(op, type, {one, indet}).fault, FaultKind::IndetUse);
        }
        EXPECT_EQ(apply(Op::Neg, type, {indet}).fault, FaultKind::IndetUse);
    }
    for (const ScalarType type : {kInt8, kInt16, kUInt32, kUInt64}) {
        for (const Op op : {Op::Add, Op::Sub, Op::Mul}) {
            EXPECT_TRUE(apply(op, type, {indet, one}).ok());
        }
        EXPECT_TRUE(apply(Op::Shl, type, {indet, one}).ok());
        EXPECT_EQ(apply(Op::Shl, type, {one, indet}).fault, FaultKind::IndetUse);
        EXPECT_EQ(apply(Op::Shr, type, {one, indet}).fault, FaultKind::IndetUse);
    }
    const Value minus_one = Value::of_int(-1);
    for (const ScalarType type : {kInt8, kInt32}) {
        for (const Op op : {Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod}) {
            EXPECT_EQ(apply(op, type, {indet, minus_one}).fault, FaultKind::IndetUse);
            EXPECT_TRUE(apply(op, type, {indet, Value::of_int(-2)}).ok());
        }
    }
    Expr choice = ctx.select(ctx.var("p", kBool), ctx.var("x", kInt32), ctx.var("y", kInt32));
    const Value beyond = Value::of_int(Integer(kInt32.max_value()) + Integer(1));
    EXPECT_EQ(eval_op(*choice, std::vector<Value>{indet, one, beyond}).fault, FaultKind::IndetUse);
    EXPECT_EQ(eval_op(*choice, std::vector<Value>{indet, beyond, one}).fault, FaultKind::IndetUse);
    EXPECT_TRUE(eval_op(*choice, std::vector<Value>{indet, one, indet}).ok());
}

TEST_F(Values, IndetPropagatesThroughStrictOperators) {
    const Value one = Value::of_int(1);
    const Value indet = Value::indet();
    EXPECT_TRUE(apply(Op::Mul, kInt8, {Value::of_int(0), indet}).ok());
    EXPECT_TRUE(apply(Op::Mul, kInt8, {Value::of_int(0), indet}).value.is_indet());
    EXPECT_TRUE(apply(Op::Mul, kFloat32, {Value::of_float(0), indet}).ok());
    EXPECT_TRUE(apply(Op::Min, kInt32, {indet, one}).value.is_indet());
    EXPECT_TRUE(apply(Op::FloorDiv, kInt32, {indet, one}).value.is_indet());
    EXPECT_EQ(apply(Op::FloorDiv, kInt32, {one, indet}).fault, FaultKind::IndetUse);
    EXPECT_EQ(apply(Op::FloorMod, kInt32, {indet, Value::of_int(0)}).fault, FaultKind::ZeroDivisor);
    EXPECT_TRUE(apply(Op::Div, kFloat32, {Value::of_float(1), indet}).value.is_indet());
    EXPECT_TRUE(apply(Op::Eq, kInt32, {indet, indet}).value.is_indet());
    const Value yes = Value::of_bool(true);
    EXPECT_EQ(apply(Op::And, kBool, {indet, yes}).fault, FaultKind::IndetUse);
    EXPECT_TRUE(apply(Op::And, kBool, {yes, indet}).value.is_indet());
    EXPECT_EQ(apply(Op::Or, kBool, {yes, indet}).value, yes);
    Expr c = ctx.var("c", kBool);
    Expr x = ctx.var("x", kInt32);
    const Expr choice = ctx.select(c, x, x);
    EXPECT_EQ(eval_op(*choice, std::vector<Value>{yes, one, indet}).value, one);
    EXPECT_TRUE(eval_op(*choice, std::vector<Value>{yes, indet, one}).value.is_indet());
    EXPECT_TRUE(eval_op(*choice, std::vector<Value>{indet, one, one}).value.is_indet());
    const Expr lazy = ctx.if_then_else(c, x, x);
    EXPECT_EQ(eval_op(*lazy, std::vector<Value>{indet, one, one}).fault, FaultKind::IndetUse);
}

TEST_F(Values, MinAndMaxAreCompareAndSelect) {
    const auto min = [&](double x, double y) {
        return apply(Op::Min, kFloat32, {Value::of_float(x), Value::of_float(y)}).value;
    };
    const auto max = [&](double x, double y) {
        return apply(Op::Max, kFloat32, {Value::of_float(x), Value::of_float(y)}).value;
    };
    EXPECT_EQ(min(kNan, 1), Value::of_float(kNan));
    EXPECT_EQ(min(1, kNan), Value::of_float(1));
    EXPECT_EQ(max(kNan, 1), Value::of_float(kNan));
    EXPECT_EQ(max(1, kNan), Value::of_float(1));
    EXPECT_EQ(min(0.0, -0.0), Value::of_float(0.0));
    EXPECT_EQ(min(-0.0, 0.0), Value::of_float(-0.0));
    EXPECT_EQ(max(-0.0, 0.0), Value::of_float(-0.0));
    EXPECT_EQ(max(2, 3), Value::of_float(3));
}

TEST_F(Values, ZerosDifferNanIsOneAndComparesToNothing) {
    EXPECT_FALSE(Value::of_float(0.0) == Value::of_float(-0.0));
    EXPECT_TRUE(Value::of_float(kNan) == Value::of_float(-kNan));
    const auto compare = [&](Op op, double x, double y) {
        return apply(op, kFloat64, {Value::of_float(x), Value::of_float(y)}).value.truth();
    };
    EXPECT_TRUE(compare(Op::Eq, 0.0, -0.0));
    EXPECT_FALSE(compare(Op::Same, 0.0, -0.0));
    EXPECT_TRUE(compare(Op::Same, kNan, kNan));
    EXPECT_FALSE(compare(Op::Eq, kNan, kNan));
    EXPECT_TRUE(compare(Op::Ne, kNan, kNan));
    EXPECT_FALSE(compare(Op::Le, kNan, 0));
    EXPECT_FALSE(compare(Op::Lt, 0, kNan));
    EXPECT_EQ(apply(Op::Neg, kFloat32, {Value::of_float(0.0)}).value, Value::of_float(-0.0));
    // x + 0.0 is not x for -0.0; x + (-0.0) is.
    EXPECT_EQ(apply(Op::Add, kFloat32, {Value::of_float(-0.0), Value::of_float(0.0)}).value,
              Value::of_float(0.0));
}

TEST_F(Values, NarrowFloatsRoundOnce) {
    const auto add = [&](ScalarType t, double x, double y) {
        return apply(Op::Add, t, {Value::of_float(x), Value::of_float(y)}).value.real();
    };
    EXPECT_EQ(add(kFloat16, 2048, 1), 2048);  // tie to even
    EXPECT_EQ(add(kFloat16, 2050, 1), 2052);  // 2051 is a tie between 2050 and 2052
    EXPECT_EQ(add(kFloat16, 65504, 16), kInfinity);
    EXPECT_EQ(add(kFloat16, 65504, 15), 65504);
    EXPECT_EQ(add(kBFloat16, 256, 1), 256);
    EXPECT_EQ(add(kFloat32, 16777216, 1), 16777216);
    EXPECT_EQ(add(kFloat64, 16777216, 1), 16777217);
    const auto mul = apply(Op::Mul, kFloat16, {Value::of_float(0x1p-24), Value::of_float(0.5)});
    EXPECT_EQ(mul.value, Value::of_float(0.0));  // underflow: a tie with zero
    EXPECT_EQ(math(MathFn::Sqrt, kFloat32, 2).value.real(), static_cast<double>(std::sqrt(2.0F)));
    EXPECT_EQ(math(MathFn::Round, kFloat32, 2.5).value.real(), 2);
    EXPECT_EQ(math(MathFn::Round, kFloat32, -0.5).value, Value::of_float(-0.0));
    EXPECT_EQ(math(MathFn::Sqrt, kFloat32, -0.0).value, Value::of_float(-0.0));
    EXPECT_EQ(math(MathFn::Exp, kFloat32, 1).value.real(),
              static_cast<double>(static_cast<float>(std::exp(1.0))));
}

TEST_F(Values, IntegersRoundOnceToFloats) {
    const auto to_float = [&](ScalarType from, ScalarType to, Int128 v) {
        return cast(from, to, Value::of_int(v)).value.real();
    };
    // 2^53 + 2^29 + 1 lies just above a tie of float32 that a first rounding to double would land
    // on.
    const std::int64_t near_tie = (std::int64_t{1} << 53) + (std::int64_t{1} << 29) + 1;
    EXPECT_EQ(to_float(kInt64, kFloat32, near_tie),
              static_cast<double>(static_cast<float>(near_tie)));
    EXPECT_EQ(to_float(kInt64, kFloat32, near_tie), 0x1p53 + 0x1p30);
    EXPECT_EQ(to_float(kInt64, kFloat32, -near_tie), -(0x1p53 + 0x1p30));
    EXPECT_EQ(to_float(kUInt64, kFloat32, kUInt64.max_value()), 0x1p64);
    EXPECT_EQ(to_float(kUInt64, kFloat64, kUInt64.max_value()), 0x1p64);
    EXPECT_EQ(to_float(kInt64, kFloat64, (std::int64_t{1} << 53) + 1), 0x1p53);
    EXPECT_EQ(to_float(kInt64, kBFloat16, (Int128{1} << 60) + (Int128{1} << 52) + 1),
              0x1p60 + 0x1p53);
    EXPECT_EQ(to_float(kInt32, kFloat16, 65519), 65504);
    EXPECT_EQ(to_float(kInt32, kFloat16, 65520), kInfinity);
    EXPECT_EQ(to_float(kBool, kFloat32, 1), 1);
    Chooser noise(7);
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t v = noise.next() >> (noise.next() % 64);
        ASSERT_EQ(to_float(kUInt64, kFloat32, v), static_cast<double>(static_cast<float>(v))) << v;
        const auto s = static_cast<std::int64_t>(noise.next()) >> (noise.next() % 64);
        ASSERT_EQ(to_float(kInt64, kFloat32, s), static_cast<double>(static_cast<float>(s))) << s;
        ASSERT_EQ(to_float(kInt64, kFloat64, s), static_cast<double>(s)) << s;
    }
}

TEST_F(Values, CastsWrapTruncateAndFault) {
    EXPECT_EQ(cast(kInt32, kUInt8, Value::of_int(-1)).value.integer(), 255);
    EXPECT_EQ(cast(kUInt8, kInt8, Value::of_int(200)).value.integer(), -56);
    EXPECT_EQ(cast(kInt64, kInt32, Value::of_int((Int128{1} << 32) + 5)).value.integer(), 5);
    EXPECT_EQ(cast(kFloat32, kInt32, Value::of_float(-2.9)).value.integer(), -2);
    EXPECT_EQ(cast(kFloat32, kUInt8, Value::of_float(-0.9)).value.integer(), 0);
    EXPECT_EQ(cast(kFloat32, kUInt8, Value::of_float(255.9)).value.integer(), 255);
    EXPECT_EQ(cast(kFloat32, kUInt8, Value::of_float(256)).fault, FaultKind::Cast);
    EXPECT_EQ(cast(kFloat32, kInt32, Value::of_float(0x1p31)).fault, FaultKind::Cast);
    EXPECT_EQ(cast(kFloat32, kInt32, Value::of_float(-0x1p31)).value.integer(), kInt32.min_value());
    EXPECT_EQ(cast(kFloat64, kInt64, Value::of_float(0x1p63)).fault, FaultKind::Cast);
    EXPECT_EQ(cast(kFloat64, kUInt64, Value::of_float(0x1p63)).value.integer(), Int128{1} << 63);
    EXPECT_EQ(cast(kFloat64, kInt64, Value::of_float(kNan)).fault, FaultKind::Cast);
    EXPECT_EQ(cast(kFloat64, kInt64, Value::of_float(-kInfinity)).fault, FaultKind::Cast);
    EXPECT_EQ(cast(kFloat32, kBool, Value::of_float(kNan)).value, Value::of_bool(true));
    EXPECT_EQ(cast(kFloat32, kBool, Value::of_float(-0.0)).value, Value::of_bool(false));
    EXPECT_EQ(cast(kInt32, kBool, Value::of_int(-3)).value, Value::of_bool(true));
    EXPECT_EQ(cast(kFloat64, kFloat16, Value::of_float(0x1p-25)).value, Value::of_float(0.0));
    EXPECT_EQ(cast(kFloat64, kFloat16, Value::of_float(-0x1.0000001p-25)).value,
              Value::of_float(-0x1p-24));
    EXPECT_EQ(cast(kFloat64, kInt8, Value::indet()).fault, FaultKind::IndetUse);
    EXPECT_TRUE(cast(kInt32, kInt8, Value::indet()).ok());
}

TEST_F(Values, AbsWrapsOnlyWhereTheTypeDoes) {
    const auto abs = [&](ScalarType t, Int128 v) {
        return eval_op(*ctx.math(MathFn::Abs, {ctx.var("x", t)}),
                       std::vector<Value>{Value::of_int(v)});
    };
    EXPECT_EQ(abs(kInt8, -128).value.integer(), -128);
    EXPECT_EQ(abs(kInt32, kInt32.min_value()).value.integer(), Int128{1} << 31);
    EXPECT_EQ(abs(kInt32, kInt32.max_value() + 1).fault, FaultKind::OutOfRange);
    EXPECT_EQ(math(MathFn::Abs, kFloat32, -0.0).value, Value::of_float(0.0));
}

TEST_F(Values, TextOfFaultsAndValues) {
    Expr x = ctx.var("x", kInt32);
    const std::vector<Value> args = {Value::of_int(7), Value::of_int(0)};
    EXPECT_EQ(describe_fault(*ctx.floordiv(x, x), FaultKind::ZeroDivisor, args),
              "zero divisor: floordiv(7, 0) on int32");
    EXPECT_EQ(Value::of_float(-0.0).str(kFloat32), "-0.0");
    EXPECT_EQ(Value::of_float(kNan).str(kFloat32), "nan");
    EXPECT_EQ(Value::of_float(1e30).str(kFloat64), "1e+30");
    EXPECT_EQ(Value::of_bool(true).str(kBool), "True");
    EXPECT_EQ(constant_expr(ctx, kInt32, Value::of_int(kInt32.max_value() + 1)), nullptr);
    EXPECT_EQ(constant_expr(ctx, kFloat32, Value::of_float(0.5)), ctx.float_imm(kFloat32, 0.5));
    EXPECT_EQ(*constant_value(ctx.i32(-4)), Value::of_int(-4));
}

}  // namespace
}  // namespace proviso::ir
