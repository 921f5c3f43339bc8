// The cheap deciders: what they must close, and that what they close is true.
#include <gtest/gtest.h>

#include <limits>

#include "analysis/cheap/decide.h"
#include "analysis/prover/prover.h"
#include "analysis/smt/encoder.h"
#include "tests/analysis/cheap/cheap_fixture.h"
#include "tests/analysis/noise.h"

namespace proviso::analysis {
namespace {

TEST_F(Cheap, facts_themselves) {
    EXPECT_EQ(by({p}, p), "syntax");
    EXPECT_EQ(by({ctx.not_(p)}, ctx.not_(p)), "syntax");
    EXPECT_EQ(by({}, p), "");
    EXPECT_NE(by({ctx.or_(p, ctx.lt(i, c(0))), ctx.le(c(0), i)}, p), "");
}

TEST_F(Cheap, bounds_of_split_loops) {
    const std::vector<Expr> loops = {within(c(0), i, c(4)), within(c(0), j, c(8))};
    const Expr fused = ctx.add(times(i, 8), j);
    EXPECT_EQ(by(loops, within(c(0), fused, c(32))), "interval");
    EXPECT_EQ(by(loops, ctx.lt(fused, c(31))), "");
    EXPECT_NE(by(loops, ctx.eq(div(fused, 8), i)), "");
    EXPECT_NE(by(loops, ctx.eq(mod(fused, 8), j)), "");
    EXPECT_NE(by({within(c(0), k, c(32))}, ctx.eq(ctx.add(times(div(k, 8), 8), mod(k, 8)), k)), "");
}

TEST_F(Cheap, guards_through_linear_reasoning) {
    const std::vector<Expr> facts = {within(c(0), i, c(4)), within(c(0), j, c(4)),
                                     ctx.lt(ctx.add(times(i, 4), j), c(14))};
    EXPECT_NE(by(facts, ctx.lt(ctx.add(times(i, 4), j), c(14))), "");
    EXPECT_NE(by({ctx.lt(i, j), ctx.lt(j, k)}, ctx.lt(ctx.add(i, c(1)), k)), "");
    EXPECT_EQ(by({ctx.lt(i, j), ctx.lt(j, k)}, ctx.lt(ctx.add(i, c(2)), k)), "");
    EXPECT_NE(by({within(c(0), i, n), ctx.le(n, m)}, ctx.lt(i, m)), "");
}

TEST_F(Cheap, divisibility) {
    EXPECT_NE(by({}, ctx.eq(mod(ctx.add(times(i, 8), c(4)), 4), c(0))), "");
    EXPECT_NE(by({ctx.eq(mod(n, 4), c(0))}, ctx.eq(mod(times(n, 3), 4), c(0))), "");
    EXPECT_NE(
        by({ctx.eq(mod(n, 4), c(0)), ctx.lt(i, div(n, 4))}, ctx.le(ctx.add(times(i, 4), c(4)), n)),
        "");
    EXPECT_EQ(by({}, ctx.ne(times(i, 4), ctx.add(times(j, 6), c(3)))), "congruence");
    EXPECT_NE(
        by({}, ctx.eq(div(ctx.add(times(i, 6), c(3)), 4), div(ctx.add(times(i, 3), c(1)), 2))), "");
    EXPECT_NE(by({}, ctx.eq(div(div(i, 4), 8), div(i, 32))), "");
}

TEST_F(Cheap, symbolic_sizes) {
    const std::vector<Expr> loops = {within(c(0), i, n), within(c(0), j, m)};
    const Expr cell = ctx.add(ctx.mul(i, m), j);
    EXPECT_EQ(by(loops, ctx.le(c(0), cell)), "interval");
    EXPECT_EQ(by(loops, ctx.lt(cell, ctx.mul(n, m))), "linear");
    EXPECT_EQ(by(loops, ctx.lt(cell, ctx.mul(i, m))), "");
    EXPECT_NE(by({within(c(0), i, n), within(c(0), j, m), ctx.eq(k, cell)},
                 ctx.lt(ctx.floormod(k, m), m)),
              "");
}

TEST_F(Cheap, choices_and_extrema) {
    EXPECT_NE(by({}, ctx.le(ctx.min(i, j), i)), "");
    EXPECT_NE(by({ctx.lt(i, j)}, ctx.eq(ctx.min(i, j), i)), "");
    EXPECT_NE(by({ctx.le(i, k), ctx.le(j, k)}, ctx.le(ctx.max(i, j), k)), "");
    EXPECT_EQ(by({ctx.le(i, k)}, ctx.le(ctx.max(i, j), k)), "");
    EXPECT_NE(by({}, ctx.le(c(0), ctx.select(ctx.lt(i, c(0)), ctx.neg(i), i))), "");
}

TEST_F(Cheap, loads_at_equal_indices) {
    const Expr a = ctx.load(A, {ctx.add(i, c(1))});
    const Expr b = ctx.load(A, {ctx.add(c(1), i)});
    EXPECT_EQ(by({}, ctx.same(a, b)), "syntax");
    EXPECT_EQ(by({}, ctx.eq(a, b)), "");  // NaN
    EXPECT_NE(by({ctx.eq(i, j)}, ctx.same(ctx.load(A, {i}), ctx.load(A, {j}))), "");
    EXPECT_EQ(by({}, ctx.same(ctx.load(A, {i}), ctx.load(A, {j}))), "");
    EXPECT_NE(by({ctx.defined(a)}, ctx.defined(b)), "");
}

// Two cells with one value are still two cells.
TEST_F(Cheap, definiteness_is_of_the_cell_not_of_the_value) {
    const ir::Buffer I = ctx.buffer("I", ir::kInt32, {c(8)});
    const Expr a = ctx.load(I, {i});
    const Expr b = ctx.load(I, {j});
    EXPECT_EQ(by({ctx.eq(a, c(0)), ctx.eq(b, c(0)), ctx.defined(a)}, ctx.defined(b)), "");
    const Expr x = ctx.load(A, {i});
    const Expr y = ctx.load(A, {j});
    EXPECT_EQ(by({ctx.same(x, y), ctx.defined(x)}, ctx.defined(y)), "");
}

TEST_F(Cheap, float_classes) {
    const auto f32 = [&](double v) { return ctx.float_imm(ir::kFloat32, v); };
    const Expr x = ctx.load(A, {i});
    const Expr acc = ctx.var("acc", ir::kFloat32);
    const Expr minus_zero = f32(-0.0);
    const Expr no_minus_zero = ctx.not_(ctx.same(acc, minus_zero));
    // A sum that started from +0.0 is never -0.0.
    EXPECT_EQ(by({no_minus_zero}, ctx.not_(ctx.same(ctx.add(acc, x), minus_zero))), "float-class");
    EXPECT_EQ(by({}, ctx.not_(ctx.same(ctx.add(acc, x), minus_zero))), "");
    // Adding a zero to it changes nothing; to another it may.
    EXPECT_NE(by({no_minus_zero}, ctx.same(ctx.add(acc, f32(0.0)), acc)), "");
    EXPECT_NE(by({no_minus_zero, ctx.eq(x, f32(0.0))}, ctx.same(ctx.add(acc, x), acc)), "");
    EXPECT_EQ(by({}, ctx.same(ctx.add(acc, f32(0.0)), acc)), "");
    EXPECT_NE(by({}, ctx.same(ctx.add(acc, minus_zero), acc)), "");
    EXPECT_NE(by({}, ctx.same(ctx.mul(f32(1.0), acc), acc)), "");
    // NaN.
    EXPECT_EQ(by({}, ctx.eq(acc, acc)), "");
    EXPECT_EQ(by({ctx.lt(acc, f32(1.0))}, ctx.eq(acc, acc)), "float-class");
    EXPECT_EQ(by({ctx.not_(ctx.lt(acc, f32(1.0)))}, ctx.eq(acc, acc)), "");
    EXPECT_EQ(by({ctx.lt(acc, f32(0.0))}, ctx.not_(ctx.lt(f32(0.0), acc))), "float-class");
    EXPECT_EQ(by({}, ctx.not_(ctx.math(ir::MathFn::IsNan, {x}))), "");
}

// f * 0.0 is a zero only where f is finite.
TEST_F(Cheap, infinities_times_zero) {
    const auto f32 = [&](double v) { return ctx.float_imm(ir::kFloat32, v); };
    const Expr inf = f32(std::numeric_limits<double>::infinity());
    const Expr acc = ctx.var("acc", ir::kFloat32);
    const Expr f = ctx.var("f", ir::kFloat32);
    const Expr no_minus_zero = ctx.not_(ctx.same(acc, f32(-0.0)));
    const Expr goal = ctx.same(ctx.add(acc, ctx.mul(f, f32(0.0))), acc);
    EXPECT_EQ(by({no_minus_zero}, goal), "");
    EXPECT_NE(by({no_minus_zero, ctx.lt(f, inf), ctx.lt(ctx.neg(inf), f)}, goal), "");
}

TEST_F(Cheap, undef_and_let_are_left_alone) {
    const Expr u = ctx.undef(ir::kInt32);
    EXPECT_EQ(by({}, ctx.eq(u, u)), "");
    EXPECT_EQ(by({ctx.eq(u, c(0))}, ctx.eq(u, c(0))), "");
    EXPECT_EQ(by({}, ctx.eq(ctx.mul(u, c(0)), c(0))), "");
}

TEST_F(Cheap, variables_without_a_range) {
    const Expr goal = ctx.le(i, c(INT32_MAX));
    EXPECT_EQ(by({}, goal), "interval");
    EXPECT_FALSE(cheap::decide(ctx, Obligation{{}, {}, goal, {i}}).has_value());
}

// --- random claims: whatever is proved here, Z3 must not refute

class RandomClaims : public Cheap, public testing::WithParamInterface<int> {
  protected:
    Expr term(Noise& r, int depth) {
        const Expr vars[] = {i, j, k, n};
        if (depth == 0 || r.below(6) == 0) {
            return r.below(3) == 0 ? c(r.below(19) - 6) : vars[r.below(4)];
        }
        const auto sub = [&] { return term(r, depth - 1); };
        const std::int64_t divisor = r.below(5) == 0 ? -(1 + r.below(6)) : 1 + r.below(9);
        switch (r.below(14)) {
            case 0:
            case 1:
            case 2: return ctx.add(sub(), sub());
            case 3: return ctx.sub(sub(), sub());
            case 4:
            case 5: return times(sub(), r.below(13) - 4);
            case 6: return ctx.floordiv(sub(), c(divisor));
            case 7: return ctx.floormod(sub(), c(divisor));
            case 8:
                return ctx.make(r.below(2) == 0 ? Op::TruncDiv : Op::TruncMod, {sub(), c(divisor)});
            case 9: return ctx.min(sub(), sub());
            case 10: return ctx.max(sub(), sub());
            case 11: return ctx.select(claim(r, 0), sub(), sub());
            case 12:
                return r.below(2) == 0 ? ctx.mul(sub(), vars[r.below(4)])
                                       : ctx.floordiv(sub(), vars[r.below(4)]);
            default:
                return ctx.make(r.below(2) == 0 ? Op::Shr : Op::BitAnd,
                                {sub(), c((1 << r.below(4)) - 1)});
        }
    }
    // a * x + b * y + c <= 0, for elimination.
    Expr linear(Noise& r) {
        const Expr vars[] = {i, j, k, n};
        const Expr sum = ctx.add(times(vars[r.below(4)], r.below(7) - 3),
                                 times(vars[r.below(4)], r.below(7) - 3));
        return ctx.le(ctx.add(sum, c(r.below(13) - 6)), c(0));
    }
    // (d * x + s) // (d * e) = (x + t) // e, where s may or may not stay below d.
    Expr regrouped(Noise& r) {
        const std::int64_t d = 2 << r.below(3);
        const std::int64_t e = 1 + r.below(4);
        const Expr x = term(r, 1);
        const Expr left = ctx.add(times(x, d), term(r, r.below(2)));
        return ctx.eq(div(left, d * e), div(ctx.add(x, c(r.below(3) - 1)), e));
    }
    Expr claim(Noise& r, int depth) {
        if (depth == 2 && r.below(4) == 0) return linear(r);
        if (depth == 2 && r.below(4) == 0) return regrouped(r);
        if (depth > 0 && r.below(3) == 0) {
            const Expr a = claim(r, depth - 1);
            const Expr b = claim(r, depth - 1);
            switch (r.below(3)) {
                case 0: return ctx.and_(a, b);
                case 1: return ctx.or_(a, b);
                default: return ctx.not_(a);
            }
        }
        const Op ops[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Le, Op::Lt};
        const Op op = ops[r.below(6)];
        return ctx.make(op, {term(r, 2), term(r, depth == 0 ? 1 : 2)});
    }
};

TEST_P(RandomClaims, agree_with_the_solver) {
    Noise r(static_cast<std::uint64_t>(GetParam()));
    int proved = 0;
    for (int round = 0; round < 700; ++round) {
        std::vector<Expr> facts = {within(c(0), i, c(1 + r.below(12))),
                                   within(c(r.below(5) - 2), j, c(3 + r.below(9)))};
        if (r.below(2) == 0) facts.push_back(within(c(0), k, n));
        if (r.below(3) == 0) facts.push_back(ctx.eq(mod(n, 2 + r.below(7)), c(r.below(2))));
        if (r.below(2) == 0) facts.push_back(claim(r, 1));
        while (r.below(2) == 0) facts.push_back(linear(r));
        if (r.below(4) == 0) facts.push_back(ctx.eq(k, term(r, 1)));
        const Expr goal = claim(r, 2);
        const Obligation obligation{{}, facts, goal, {}};
        const auto method = cheap::decide(ctx, obligation);
        if (!method) continue;
        ++proved;
        const SmtText text = to_smt(ctx, obligation);
        const Answer z3 = ask_z3(text, 1'000'000);
        EXPECT_NE(z3.verdict, Verdict::Refuted) << *method << "\n" << text.text << z3.why;
    }
    EXPECT_GT(proved, 50);
}

// The linearised form leaves out laws of products and division, never adds any.
TEST_P(RandomClaims, linearised_text_proves_nothing_false) {
    Noise r(static_cast<std::uint64_t>(GetParam()) + 77);
    int proved = 0;
    for (int round = 0; round < 150; ++round) {
        const Obligation obligation{
            {}, {within(c(0), i, c(1 + r.below(12))), claim(r, 1)}, claim(r, 2), {}};
        SmtText text = smt::encode(ctx, obligation, smt::Form::Linearised).smt;
        if (ask_z3(text, 100'000).verdict != Verdict::Proved) continue;
        ++proved;
        text = to_smt(ctx, obligation);
        EXPECT_NE(ask_z3(text, 100'000).verdict, Verdict::Refuted) << text.text;
    }
    EXPECT_GT(proved, 5);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomClaims, testing::Range(1, 5));

// The same for floats, loads and small wrapping integers.
class RandomFloatClaims : public Cheap, public testing::WithParamInterface<int> {
  protected:
    const ir::ScalarType type = ir::kFloat16;
    Expr f = ctx.var("f", type);
    Expr g = ctx.var("g", type);
    Expr u = ctx.var("u", ir::kUInt8);
    ir::Buffer H = ctx.buffer("H", type, {ctx.i32(64)});

    Expr constant(Noise& r) {
        const double inf = std::numeric_limits<double>::infinity();
        const double values[] = {0.0, -0.0, 0.0,     -0.0,
                                 1.0, -1.0, 0.5,     0x1p-24,
                                 inf, -inf, 65504.0, std::numeric_limits<double>::quiet_NaN()};
        return ctx.float_imm(type, values[r.below(12)]);
    }
    Expr term(Noise& r, int depth) {
        if (depth == 0 || r.below(5) == 0) {
            switch (r.below(6)) {
                case 0: return f;
                case 1: return g;
                case 2: return ctx.load(H, {r.below(2) == 0 ? i : j});
                default: return constant(r);
            }
        }
        const auto sub = [&] { return term(r, depth - 1); };
        switch (r.below(14)) {
            case 0:
            case 1:
            case 2: return ctx.add(sub(), sub());
            case 3: return ctx.sub(sub(), sub());
            case 4:
            case 5: return ctx.mul(sub(), sub());
            case 6: return ctx.neg(sub());
            case 7: return ctx.min(sub(), sub());
            case 8: return ctx.max(sub(), sub());
            case 9: return ctx.select(claim(r, 0), sub(), sub());
            case 10: return ctx.math(ir::MathFn::Abs, {sub()});
            case 11:
                return ctx.math(r.below(2) == 0 ? ir::MathFn::Floor : ir::MathFn::Trunc, {sub()});
            case 12: return ctx.cast(type, ctx.cast(ir::kFloat32, sub()));
            default: return ctx.cast(type, r.below(2) == 0 ? u : ctx.cast(ir::kInt8, u));
        }
    }
    Expr claim(Noise& r, int depth) {
        if (depth > 0 && r.below(4) == 0) {
            const Expr a = claim(r, depth - 1);
            const Expr b = claim(r, depth - 1);
            return r.below(2) == 0 ? ctx.and_(a, b) : ctx.or_(a, b);
        }
        if (r.below(8) == 0) {
            const Expr bound = ctx.int_imm(ir::kUInt8, r.below(4));
            return r.below(2) == 0 ? ctx.eq(u, bound) : ctx.lt(u, bound);
        }
        if (r.below(12) == 0) return ctx.math(ir::MathFn::IsNan, {term(r, depth)});
        if (r.below(12) == 0) return ctx.eq(i, j);
        if (r.below(5) == 0) {  // the shape of the claims that rewriting asks for
            const Expr t = term(r, r.below(2));
            const Op op = r.below(3) == 0 ? Op::Mul : Op::Add;
            return ctx.same(ctx.make(op, {t, term(r, r.below(2))}), t);
        }
        const Op ops[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Same, Op::Same, Op::Same};
        const Expr out = ctx.make(ops[r.below(7)], {term(r, depth), term(r, r.below(2))});
        return r.below(2) == 0 ? ctx.not_(out) : out;
    }
};

TEST_P(RandomFloatClaims, agree_with_the_solver) {
    Noise r(static_cast<std::uint64_t>(GetParam()) + 1000);
    int proved = 0;
    for (int round = 0; round < 700; ++round) {
        std::vector<Expr> facts;
        for (int n_facts = r.below(4); n_facts > 0; --n_facts) facts.push_back(claim(r, 1));
        const Obligation obligation{{}, facts, claim(r, 2), {}};
        const auto method = cheap::decide(ctx, obligation);
        if (!method) continue;
        ++proved;
        const SmtText text = to_smt(ctx, obligation);
        const Answer z3 = ask_z3(text, 2'000'000);
        EXPECT_NE(z3.verdict, Verdict::Refuted) << *method << "\n" << text.text << z3.why;
    }
    EXPECT_GT(proved, 50);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomFloatClaims, testing::Range(1, 5));

}  // namespace
}  // namespace proviso::analysis
