// Products of unknown floats in the linearised form: opaque, with some laws. The laws must hold of
// every product, and suffice for what is asked of padded sums.
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "analysis/prover.h"
#include "analysis/smt/encoder.h"
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
            smt::encode(ctx, Obligation{"", facts, goal, {}}, smt::Form::Linearised);
        EXPECT_TRUE(encoded.weaker);
        EXPECT_FALSE(encoded.nonlinear);
        EXPECT_EQ(encoded.smt.text.find("fp.mul"), std::string::npos);
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
