// Divisions that round down, written with those that truncate: seen by the cheap deciders for any
// operands.
#include "ir/text.h"
#include "tests/analysis/cheap/cheap_fixture.h"
#include "tests/analysis/noise.h"
#include "tests/analysis/sampled_values.h"

namespace proviso::analysis {
namespace {

class FloorForms : public Cheap {
  protected:
    Expr zero = c(0);

    Expr differ(Expr r, Expr y) {
        const Expr none = ctx.int_imm(r->type, 0);
        return ctx.and_(ctx.ne(r, none), ctx.ne(ctx.lt(r, none), ctx.lt(y, none)));
    }
    // As `lower-division` writes x // y for any signs.
    Expr quotient(Expr x, Expr y, int correction = 1) {
        const Expr r = ctx.make(Op::TruncMod, {x, y});
        const Expr by =
            ctx.select(differ(r, y), ctx.int_imm(x->type, correction), ctx.int_imm(x->type, 0));
        return ctx.sub(ctx.make(Op::TruncDiv, {x, y}), by);
    }
    Expr remainder(Expr x, Expr y) {
        const Expr r = ctx.make(Op::TruncMod, {x, y});
        return ctx.add(r, ctx.select(differ(r, y), y, ctx.int_imm(x->type, 0)));
    }
    Expr not_zero(Expr y) { return ctx.ne(y, ctx.int_imm(y->type, 0)); }

    // Both sides of x0 = i, x(k + 1) = xk // m + 1, the second with each division lowered.
    std::pair<Expr, Expr> chain(int divisions) {
        Expr floors = i;
        Expr lowered = i;
        for (int at = 0; at < divisions; ++at) {
            floors = ctx.add(ctx.floordiv(floors, m), c(1));
            lowered = ctx.add(quotient(lowered, m), c(1));
        }
        return {floors, lowered};
    }
};

TEST_F(FloorForms, are_the_division_of_any_operands) {
    const Expr x = ctx.add(ctx.mul(ctx.floordiv(i, m), j), ctx.floormod(k, n));
    EXPECT_EQ(by({not_zero(m)}, ctx.same(ctx.floordiv(x, m), quotient(x, m))), "syntax");
    EXPECT_EQ(by({not_zero(m)}, ctx.same(ctx.floormod(x, m), remainder(x, m))), "syntax");
    EXPECT_NE(by({ctx.lt(m, c(-2))}, ctx.eq(remainder(x, m), ctx.floormod(x, m))), "");
    const auto [floors, lowered] = chain(4);
    EXPECT_NE(by({not_zero(m)}, ctx.same(floors, lowered)), "");
    // In range, because what it stands for is.
    const Expr q = ctx.floordiv(x, m);
    EXPECT_NE(by({not_zero(m), ctx.le(q, c(1000))}, ctx.le(quotient(x, m), c(1000))), "");
}

TEST_F(FloorForms, need_a_divisor_that_is_not_zero) {
    const Expr x = ctx.floordiv(i, n);
    EXPECT_EQ(by({}, ctx.same(ctx.floordiv(x, m), quotient(x, m))), "");
    EXPECT_EQ(by({not_zero(n)}, ctx.same(ctx.floordiv(x, m), quotient(x, m))), "");
    EXPECT_EQ(by({ctx.le(zero, m)}, ctx.same(ctx.floormod(x, m), remainder(x, m))), "");
}

TEST_F(FloorForms, are_exact) {
    const Expr x = ctx.floordiv(i, n);
    const std::vector<Expr> facts{not_zero(m), not_zero(n)};
    EXPECT_EQ(by(facts, ctx.same(ctx.floordiv(x, m), quotient(x, m, 2))), "");
    EXPECT_EQ(by(facts, ctx.same(ctx.floordiv(x, m), ctx.make(Op::TruncDiv, {x, m}))), "");
    EXPECT_EQ(by(facts, ctx.same(ctx.floordiv(x, m), quotient(x, n))), "");
    EXPECT_EQ(by(facts, ctx.same(ctx.floormod(x, m), quotient(x, m))), "");
}

// m != 0 is said of the m outside.
TEST_F(FloorForms, keep_names_apart) {
    const Expr body = ctx.eq(quotient(i, m), ctx.floordiv(i, m));
    EXPECT_EQ(by({not_zero(m)}, ctx.let(m, zero, ctx.or_(body, ctx.eq(n, c(5))))), "");
    EXPECT_NE(by({not_zero(m)}, ctx.let(i, ctx.add(j, n), body)), "");
}

// What is called proved is evaluated, with every sign of the operands.
TEST_F(FloorForms, hold_of_values) {
    Noise r(11);
    int proved = 0;
    const Expr all[] = {i, j, k, n};
    for (int round = 0; round < 400; ++round) {
        const Expr y = r.below(2) == 0 ? m : all[r.below(4)];
        Expr x = all[r.below(4)];
        if (r.below(2) == 0) x = quotient(ctx.add(x, c(r.below(9) - 4)), n);
        const bool divides = r.below(2) == 0;
        const Expr was = divides ? ctx.floordiv(x, y) : ctx.floormod(x, y);
        const Expr is = divides ? quotient(x, y, r.below(3) == 0 ? 2 : 1) : remainder(x, y);
        std::vector<Expr> facts{not_zero(y)};
        if (r.below(4) == 0) facts[0] = ctx.le(c(-3), y);
        const Expr goal = ctx.same(was, is);
        if (by(facts, goal).empty()) continue;
        ++proved;
        for (int sample = 0; sample < 200; ++sample) {
            SampledValues values;
            for (const Expr v : {i, j, k, n, m}) values.variables[v] = r.below(15) - 7;
            if (values(facts[0]).value_or(0) == 0) continue;
            EXPECT_NE(values(goal).value_or(1), 0) << ir::print(goal);
        }
    }
    EXPECT_GT(proved, 100);
}

}  // namespace
}  // namespace proviso::analysis
