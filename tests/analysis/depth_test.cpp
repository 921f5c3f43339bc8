// Claims that nest deep: an answer, or one that says that they nest too deep.
#include <gtest/gtest.h>

#include "analysis/prover/prover.h"

namespace proviso::analysis {
namespace {

using ir::Expr;

// 0 <= min(min(x, 1), 2)..
Expr claim(ir::Context& ctx, std::uint32_t levels) {
    Expr e = ctx.var("x", ir::kInt32);
    for (std::uint32_t i = 1; i <= levels; ++i) {
        e = ctx.make(ir::Op::Min, {e, ctx.i32(static_cast<std::int32_t>(i))});
    }
    return ctx.le(ctx.i32(0), e);
}

TEST(Depth, TooDeepIsUnknownAndSaysSo) {
    ir::Context ctx;
    Prover prover(ctx, {});
    const Expr x_is_positive = ctx.lt(ctx.i32(0), ctx.var("x", ir::kInt32));
    const Answer goal = prover.prove({x_is_positive}, claim(ctx, 100'000));
    EXPECT_EQ(goal.verdict, Verdict::Unknown);
    EXPECT_NE(goal.why.find("nests more than"), std::string::npos) << goal.why;
    const Answer fact = prover.prove({claim(ctx, 100'000)}, x_is_positive);
    EXPECT_EQ(fact.verdict, Verdict::Unknown);
    EXPECT_FALSE(prover.proves_cheaply({claim(ctx, 100'000)}, x_is_positive));
}

TEST(Depth, DeepGetsAnAnswer) {
    ir::Context ctx;
    Prover prover(ctx, {});
    const Expr x_is_positive = ctx.lt(ctx.i32(0), ctx.var("x", ir::kInt32));
    const Answer near = prover.prove({x_is_positive}, claim(ctx, 500));
    EXPECT_EQ(near.verdict, Verdict::Proved) << near.why;
}

// Of x0, x1 + step, x2 + 2 * step, …: one within the other.
Expr chain(ir::Context& ctx, ir::Op op, int operands, int step = 0) {
    Expr out = ctx.var("x0", ir::kInt32);
    for (int i = 1; i < operands; ++i) {
        const Expr x = ctx.var("x" + std::to_string(i), ir::kInt32);
        out = ctx.make(op, {out, step == 0 ? x : ctx.add(x, ctx.i32(std::int64_t{i} * step))});
    }
    return out;
}

// Many nested minima are one of many operands: neither their depth nor their number needs a solver.
TEST(Depth, ManyMinimaAreDecided) {
    ir::Context ctx;
    ProverOptions options;
    options.use_z3 = false;
    options.use_cvc5 = false;
    options.use_certificates = false;
    Prover prover(ctx, options);
    const auto verdict = [&](const std::vector<Expr>& facts, Expr goal) {
        return prover.prove(facts, goal).verdict;
    };
    const auto x = [&](int i) { return ctx.var("x" + std::to_string(i), ir::kInt32); };
    const Expr y = ctx.var("y", ir::kInt32);
    const Expr least = chain(ctx, ir::Op::Min, 1000);
    const Expr most = chain(ctx, ir::Op::Max, 1000);
    EXPECT_EQ(verdict({}, ctx.le(least, x(0))), Verdict::Proved);
    EXPECT_EQ(verdict({}, ctx.le(least, ctx.max(x(999), y))), Verdict::Proved);
    EXPECT_EQ(verdict({}, ctx.le(least, most)), Verdict::Proved);
    EXPECT_EQ(verdict({}, ctx.le(x(500), most)), Verdict::Proved);
    EXPECT_EQ(verdict({ctx.le(x(7), y)}, ctx.le(least, y)), Verdict::Proved);
    EXPECT_EQ(verdict({ctx.le(ctx.i32(3), least)}, ctx.lt(ctx.i32(2), x(321))), Verdict::Proved);
    // Near misses: strictly, another variable, one operand short.
    EXPECT_EQ(verdict({}, ctx.lt(least, x(0))), Verdict::Refuted);
    EXPECT_NE(verdict({}, ctx.le(least, y)), Verdict::Proved);
    EXPECT_NE(verdict({}, ctx.le(x(0), least)), Verdict::Proved);
    std::vector<Expr> below;
    for (int i = 0; i < 100; ++i) below.push_back(ctx.le(y, x(i)));
    const Expr hundred = chain(ctx, ir::Op::Min, 100);
    EXPECT_EQ(verdict(below, ctx.le(y, hundred)), Verdict::Proved);
    below.pop_back();
    EXPECT_NE(verdict(below, ctx.le(y, hundred)), Verdict::Proved);
    // Operands that differ by constants: the least counts (65 * 37 % 601 is 1, and none is 0).
    Expr shifted = y;
    for (int i = 1; i < 600; ++i) {
        shifted = ctx.min(shifted, ctx.add(y, ctx.i32(i * 37 % 601 - 300)));
    }
    EXPECT_EQ(verdict({}, ctx.eq(shifted, ctx.sub(y, ctx.i32(299)))), Verdict::Proved);
    EXPECT_EQ(verdict({}, ctx.lt(shifted, ctx.sub(y, ctx.i32(299)))), Verdict::Refuted);
}

// What no cheap method decides ends within the solvers' limits: choices that nest deep are told
// apart by name, and quotients that nest deep are not asked about.
TEST(Depth, DeepChoicesAndQuotientsEnd) {
    ir::Context ctx;
    const auto smt = [&](Expr goal) { return to_smt(ctx, Obligation{{}, {}, goal, {}}); };
    const Expr y = ctx.var("y", ir::kInt32);
    Expr chosen = ctx.var("x0", ir::kInt32);
    Expr divided = chosen;
    for (int i = 1; i <= 300; ++i) {
        const Expr x = ctx.var("x" + std::to_string(i), ir::kInt32);
        chosen = ctx.select(ctx.lt(chosen, x), chosen, x);
        divided = ctx.floordiv(ctx.add(divided, x), ctx.i32(3));
    }
    const SmtText deep = smt(ctx.le(chosen, y));
    EXPECT_TRUE(deep.supported) << deep.why;
    EXPECT_EQ(deep.text.find("(ite"), std::string::npos);
    const SmtText shallow = smt(ctx.le(ctx.select(ctx.lt(y, ctx.i32(3)), y, ctx.i32(3)), y));
    EXPECT_NE(shallow.text.find("(ite"), std::string::npos);
    // The names stand for what they say: the same claims hold, and others do not.
    const auto z3 = [&](int operands, Expr than) {
        const Expr least = chain(ctx, ir::Op::Min, operands);
        return ask_z3(smt(ctx.le(least, than)), 2'000'000).verdict;
    };
    EXPECT_EQ(z3(120, ctx.var("x119", ir::kInt32)), Verdict::Proved);
    EXPECT_EQ(z3(120, ctx.var("x120", ir::kInt32)), Verdict::Refuted);
    const SmtText quotients = smt(ctx.le(divided, y));
    EXPECT_FALSE(quotients.supported);
    EXPECT_NE(quotients.why.find("300 quotients within each other"), std::string::npos);
    Prover prover(ctx, {});
    const Answer unknown = prover.prove({ctx.lt(y, divided)}, ctx.lt(y, ctx.sub(divided, y)));
    EXPECT_NE(unknown.verdict, Verdict::Proved);
}

}  // namespace
}  // namespace proviso::analysis
