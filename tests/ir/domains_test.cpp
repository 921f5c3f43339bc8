// What an abstract domain says of a value must be true of every concrete value: exhaustively on the
// 8-bit types for intervals and congruences, on all of float16 and the borders of every float class
// for float classes, and on random expressions for all three. Some tests hold the domains to their
// precision.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "ir/domains/congruence.h"
#include "ir/domains/evaluate.h"
#include "ir/domains/float_class.h"
#include "ir/domains/interval.h"
#include "ir/domains/number.h"
#include "tests/ir/eight_bits.h"

namespace proviso::ir {
namespace {

TEST(Interval, ContainsEveryResultOnEightBitTypes) {
    for (const ScalarType type : {kInt8, kUInt8}) {
        for (const Op op : kIntegerOps) {
            const Table table(op, type);
            for (const Reading reading : {Reading::Program, Reading::Formula}) {
                for (const Span& x : spans(type)) {
                    for (const Span& y : spans(type)) {
                        const std::vector<Interval> args = {Interval::between(x.lo, x.hi),
                                                            Interval::between(y.lo, y.hi)};
                        const Interval got = IntervalDomain::apply(table.node(), args, reading);
                        const auto lo = static_cast<int>(*got.lo->to_int128());
                        const auto hi = static_cast<int>(*got.hi->to_int128());
                        for (int a = x.lo; a <= x.hi; ++a) {
                            for (int b = y.lo; b <= y.hi; ++b) {
                                const int r = table.at(a, b);
                                if (r == kFault || (lo <= r && r <= hi)) continue;
                                FAIL() << op_info(op).name << " " << a << " " << b << " = " << r
                                       << " not in " << got.str();
                            }
                        }
                    }
                }
            }
        }
    }
}

TEST(Interval, UnaryOperatorsAndCastsOnEightBitTypes) {
    Context ctx;
    std::vector<Expr> nodes;
    for (const ScalarType type : {kInt8, kUInt8}) {
        Expr x = ctx.var("x", type);
        nodes.push_back(ctx.neg(x));
        nodes.push_back(ctx.math(MathFn::Abs, {x}));
        for (const ScalarType to : all_scalar_types()) nodes.push_back(ctx.cast(to, x));
    }
    for (Expr e : nodes) {
        for (const Span& s : spans(e->arg(0)->type)) {
            const std::vector<Interval> args = {Interval::between(s.lo, s.hi)};
            const Interval got = IntervalDomain::apply(*e, args, Reading::Program);
            for (int a = s.lo; a <= s.hi; ++a) {
                const Evaluated r = eval_op(*e, std::vector<Value>{Value::of_int(a)});
                if (e->type.is_float()) continue;
                ASSERT_TRUE(got.contains(r.value.integer()))
                    << op_info(e->op).name << " to " << e->type.str() << " of " << a;
            }
        }
    }
}

TEST(Congruence, ContainsEveryResultOnEightBitTypes) {
    std::vector<Congruence> samples = {Congruence::all()};
    for (const int m : {2, 3, 4, 6, 8, 12, 64, 128, 100}) {
        for (const int r : {0, 1, m / 2, m - 1}) samples.push_back(Congruence::of(m, r));
    }
    for (const int c : {0, 1, 2, 3, 4, 7, 8, 12, 64, 127, -1, -2, -4, -7, -128, 255}) {
        samples.push_back(Congruence::at(c));
    }
    for (const ScalarType type : {kInt8, kUInt8}) {
        std::vector<std::vector<int>> members;
        for (const Congruence& c : samples) {
            members.emplace_back();
            for (Int128 v = type.min_value(); v <= type.max_value(); ++v) {
                if (c.contains(v)) members.back().push_back(static_cast<int>(v));
            }
        }
        for (const Op op : kIntegerOps) {
            const Table table(op, type);
            for (std::size_t i = 0; i < samples.size(); ++i) {
                for (std::size_t j = 0; j < samples.size(); ++j) {
                    const std::vector<Congruence> args = {samples[i], samples[j]};
                    const Congruence got =
                        CongruenceDomain::apply(table.node(), args, Reading::Program);
                    const auto m = static_cast<int>(*got.modulus.to_int128());
                    const auto r = static_cast<int>(*got.remainder.to_int128());
                    if (m == 1) continue;
                    for (const int a : members[i]) {
                        for (const int b : members[j]) {
                            const int v = table.at(a, b);
                            if (v == kFault || (m == 0 ? v == r : (v - r) % m == 0)) continue;
                            FAIL() << op_info(op).name << " " << a << " " << b << " = " << v
                                   << " not in " << got.str();
                        }
                    }
                }
            }
        }
    }
}

// Float classes.

double from_half_bits(unsigned bits) {
    const int exponent = static_cast<int>((bits >> 10) & 31);
    const int fraction = static_cast<int>(bits & 1023);
    double m = std::ldexp(fraction, -24);
    if (exponent > 0) m = std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) m = fraction == 0 ? INFINITY : NAN;
    return (bits >> 15) != 0 ? -m : m;
}

const std::vector<ScalarType> kFloats = {kFloat16, kBFloat16, kFloat32, kFloat64};

std::string text(const FloatClass& c) {
    return c.str();
}

TEST(FloatClass, ContainsEveryResultOfUnaryOperatorsOnFloat16) {
    Context ctx;
    Expr x = ctx.var("x", kFloat16);
    std::vector<Expr> nodes = {ctx.neg(x)};
    for (int f = 0; f < kMathFnCount; ++f) {
        const auto fn = static_cast<MathFn>(f);
        if (math_fn_info(fn).arity == 1) nodes.push_back(ctx.math(fn, {x}));
    }
    for (const ScalarType to : all_scalar_types()) nodes.push_back(ctx.cast(to, x));
    for (Expr e : nodes) {
        for (unsigned bits = 0; bits < 65536; ++bits) {
            const Value v = Value::of_float(from_half_bits(bits));
            const std::vector<FloatClass> args = {FloatClass::of(kFloat16, v)};
            const Evaluated r = eval_op(*e, std::vector<Value>{v});
            if (!r.ok()) continue;
            const FloatClass got = FloatClassDomain::apply(*e, args, Reading::Program);
            const FloatClass real = FloatClass::of(e->type, r.value);
            ASSERT_TRUE(real.within(got.mask)) << op_info(e->op).name << " of " << v.str(kFloat16)
                                               << " is " << text(real) << " not in " << text(got);
        }
    }
}

// Borders of every class, some values within, and their negatives.
std::vector<Value> representatives(ScalarType type) {
    std::vector<double> magnitudes = {0.0, INFINITY, 1, 1.5, 2, 3, 0.1, 0.5, 1e3};
    const int digits = type == kFloat64 ? 53 : type == kFloat32 ? 24 : type == kFloat16 ? 11 : 8;
    const int min_exponent = type == kFloat64 ? -1022 : type == kFloat16 ? -14 : -126;
    const int max_exponent = 1 - min_exponent;
    const double quantum = std::ldexp(1.0, min_exponent - digits + 1);
    const double min_normal = std::ldexp(1.0, min_exponent);
    for (const double d : {1.0, 2.0, 3.0, 5.0}) {
        magnitudes.push_back(d * quantum);
        magnitudes.push_back(min_normal - d * quantum);
        magnitudes.push_back(min_normal + (d - 1) * quantum);
    }
    for (const double m : {1.0, 1.25, 1.5}) {
        magnitudes.push_back(std::ldexp(m, max_exponent));
        magnitudes.push_back(std::ldexp(m, min_exponent + 3));
        magnitudes.push_back(std::ldexp(m, min_exponent / 2));
        magnitudes.push_back(std::ldexp(m, max_exponent / 2));
    }
    magnitudes.push_back(std::ldexp(2.0 - std::ldexp(1.0, 1 - digits), max_exponent));  // largest
    std::vector<Value> out = {Value::of_float(NAN)};
    for (const double m : magnitudes) {
        out.push_back(Value::of_float(type, m));
        out.push_back(Value::of_float(type, -m));
    }
    return out;
}

TEST(FloatClass, BinaryOperatorsAreRightAndAsPreciseAsTheirClasses) {
    Context ctx;
    for (const ScalarType type : kFloats) {
        const std::vector<Value> values = representatives(type);
        for (const Op op : {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Min, Op::Max, Op::Eq, Op::Ne,
                            Op::Lt, Op::Le, Op::Same}) {
            Expr e = ctx.make(op, {ctx.var("x", type), ctx.var("y", type)});
            std::map<std::pair<int, int>, int> seen;  // classes of the operands -> of the results
            for (const Value& x : values) {
                for (const Value& y : values) {
                    const FloatClass a = FloatClass::of(type, x);
                    const FloatClass b = FloatClass::of(type, y);
                    const Value r = eval_op(*e, std::vector<Value>{x, y}).value;
                    seen[{a.mask, b.mask}] |= FloatClass::of(e->type, r).mask;
                }
            }
            EXPECT_EQ(seen.size(), 81U) << "every pair of classes has a representative";
            for (const auto& [classes, results] : seen) {
                const std::vector<FloatClass> args = {
                    FloatClass{static_cast<std::uint16_t>(classes.first)},
                    FloatClass{static_cast<std::uint16_t>(classes.second)}};
                const FloatClass got = FloatClassDomain::apply(*e, args, Reading::Program);
                EXPECT_EQ(text(got), text(FloatClass{static_cast<std::uint16_t>(results)}))
                    << op_info(op).name << " " << type.str() << " on " << text(args[0]) << " and "
                    << text(args[1]);
            }
        }
    }
}

TEST(FloatClass, CastsContainWhatTheyGive) {
    Context ctx;
    for (const ScalarType from : all_scalar_types()) {
        std::vector<Value> values;
        if (from.is_float()) {
            values = representatives(from);
        } else {
            for (const Int128 v : {from.min_value(), from.max_value(), Int128{0}, Int128{1}}) {
                values.push_back(Value::of_int(v));
            }
        }
        for (const ScalarType to : all_scalar_types()) {
            Expr e = ctx.cast(to, ctx.var("x", from));
            for (const Value& v : values) {
                const Evaluated r = eval_op(*e, std::vector<Value>{v});
                if (!r.ok()) continue;
                const std::vector<FloatClass> args = {FloatClass::of(from, v)};
                const FloatClass got = FloatClassDomain::apply(*e, args, Reading::Program);
                EXPECT_TRUE(FloatClass::of(to, r.value).within(got.mask))
                    << from.str() << " to " << to.str() << " of " << v.str(from) << ": "
                    << text(got);
            }
        }
    }
}

class Domains : public testing::Test {
  protected:
    Context ctx;
    Expr x = ctx.var("x", kInt32);
    Expr y = ctx.var("y", kInt32);
    Expr f = ctx.var("f", kFloat32);
    Expr c(std::int64_t v) { return ctx.i32(v); }
    Expr lit(double v) { return ctx.float_imm(kFloat32, v); }
};

TEST_F(Domains, AccumulatorFromPlusZeroIsNeverMinusZero) {
    // acc + f where acc is not -0.0 is not -0.0 again, whatever f is: trap 3's right half.
    FloatClassEval eval;
    Expr acc = ctx.var("acc", kFloat32);
    const auto not_negative_zero =
        static_cast<std::uint16_t>(FloatClass::kAnyFloat & ~FloatClass::kNegZero);
    eval.assign(acc, FloatClass{not_negative_zero});
    EXPECT_TRUE(eval(ctx.add(acc, f)).within(not_negative_zero));
    EXPECT_TRUE(eval(ctx.add(f, acc)).within(not_negative_zero));
    EXPECT_TRUE(eval(ctx.add(f, f)).may_be(FloatClass::kNegZero));
    EXPECT_TRUE(eval(ctx.mul(acc, f)).may_be(FloatClass::kNegZero));
    EXPECT_EQ(eval(ctx.sub(f, f)).str(), "{nan, +0}");
    EXPECT_EQ(eval(ctx.mul(f, f)).str(), "{nan, +0, +subnormal, +normal, +inf}");
    EXPECT_FALSE(eval(ctx.eq(f, f)).is_true()) << "NaN, trap 5";
    EXPECT_TRUE(eval(ctx.same(f, f)).is_true());
    EXPECT_EQ(eval(ctx.max(f, lit(0.0))).str(), "{nan, -0, +0, +subnormal, +normal, +inf}");
    EXPECT_EQ(eval(ctx.max(lit(0.0), f)).str(), "{+0, +subnormal, +normal, +inf}");
}

TEST_F(Domains, FloatFactsExcludeClasses) {
    FloatClassEval eval;
    learn(eval, ctx.and_(ctx.lt(f, lit(0.0)), ctx.true_()));
    EXPECT_EQ(eval(f).str(), "{-inf, -normal, -subnormal}");
    FloatClassEval not_nan;
    learn(not_nan, ctx.not_(ctx.math(MathFn::IsNan, {f})));
    EXPECT_FALSE(not_nan(f).may_be(FloatClass::kNan));
    EXPECT_TRUE(not_nan(ctx.eq(f, f)).is_true());
    FloatClassEval zero;
    learn(zero, ctx.eq(f, lit(0.0)));
    EXPECT_EQ(zero(f).str(), "{-0, +0}") << "numerical equality leaves the sign open";
    FloatClassEval bits;
    learn(bits, ctx.same(f, lit(0.0)));
    EXPECT_EQ(bits(f).str(), "{+0}");
}

TEST_F(Domains, IntervalsOfExactIntegersAreUnboundedUntilObserved) {
    IntervalEval program(Reading::Program);
    IntervalEval formula(Reading::Formula);
    Expr sum = ctx.add(x, x);
    EXPECT_EQ(program(sum).str(), "[-4294967296, 4294967294]");
    EXPECT_EQ(program(ctx.min(sum, y)).str(), "[-2147483648, 2147483647]");
    EXPECT_EQ(formula(ctx.min(sum, y)).str(), "[-4294967296, 2147483647]");
    EXPECT_EQ(program(ctx.floordiv(x, c(4))).str(), "[-536870912, 536870911]");
    EXPECT_EQ(formula(ctx.floordiv(x, y)).str(), "[-inf, inf]") << "zero divisor: unspecified";
    formula.assign(x, Interval::all());
    EXPECT_EQ(formula(x).str(), "[-inf, inf]");
    EXPECT_EQ(formula(ctx.floormod(x, c(4))).str(), "[0, 3]");
    EXPECT_EQ(formula(ctx.mul(x, c(0))).str(), "[0, 0]");
    EXPECT_EQ(formula(ctx.cast(kInt64, x)).str(), "[-inf, inf]");
    EXPECT_EQ(program(ctx.cast(kUInt8, ctx.min(ctx.max(x, c(256)), c(260)))).str(), "[0, 4]");
}

TEST_F(Domains, IntervalFactsBoundTermsAndWhatTheyAreMadeOf) {
    IntervalEval eval;
    learn(eval, ctx.and_(ctx.le(c(0), x), ctx.lt(ctx.add(ctx.mul(x, c(3)), c(1)), c(10))));
    EXPECT_EQ(eval(x).str(), "[0, 2]");
    EXPECT_TRUE(eval(ctx.lt(x, c(3))).is_true());
    EXPECT_TRUE(eval(ctx.lt(x, c(0))).is_false());
    learn(eval, ctx.lt(ctx.floordiv(y, c(8)), x));
    EXPECT_EQ(eval(ctx.floordiv(y, c(8))).hi, Integer(1));
    learn(eval, ctx.le(ctx.sub(c(5), y), c(-3)));
    EXPECT_EQ(eval(y).lo, Integer(8));
    EXPECT_FALSE(eval.contradiction());
    learn(eval, ctx.lt(x, c(0)));
    (void)eval(x);
    EXPECT_TRUE(eval.contradiction());
}

TEST_F(Domains, CongruencesOfTiledIndices) {
    CongruenceEval eval;
    Expr tile = ctx.add(ctx.mul(x, c(8)), c(3));
    EXPECT_EQ(eval(tile).str(), "8k + 3");
    EXPECT_EQ(eval(ctx.floormod(tile, c(4))).str(), "3");
    EXPECT_EQ(eval(ctx.floordiv(ctx.mul(x, c(8)), c(-4))).str(), "2k");
    EXPECT_EQ(eval(ctx.floormod(tile, c(-4))).str(), "-1");
    EXPECT_EQ(eval(ctx.make(Op::TruncMod, {tile, c(4)})).str(), "4k + 3")
        << "negative where tile is";
    EXPECT_TRUE(eval(ctx.eq(tile, ctx.mul(y, c(4)))).is_constant());
    learn(eval, ctx.eq(ctx.floormod(y, c(6)), c(2)));
    EXPECT_EQ(eval(y).str(), "6k + 2");
    EXPECT_EQ(eval(ctx.mul(y, c(2))).str(), "12k + 4");
}

// A let freezes: nothing may be concluded from the arithmetic of an indet.
TEST_F(Domains, LetsOfWhatMayBeIndetAreUnknown) {
    Expr u = ctx.var("u", kInt32);
    IntervalEval eval;
    EXPECT_EQ(eval(ctx.let(u, ctx.floormod(x, c(4)), ctx.add(u, c(1)))).str(), "[1, 4]");
    Expr frozen = ctx.let(u, ctx.mul(ctx.undef(kInt32), c(0)), u);
    EXPECT_EQ(eval(frozen), Interval::of(kInt32));
    Expr cell = ctx.load(ctx.buffer("A", kInt32, {c(4)}), {c(0)});
    Expr of_cell = ctx.let(u, ctx.floormod(cell, c(4)), u);
    EXPECT_EQ(eval(of_cell), Interval::of(kInt32));
    IntervalEval definite;
    definite.loads_are_definite();
    EXPECT_EQ(definite(of_cell).str(), "[0, 3]");
    // The inner variable hides the outer one of its name.
    definite.assign(u, Interval::at(7));
    EXPECT_EQ(definite(ctx.add(u, ctx.let(u, c(1), u))).str(), "[8, 8]");
}

// Random expressions: the three domains contain the value whenever there is one.
class RandomExpressions : public testing::Test {
  protected:
    Context ctx;
    Chooser noise{2026};
    std::vector<ScalarType> types = {kInt8,   kUInt8, kInt32,   kInt64,
                                     kUInt64, kBool,  kFloat16, kFloat32};

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(noise.next() % n); }

    Expr leaf(ScalarType type) {
        if (below(3) == 0) return constant_expr(ctx, type, small(type));
        return ctx.var(type.str() + (below(2) == 0 ? "_a" : "_b"), type);
    }
    Value small(ScalarType type) {
        if (below(3) == 0 || !type.is_int()) return noise.choose(type);
        return Value::of_int(Integer(static_cast<Int128>(below(19)) - 9).wrap(type));
    }
    Expr expression(ScalarType type, int depth) {
        if (depth == 0) return leaf(type);
        const auto sub = [&](ScalarType t) { return expression(t, depth - 1); };
        switch (below(type.is_bool() ? 3 : 6)) {
            case 0: return ctx.select(sub(kBool), sub(type), sub(type));
            case 1: return ctx.cast(type, sub(types[below(types.size())]));
            case 2: break;
            case 3: return ctx.neg(sub(type));
            case 4: return ctx.math(MathFn::Abs, {sub(type)});
            default: break;
        }
        static const std::vector<Op> floats = {Op::Add, Op::Sub, Op::Mul,
                                               Op::Div, Op::Min, Op::Max};
        static const std::vector<Op> ints = {
            Op::Add, Op::Sub,    Op::Mul,   Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod,
            Op::Min, Op::BitAnd, Op::BitOr, Op::BitXor,   Op::Shl,      Op::Shr};
        static const std::vector<Op> bools = {Op::And, Op::Or};
        static const std::vector<Op> comparisons = {Op::Eq, Op::Ne, Op::Lt, Op::Le};
        if (type.is_bool()) {
            if (below(3) == 0) return ctx.make(bools[below(2)], {sub(kBool), sub(kBool)});
            ScalarType t = types[below(types.size())];
            if (t.is_bool()) t = kInt32;
            return ctx.make(comparisons[below(4)], {sub(t), sub(t)});
        }
        const auto& ops = type.is_float() ? floats : ints;
        return ctx.make(ops[below(ops.size())], {sub(type), sub(type)});
    }
};

TEST_F(RandomExpressions, EveryDomainContainsTheValue) {
    int values = 0;
    for (int round = 0; round < 20000; ++round) {
        const ScalarType type = types[below(types.size())];
        Expr e = expression(type, 1 + static_cast<int>(below(4)));
        Environment env;
        IntervalEval interval(below(2) == 0 ? Reading::Program : Reading::Formula);
        CongruenceEval congruence;
        FloatClassEval float_class;
        NumberEval number(below(2) == 0 ? Reading::Program : Reading::Formula);
        KnownBitsEval known_bits(below(2) == 0 ? Reading::Program : Reading::Formula);
        for (Expr v : free_vars(e)) {
            const Value value = small(v->type);
            env.vars.emplace(v, value);
            if (v->type.is_float()) {
                const int extra = 1 << below(9);
                float_class.assign(v, FloatClass{static_cast<std::uint16_t>(
                                          FloatClass::of(v->type, value).mask | extra)});
            } else if (v->type.is_int()) {
                const Integer spread = below(2) == 0 ? 0 : static_cast<int>(below(20));
                interval.assign(
                    v, *meet(Interval::of(v->type), Interval::between(value.integer() - spread,
                                                                      value.integer() + spread)));
                congruence.assign(v, Congruence::of(static_cast<int>(below(9)), value.integer()));
                const Int128 some = static_cast<Int128>(noise.next()) << below(128);
                const KnownBits at = KnownBits::at(value.integer());
                const KnownBits bits{at.zeros & some, at.ones & some};
                known_bits.assign(v, bits);
                number.assign(v, *reduced({interval(v), congruence(v), bits}));
            }
        }
        const Evaluation out = evaluate(e, env);
        if (!out.ok() || out.value.is_indet()) continue;
        ++values;
        if (!type.is_float()) {
            const Integer& v = out.value.integer();
            ASSERT_TRUE(interval(e).contains(v)) << v.str() << " not in " << interval(e).str();
            ASSERT_TRUE(congruence(e).contains(v)) << v.str() << " not in " << congruence(e).str();
            ASSERT_TRUE(known_bits(e).contains(v)) << v.str() << " not in " << known_bits(e).str();
            ASSERT_TRUE(number(e).contains(v)) << v.str() << " not in " << number(e).str();
        }
        ASSERT_TRUE(FloatClass::of(type, out.value).within(float_class(e).mask))
            << out.value.str(type) << " not in " << float_class(e).str();
    }
    EXPECT_GT(values, 8000);
}

}  // namespace
}  // namespace proviso::ir
