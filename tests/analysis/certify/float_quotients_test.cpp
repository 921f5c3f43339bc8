// What a quotient tells of its operands: x == 0.0 and 0.0 < 1.0 / x say that x is +0.0, bit for
// bit. The cheap deciders, Z3 and certificates agree on it, in every format.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "analysis/certcheck/check.h"
#include "analysis/certify/certify.h"
#include "analysis/cheap/decide.h"
#include "analysis/prover/prover.h"
#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"

namespace proviso::analysis {
namespace {

using ir::Expr;
using ir::Op;

class FloatQuotients : public testing::TestWithParam<ir::ScalarType> {
  protected:
    ir::Context ctx;
    ir::ScalarType type = GetParam();
    Expr x = ctx.var("x", type);
    Expr y = ctx.var("y", type);

    Expr imm(double v) { return ctx.float_imm(type, v); }
    Expr over(double v, Expr e) { return ctx.make(Op::Div, {imm(v), e}); }

    // By the cheap deciders, or not; certificates and Z3 say the same.
    bool follows(const std::vector<Expr>& facts, Expr goal) {
        const Obligation o{{}, facts, goal, {}};
        const bool cheaply = cheap::decide(ctx, o).has_value();
        const SmtText text = to_smt(ctx, o);
        const Certified certified = certify(text.text);
        EXPECT_EQ(certified.certificate.has_value(), cheaply) << text.text;
        if (certified.certificate) {
            EXPECT_TRUE(certcheck::check_certificate(text.text, *certified.certificate).accepted);
        }
        // Division of wider formats takes Z3 too long to search models for.
        if (type == ir::kFloat16) {
            const Verdict z3 = ask_z3(text, 20'000'000).verdict;
            EXPECT_EQ(z3, cheaply ? Verdict::Proved : Verdict::Refuted) << text.text;
        }
        return cheaply;
    }

    // Both zeros, what lies around them, infinities and NaN.
    std::vector<double> values() const {
        const double inf = std::numeric_limits<double>::infinity();
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double least = type == ir::kFloat64   ? 0x1p-1074
                             : type == ir::kFloat32 ? 0x1p-149
                                                    : 0x1p-24;
        const double normal = type == ir::kFloat64   ? 0x1p-1022
                              : type == ir::kFloat32 ? 0x1p-126
                                                     : 0x1p-14;
        const double most = type == ir::kFloat64   ? std::numeric_limits<double>::max()
                            : type == ir::kFloat32 ? 0x1.fffffep127
                                                   : 65504.0;
        std::vector<double> out = {0.0, least, normal - least, normal, 1.0, 1.5, most, inf};
        const std::size_t half = out.size();
        for (std::size_t k = 0; k < half; ++k) out.push_back(-out[k]);
        out.push_back(nan);
        return out;
    }
};

TEST_P(FloatQuotients, TellTheSignOfAZero) {
    Expr zero = imm(0.0);
    Expr is_zero = ctx.eq(x, zero);
    Expr above = ctx.lt(zero, over(1.0, x));
    Expr below = ctx.lt(over(1.0, x), zero);
    EXPECT_TRUE(follows({is_zero, above}, ctx.same(x, zero)));
    EXPECT_TRUE(follows({above, is_zero}, ctx.same(x, zero)));
    EXPECT_TRUE(follows({is_zero, below}, ctx.same(x, imm(-0.0))));
    EXPECT_TRUE(follows({ctx.eq(x, imm(-0.0)), below}, ctx.same(x, imm(-0.0))));
    // Under a condition, as padding is.
    Expr p = ctx.var("p", ir::kBool);
    Expr padding = ctx.or_(p, ctx.and_(is_zero, above));
    EXPECT_TRUE(follows({padding, ctx.not_(p)}, ctx.same(x, zero)));
    // Traps: no sign, the other sign, a sign without the zero, another number, no condition.
    EXPECT_FALSE(follows({is_zero}, ctx.same(x, zero)));
    EXPECT_FALSE(follows({is_zero, below}, ctx.same(x, zero)));
    EXPECT_FALSE(follows({is_zero, above}, ctx.same(x, imm(-0.0))));
    EXPECT_FALSE(follows({above}, ctx.same(x, zero)));
    EXPECT_FALSE(follows({ctx.le(zero, x), above}, ctx.same(x, zero)));
    EXPECT_FALSE(follows({padding}, ctx.same(x, zero)));
    EXPECT_FALSE(follows({is_zero, ctx.lt(zero, over(1.0, y))}, ctx.same(x, zero)));
}

// What the deciders conclude of x from a claim on a quotient holds of every x that fits the claim.
TEST_P(FloatQuotients, NothingIsConcludedThatAValueContradicts) {
    const std::vector<double> all = values();
    std::size_t concluded = 0;
    for (const double c : {1.0, -1.0, 0.0, -0.0, all[1], all[6], all[7], all[16]}) {
        for (const double d : all) {
            for (const Op op : {Op::Eq, Op::Lt, Op::Le, Op::Same, Op::Ne}) {
                for (const bool turned : {false, true}) {
                    Expr quotient = turned ? ctx.make(Op::Div, {x, imm(c)}) : over(c, x);
                    Expr fact = ctx.make(op, {quotient, imm(d)});
                    for (const double v : all) {
                        Expr goal = ctx.not_(ctx.same(x, imm(v)));
                        if (!cheap::decide(ctx, Obligation{{}, {fact}, goal, {}})) continue;
                        ++concluded;
                        const ir::Evaluation holds =
                            ir::evaluate(ir::substitute(ctx, fact, {{x, imm(v)}}), {});
                        ASSERT_TRUE(holds.ok());
                        EXPECT_FALSE(holds.value.truth())
                            << ir::print(fact) << " holds of " << v << " (" << type.str() << ")";
                    }
                }
            }
        }
    }
    EXPECT_GT(concluded, 1000U);
}

INSTANTIATE_TEST_SUITE_P(All, FloatQuotients,
                         testing::Values(ir::kFloat16, ir::kFloat32, ir::kFloat64),
                         [](const auto& test) { return test.param.str(); });

}  // namespace
}  // namespace proviso::analysis
