// Products of unknown floats in the linearised form, and sums as well where floats are coded by
// integers: opaque, with some laws. The laws must hold of every product and sum, and suffice for
// what is asked of padded sums.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "analysis/prover/prover.h"
#include "analysis/smt/encoder.h"
#include "ir/children.h"
#include "ir/domains/evaluate.h"

namespace proviso::analysis {
namespace {

using ir::Expr;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<double, 12> kValues = {0.0,  -0.0,  1.0,     -1.5,     0.5,     kNan,
                                            kInf, -kInf, 65504.0, -65504.0, 0x1p-24, -0x1p-24};

class FloatProducts : public testing::Test {
  protected:
    Verdict linearised(const std::vector<Expr>& facts, Expr goal) {
        const smt::EncodedObligation encoded =
            smt::encode(ctx, Obligation{{}, facts, goal, {}}, smt::Form::Linearised);
        EXPECT_TRUE(encoded.weaker);
        EXPECT_FALSE(encoded.nonlinear);
        EXPECT_EQ(encoded.smt.text.find("fp.mul"), std::string::npos);
        return ask_z3(encoded.smt, 2'000'000).verdict;
    }
    Verdict by_codes(const std::vector<Expr>& facts, Expr goal) {
        const smt::EncodedObligation encoded =
            smt::encode(ctx, Obligation{{}, facts, goal, {}}, smt::Form::FloatCodes);
        EXPECT_TRUE(encoded.weaker);
        EXPECT_TRUE(encoded.smt.supported);
        EXPECT_EQ(encoded.smt.text.find("fp"), std::string::npos);
        EXPECT_EQ(encoded.smt.text.find("FloatingPoint"), std::string::npos);
        return ask_z3(encoded.smt, 2'000'000).verdict;
    }
    ir::Context ctx;
    const ir::ScalarType half = ir::kFloat16;
    Expr a = ctx.var("a", half);
    Expr b = ctx.var("b", half);
    Expr acc = ctx.var("acc", half);
};

// With a and b known, no law may contradict the value that the product has.
TEST_F(FloatProducts, laws_hold_of_every_product) {
    for (const double x : kValues) {
        for (const double y : kValues) {
            Expr vx = ctx.float_imm(half, x);
            Expr vy = ctx.float_imm(half, y);
            const ir::Evaluation product = ir::evaluate(ctx.mul(vx, vy), {});
            ASSERT_TRUE(product.ok());
            Expr value = ir::constant_expr(ctx, half, product.value);
            EXPECT_NE(linearised({ctx.same(a, vx), ctx.same(b, vy)},
                                 ctx.not_(ctx.same(ctx.mul(a, b), value))),
                      Verdict::Proved)
                << x << " * " << y;
        }
    }
}

// The same of sums and differences, of the form in which they are opaque. Were a law wrong of some
// operands, it would contradict the value there, and prove anything.
TEST_F(FloatProducts, laws_hold_of_every_sum) {
    for (const double x : kValues) {
        for (const double y : kValues) {
            Expr vx = ctx.float_imm(half, x);
            Expr vy = ctx.float_imm(half, y);
            for (const ir::Op op : {ir::Op::Add, ir::Op::Sub, ir::Op::Mul, ir::Op::Div}) {
                const ir::Evaluation result = ir::evaluate(ctx.make(op, {vx, vy}), {});
                ASSERT_TRUE(result.ok());
                Expr value = ir::constant_expr(ctx, half, result.value);
                EXPECT_NE(by_codes({ctx.same(a, vx), ctx.same(b, vy)},
                                   ctx.not_(ctx.same(ctx.make(op, {a, b}), value))),
                          Verdict::Proved)
                    << x << " " << ir::op_info(op).name << " " << y;
            }
        }
    }
}

// What needs no law is exact: order, equality, signs, on every type.
TEST_F(FloatProducts, codes_are_in_the_order_of_floats) {
    for (const ir::ScalarType type : {ir::kFloat16, ir::kBFloat16, ir::kFloat32, ir::kFloat64}) {
        Expr u = ctx.var("u_" + type.str(), type);
        Expr v = ctx.var("v_" + type.str(), type);
        const auto exists = [&](double x) {
            return type != ir::kBFloat16 || std::abs(x) != 65504.0;
        };
        std::vector<Expr> claims;
        for (const double x : kValues) {
            if (!exists(x)) continue;
            Expr vx = ctx.float_imm(type, x);
            for (const double y : kValues) {
                if (!exists(y)) continue;
                Expr vy = ctx.float_imm(type, y);
                for (const ir::Op op :
                     {ir::Op::Lt, ir::Op::Le, ir::Op::Eq, ir::Op::Ne, ir::Op::Same}) {
                    const ir::Evaluation result = ir::evaluate(ctx.make(op, {vx, vy}), {});
                    Expr claim = ctx.make(op, {u, v});
                    Expr here = ctx.and_(ctx.same(u, vx), ctx.same(v, vy));
                    claims.push_back(
                        ctx.implies(here, result.value.truth() ? claim : ctx.not_(claim)));
                }
            }
            for (Expr e : {ctx.neg(u), ctx.math(ir::MathFn::Abs, {u})}) {
                const ir::Evaluation result = ir::evaluate(ir::substitute(ctx, e, {{u, vx}}), {});
                Expr value = ir::constant_expr(ctx, type, result.value);
                claims.push_back(ctx.implies(ctx.same(u, vx), ctx.same(e, value)));
            }
            Expr nan = ctx.math(ir::MathFn::IsNan, {u});
            claims.push_back(ctx.implies(ctx.same(u, vx), x != x ? nan : ctx.not_(nan)));
        }
        EXPECT_EQ(by_codes({}, ctx.all_of(claims)), Verdict::Proved) << type.str();
        EXPECT_NE(by_codes({}, ctx.le(u, u)), Verdict::Proved) << "NaN";
        EXPECT_NE(by_codes({}, ctx.implies(ctx.eq(u, v), ctx.same(u, v))), Verdict::Proved);
    }
}

TEST_F(FloatProducts, what_codes_say_of_sums) {
    Expr zero = ctx.float_imm(half, 0.0);
    Expr minus_zero = ctx.float_imm(half, -0.0);
    Expr infinity = ctx.float_imm(half, kInf);
    Expr finite = ctx.lt(ctx.math(ir::MathFn::Abs, {b}), infinity);
    Expr not_minus_zero = ctx.not_(ctx.same(acc, minus_zero));
    Expr sum = ctx.add(acc, ctx.mul(a, b));
    EXPECT_EQ(by_codes({not_minus_zero}, ctx.not_(ctx.same(sum, minus_zero))), Verdict::Proved);
    EXPECT_NE(by_codes({}, ctx.not_(ctx.same(sum, minus_zero))), Verdict::Proved);
    // A padded sum: each of the three facts is needed (traps 3 and 4).
    const std::vector<Expr> needed = {not_minus_zero, ctx.eq(a, zero), finite};
    EXPECT_EQ(by_codes(needed, ctx.same(sum, acc)), Verdict::Proved);
    for (std::size_t left_out = 0; left_out < needed.size(); ++left_out) {
        std::vector<Expr> facts = needed;
        facts.erase(facts.begin() + static_cast<std::ptrdiff_t>(left_out));
        EXPECT_NE(by_codes(facts, ctx.same(sum, acc)), Verdict::Proved) << left_out;
    }
    EXPECT_EQ(by_codes({}, ctx.same(ctx.add(a, b), ctx.add(b, a))), Verdict::Proved);
    EXPECT_NE(by_codes({}, ctx.same(ctx.sub(a, b), ctx.sub(b, a))), Verdict::Proved);
    EXPECT_NE(by_codes({ctx.lt(zero, a)}, ctx.lt(b, ctx.add(a, b))), Verdict::Proved);
}

// Rounding to nearest is odd; a number divided by itself is 1.
TEST_F(FloatProducts, what_codes_say_of_opposites_and_quotients) {
    Expr zero = ctx.float_imm(half, 0.0);
    Expr one = ctx.float_imm(half, 1.0);
    Expr left = ctx.neg(ctx.sub(a, b));
    Expr right = ctx.sub(b, a);
    EXPECT_EQ(by_codes({}, ctx.or_(ctx.same(left, right), ctx.eq(left, right))), Verdict::Proved);
    EXPECT_NE(by_codes({}, ctx.same(left, right)), Verdict::Proved) << "-(x - x) is -0.0";
    EXPECT_NE(by_codes({}, ctx.eq(left, ctx.sub(a, b))), Verdict::Proved);
    Expr quotient = ctx.make(ir::Op::Div, {a, a});
    Expr finite = ctx.lt(ctx.math(ir::MathFn::Abs, {a}), ctx.float_imm(half, kInf));
    EXPECT_EQ(by_codes({finite, ctx.ne(a, zero)}, ctx.same(quotient, one)), Verdict::Proved);
    EXPECT_NE(by_codes({finite}, ctx.same(quotient, one)), Verdict::Proved) << "0 / 0";
    EXPECT_NE(by_codes({ctx.ne(a, zero)}, ctx.same(quotient, one)), Verdict::Proved) << "inf / inf";
    EXPECT_NE(by_codes({}, ctx.same(ctx.make(ir::Op::Div, {a, b}), ctx.make(ir::Op::Div, {b, a}))),
              Verdict::Proved)
        << "quotients do not commute";
    // The sum of the opposites, of values that are known.
    for (const double x : kValues) {
        for (const double y : kValues) {
            Expr vx = ctx.float_imm(half, x);
            Expr vy = ctx.float_imm(half, y);
            const ir::Evaluation sum = ir::evaluate(ctx.add(ctx.neg(vx), ctx.neg(vy)), {});
            Expr value = ir::constant_expr(ctx, half, sum.value);
            const ir::Evaluation plain = ir::evaluate(ctx.add(vx, vy), {});
            Expr other = ir::constant_expr(ctx, half, plain.value);
            EXPECT_NE(by_codes({ctx.same(a, vx), ctx.same(b, vy), ctx.same(ctx.add(a, b), other)},
                               ctx.not_(ctx.same(ctx.add(ctx.neg(a), ctx.neg(b)), value))),
                      Verdict::Proved)
                << x << " + " << y;
        }
    }
}

// The size of a product or quotient does not depend on signs.
TEST_F(FloatProducts, what_codes_say_of_signs_of_products_and_quotients) {
    for (const ir::Op op : {ir::Op::Mul, ir::Op::Div}) {
        Expr plain = ctx.make(op, {a, b});
        Expr one_sign = ctx.make(op, {ctx.neg(a), b});
        Expr two_signs = ctx.make(op, {ctx.neg(a), ctx.neg(b)});
        EXPECT_EQ(by_codes({}, ctx.same(one_sign, ctx.neg(plain))), Verdict::Proved);
        EXPECT_EQ(by_codes({}, ctx.same(two_signs, plain)), Verdict::Proved);
        EXPECT_NE(by_codes({}, ctx.same(one_sign, plain)), Verdict::Proved);
        EXPECT_NE(by_codes({}, ctx.eq(plain, ctx.make(op, {acc, b}))), Verdict::Proved);
        EXPECT_EQ(
            by_codes({}, ctx.same(ctx.make(op, {b, ctx.neg(a)}), ctx.neg(ctx.make(op, {b, a})))),
            Verdict::Proved);
        for (const double x : kValues) {
            for (const double y : kValues) {
                Expr vx = ctx.float_imm(half, x);
                Expr vy = ctx.float_imm(half, y);
                const auto value = [&](Expr e) {
                    return ir::constant_expr(ctx, half, ir::evaluate(e, {}).value);
                };
                Expr given = ctx.same(plain, value(ctx.make(op, {vx, vy})));
                Expr other = value(ctx.make(op, {ctx.neg(vx), vy}));
                EXPECT_NE(by_codes({ctx.same(a, vx), ctx.same(b, vy), given},
                                   ctx.not_(ctx.same(one_sign, other))),
                          Verdict::Proved)
                    << x << " " << ir::op_info(op).name << " " << y;
            }
        }
    }
}

// An accumulator that is not -0.0 stays so, whatever is added.
TEST_F(FloatProducts, accumulators_are_never_negative_zero) {
    Expr minus_zero = ctx.float_imm(half, -0.0);
    EXPECT_EQ(linearised({ctx.not_(ctx.same(acc, minus_zero))},
                         ctx.not_(ctx.same(ctx.add(acc, ctx.mul(a, b)), minus_zero))),
              Verdict::Proved);
    EXPECT_NE(linearised({}, ctx.not_(ctx.same(ctx.add(acc, ctx.mul(a, b)), minus_zero))),
              Verdict::Proved);
}

TEST_F(FloatProducts, what_the_laws_say) {
    Expr zero = ctx.float_imm(half, 0.0);
    Expr p = ctx.mul(a, b);
    EXPECT_EQ(linearised({}, ctx.same(p, ctx.mul(b, a))), Verdict::Proved);
    // Zero only where the product is not NaN: 0.0 * inf, a trap.
    EXPECT_NE(linearised({ctx.eq(a, zero)}, ctx.eq(p, zero)), Verdict::Proved);
    EXPECT_EQ(linearised({ctx.eq(a, zero), ctx.lt(b, ctx.float_imm(half, kInf)),
                          ctx.lt(ctx.float_imm(half, -kInf), b)},
                         ctx.eq(p, zero)),
              Verdict::Proved);
    EXPECT_EQ(linearised({ctx.le(zero, a), ctx.lt(b, zero), ctx.eq(p, p)}, ctx.le(p, zero)),
              Verdict::Proved);
}

}  // namespace
}  // namespace proviso::analysis
