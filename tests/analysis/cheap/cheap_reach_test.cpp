// How far the cheap deciders reach: digits, products of sizes, long chains, what contradicts
// itself, what is deep or huge.
#include "ir/text.h"
#include "tests/analysis/cheap/cheap_fixture.h"

namespace proviso::analysis {
namespace {

// --- sums of digits, products of sizes, long chains

TEST_F(Cheap, digits_of_an_index_are_the_index) {
    const Expr x = ctx.add(i, c(5));
    const auto digit = [&](Expr e, std::int64_t over, std::int64_t radix) {
        return mod(div(e, over), radix);
    };
    EXPECT_NE(
        by({},
           ctx.eq(ctx.add(times(div(i, 6), 6), ctx.add(times(digit(i, 3, 2), 3), mod(i, 3))), i)),
        "");
    EXPECT_NE(by({}, ctx.eq(ctx.add(ctx.add(mod(x, 4), times(digit(x, 32, 5), 32)),
                                    ctx.add(times(div(x, 160), 160), times(digit(x, 4, 8), 4))),
                            x)),
              "");
    // One digit's radix is wrong.
    EXPECT_EQ(
        by({},
           ctx.eq(ctx.add(times(div(i, 6), 6), ctx.add(times(digit(i, 3, 3), 3), mod(i, 3))), i)),
        "");
}

TEST_F(Cheap, rows_of_symbolic_length) {
    const Expr l = ctx.var("l", ir::kInt32);
    const std::vector<Expr> loops = {within(c(0), i, n), within(c(0), j, m), within(c(0), l, k)};
    const Expr two = ctx.add(ctx.mul(i, m), j);
    const Expr three = ctx.add(ctx.mul(two, k), l);
    EXPECT_NE(by(loops, ctx.lt(three, ctx.mul(ctx.mul(n, m), k))), "");
    EXPECT_EQ(by(loops, ctx.lt(three, ctx.sub(ctx.mul(ctx.mul(n, m), k), c(1)))), "");
    EXPECT_NE(by(loops, ctx.eq(ctx.floordiv(two, m), i)), "");
    EXPECT_NE(by(loops, ctx.eq(ctx.floormod(two, m), j)), "");
    EXPECT_NE(by(loops, ctx.eq(ctx.floordiv(three, k), two)), "");
    EXPECT_NE(by(loops, ctx.eq(ctx.floormod(ctx.floordiv(three, k), m), j)), "");
    EXPECT_NE(by(loops, ctx.eq(ctx.floordiv(ctx.floordiv(three, k), m), i)), "");
    EXPECT_NE(by(loops, ctx.eq(ctx.floordiv(three, ctx.mul(m, k)), i)), "");
    // Without a bound on the column, the row is another.
    EXPECT_EQ(
        by({within(c(0), i, n), ctx.le(c(1), m), ctx.le(c(0), j)}, ctx.eq(ctx.floordiv(two, m), i)),
        "");
}

TEST_F(Cheap, tiles_that_cover) {
    const auto tiles = [&](Expr size, Expr tile) {
        return ctx.mul(ctx.floordiv(ctx.sub(ctx.add(size, tile), c(1)), tile), tile);
    };
    EXPECT_NE(by({}, ctx.le(n, tiles(n, c(8)))), "");
    EXPECT_NE(by({ctx.le(c(1), m)}, ctx.le(n, tiles(n, m))), "");
    EXPECT_NE(by({ctx.le(c(1), m)}, ctx.lt(tiles(n, m), ctx.add(n, m))), "");
    EXPECT_EQ(by({ctx.le(c(0), m)}, ctx.le(n, tiles(n, m))), "");  // m = 0
    EXPECT_EQ(by({ctx.le(c(1), m)}, ctx.lt(n, tiles(n, m))), "");
}

TEST_F(Cheap, a_thousand_facts) {
    std::vector<Expr> facts;
    std::vector<Expr> x;
    for (int at = 0; at <= 1000; ++at) x.push_back(ctx.var("x" + std::to_string(at), ir::kInt32));
    for (std::size_t at = 0; at < 1000; ++at) {
        const std::size_t link = at * 7 % 1000;  // in no order
        facts.push_back(ctx.lt(x[link], x[link + 1]));
    }
    EXPECT_EQ(by(facts, ctx.le(ctx.add(x[0], c(1000)), x[1000])), "difference");
    EXPECT_EQ(by(facts, ctx.le(ctx.add(x[0], c(1001)), x[1000])), "");
    EXPECT_NE(by(facts, ctx.lt(x[10], ctx.add(x[900], c(7)))), "");
    facts.push_back(ctx.le(c(0), x[0]));
    EXPECT_NE(by(facts, ctx.le(c(1000), x[1000])), "");
    EXPECT_EQ(by(facts, ctx.le(c(1001), x[1000])), "");
}

TEST_F(Cheap, terms_as_nodes_of_chains) {
    std::vector<Expr> facts;
    Expr last = ctx.add(times(i, 8), j);
    for (int at = 0; at < 60; ++at) {
        const Expr next = ctx.add(times(ctx.var("a" + std::to_string(at), ir::kInt32), 3),
                                  ctx.var("b" + std::to_string(at), ir::kInt32));
        facts.push_back(ctx.le(last, next));
        last = next;
    }
    EXPECT_NE(by(facts, ctx.le(ctx.add(times(i, 8), j), last)), "");
    EXPECT_EQ(by(facts, ctx.lt(ctx.add(times(i, 8), j), last)), "");
}

// --- what contradicts itself, what is deep, what is huge

TEST_F(Cheap, contradictory_facts_are_said_so) {
    cheap::Decider decider(ctx);
    const std::vector<Expr> no = {ctx.lt(i, c(0)), ctx.lt(c(1), i)};
    const auto out = decider.decide(no, ctx.lt(j, c(0)));
    ASSERT_TRUE(out.has_value());
    EXPECT_TRUE(out->vacuous);
    const std::vector<Expr> fine = {ctx.lt(i, c(0))};
    EXPECT_FALSE(decider.decide(fine, ctx.lt(i, c(0)))->vacuous);
    EXPECT_FALSE(decider.contradictory(fine));
    EXPECT_TRUE(decider.contradictory(std::vector<Expr>{ctx.lt(i, j), ctx.lt(j, i)}));
    EXPECT_TRUE(decider.contradictory(
        std::vector<Expr>{ctx.or_(p, ctx.lt(i, c(0))), ctx.not_(p), ctx.le(c(0), i)}));
}

TEST_F(Cheap, answers_do_not_depend_on_the_questions_before) {
    cheap::Decider decider(ctx);
    const std::vector<Expr> facts = {within(c(0), i, n), within(c(0), j, m)};
    const Expr cell = ctx.add(ctx.mul(i, m), j);
    const std::vector<Expr> goals = {ctx.lt(cell, ctx.mul(n, m)), ctx.lt(cell, ctx.mul(i, m)),
                                     ctx.eq(ctx.floordiv(cell, m), i), ctx.lt(i, j),
                                     ctx.le(c(0), ctx.min(i, j))};
    for (int round = 0; round < 3; ++round) {
        for (Expr goal : goals) {
            const auto kept = decider.decide(facts, goal);
            EXPECT_EQ(kept ? kept->method : "", by(facts, goal)) << ir::print(goal);
        }
    }
}

TEST_F(Cheap, sums_of_ten_thousand_terms) {
    Expr sum = c(0);
    Expr back = c(0);
    std::vector<Expr> x;
    for (int at = 0; at < 10'000; ++at) {
        x.push_back(ctx.var("x" + std::to_string(at % 500), ir::kInt32));
        sum = ctx.add(sum, times(x.back(), at % 7));
    }
    for (int at = 9'999; at >= 0; --at) {
        back = ctx.add(times(x[static_cast<std::size_t>(at)], at % 7), back);
    }
    EXPECT_NE(by({}, ctx.eq(sum, back)), "");
    EXPECT_EQ(by({}, ctx.eq(sum, ctx.add(back, i))), "");
    Expr doubled = i;
    for (int at = 0; at < 64; ++at) doubled = ctx.add(doubled, doubled);
    EXPECT_NE(by({}, ctx.eq(ctx.add(doubled, j), ctx.add(j, doubled))), "");
}

TEST_F(Cheap, deep_terms_end_in_silence) {
    Expr nested = i;
    Expr quotients = i;
    Expr negated = p;
    for (int at = 0; at < 100'000; ++at) {
        nested = ctx.max(ctx.sub(nested, j), k);
        quotients = div(ctx.add(quotients, j), 2);
        negated = ctx.or_(ctx.not_(negated), p);
    }
    EXPECT_EQ(by({}, ctx.lt(nested, c(0))), "");
    EXPECT_EQ(by({}, ctx.lt(quotients, c(0))), "");
    EXPECT_EQ(by({ctx.lt(nested, c(0)), ctx.lt(i, c(0))}, ctx.lt(j, c(0))), "");
    by({negated}, p);
    EXPECT_NE(by({ctx.lt(nested, c(0)), ctx.lt(i, c(0))}, ctx.lt(i, c(1))), "");
}

TEST_F(Cheap, huge_literals_end_in_silence) {
    const Expr x = ctx.var("x", ir::kInt64);
    const Expr big = ctx.i64(INT64_MAX);
    Expr power = ctx.mul(big, big);
    EXPECT_NE(by({}, ctx.lt(big, power)), "");
    power = ctx.mul(power, ctx.mul(power, x));
    EXPECT_EQ(by({}, ctx.lt(power, x)), "");
    EXPECT_NE(by({}, ctx.le(ctx.mul(x, x), ctx.mul(ctx.mul(x, x), ctx.i64(1)))), "");
    EXPECT_EQ(by({}, ctx.eq(ctx.floordiv(x, ctx.i64(0)), x)), "");
}

// --- wrapping integers, choices of booleans

TEST_F(Cheap, wrapping_sums) {
    const Expr u = ctx.var("u", ir::kUInt8);
    const Expr v = ctx.var("v", ir::kUInt8);
    const auto imm = [&](int value) { return ctx.int_imm(ir::kUInt8, value); };
    EXPECT_NE(by({}, ctx.eq(ctx.sub(ctx.add(u, v), v), u)), "");
    EXPECT_NE(by({}, ctx.eq(ctx.add(ctx.add(u, imm(200)), imm(56)), u)), "");
    EXPECT_EQ(by({}, ctx.lt(u, ctx.add(u, imm(1)))), "");  // 255 + 1 = 0
    EXPECT_NE(by({ctx.lt(u, imm(255))}, ctx.lt(u, ctx.add(u, imm(1)))), "");
    EXPECT_NE(by({ctx.lt(u, v)}, ctx.not_(ctx.le(v, u))), "");
    EXPECT_NE(by({ctx.lt(u, imm(7))}, ctx.lt(ctx.cast(ir::kInt32, u), c(7))), "");
    EXPECT_EQ(by({}, ctx.eq(ctx.cast(ir::kInt32, ctx.add(u, v)),
                            ctx.add(ctx.cast(ir::kInt32, u), ctx.cast(ir::kInt32, v)))),
              "");
}

TEST_F(Cheap, comparisons_and_their_negations) {
    const Expr f = ctx.var("f", ir::kFloat32);
    const Expr g = ctx.var("g", ir::kFloat32);
    EXPECT_NE(by({ctx.ne(f, g)}, ctx.not_(ctx.eq(f, g))), "");
    EXPECT_NE(by({ctx.not_(ctx.ne(f, g))}, ctx.eq(g, f)), "");
    EXPECT_NE(
        by({ctx.or_(p, ctx.or_(ctx.lt(i, c(0)), ctx.eq(f, g))), ctx.le(c(0), i), ctx.ne(f, g)}, p),
        "");
    EXPECT_NE(by({ctx.le(i, j), ctx.le(j, i)}, ctx.eq(div(i, 3), div(j, 3))), "");
    EXPECT_NE(by({ctx.lt(i, j)}, ctx.or_(ctx.not_(ctx.le(j, i)), p)), "");
}

TEST_F(Cheap, constants_within_terms_and_lets) {
    const auto f32 = [&](double value) { return ctx.float_imm(ir::kFloat32, value); };
    const Expr f = ctx.var("f", ir::kFloat32);
    const Expr t = ctx.var("t", ir::kFloat32);
    const Expr sum = ctx.add(ctx.sub(f32(5), f32(1)), f32(1));
    EXPECT_NE(by({}, ctx.same(sum, f32(5))), "");
    EXPECT_EQ(by({}, ctx.same(ctx.add(ctx.sub(f, f32(1)), f32(1)), f)), "");
    EXPECT_NE(by({}, ctx.same(ctx.mul(f, f32(2)), ctx.add(f, f))), "");
    // Elementary functions have no value in proofs.
    EXPECT_EQ(by({}, ctx.same(ctx.math(ir::MathFn::Exp, {f32(0)}), f32(1))), "");
    EXPECT_NE(by({}, ctx.same(ctx.let(t, sum, ctx.mul(t, f)), ctx.mul(f32(5), f))), "");
    // A let of a cell that may be indeterminate freezes it: nothing is said.
    const Expr cell = ctx.load(A, {i});
    const Expr twice = ctx.let(t, cell, ctx.sub(t, t));
    EXPECT_EQ(by({}, ctx.same(twice, ctx.sub(cell, cell))), "");
    EXPECT_NE(by({ctx.defined(cell)}, ctx.same(twice, ctx.sub(cell, cell))), "");
    const Expr clamped = ctx.min(ctx.max(i, c(0)), c(2));
    EXPECT_NE(by({within(c(1), n, c(6))}, ctx.lt(ctx.mul(clamped, n), c(11))), "");
}

}  // namespace
}  // namespace proviso::analysis
