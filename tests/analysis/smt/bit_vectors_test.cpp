// Claims on bits of exact integers, in bit-vectors: what is said of them must be true of every
// value, and what the form cannot say it must not say.
#include "analysis/smt/bit_vectors.h"

#include <gtest/gtest.h>

#include "analysis/prover/prover.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"

namespace proviso::analysis {
namespace {

using ir::Expr;

class BitVectors : public testing::Test {
  protected:
    ir::Context ctx;
    std::map<std::string, Expr> vars;

    BitVectors() {
        for (const char* name : {"x", "y", "n"}) vars[name] = ctx.var(name, ir::kInt32);
    }
    Obligation claim(const std::string& goal, const std::vector<std::string>& facts = {}) {
        const auto read = [&](const std::string& text) {
            const auto e = ir::parse_expr(ctx, text, {vars, {}}, ir::kBool);
            EXPECT_TRUE(e.ok()) << text;
            return *e;
        };
        Obligation out{{}, {}, read(goal), {}};
        for (const std::string& f : facts) out.facts.push_back(read(f));
        return out;
    }
    Verdict z3(const Obligation& o) {
        const auto text = smt::as_bit_vectors(o);
        EXPECT_TRUE(text.has_value());
        SmtText smt;
        smt.text = text.value_or("");
        return ask_z3(smt, 4'000'000).verdict;
    }
};

TEST_F(BitVectors, WhatIsTrueOfBits) {
    EXPECT_EQ(z3(claim("(x ^ y) == (x | y) - (x & y)")), Verdict::Proved);
    EXPECT_EQ(z3(claim("(x & y) + (x | y) == x + y")), Verdict::Proved);
    EXPECT_EQ(z3(claim("(x * 8 | y) == x * 8 + y", {"0 <= y", "y < 8", "-1000 < x", "x < 1000"})),
              Verdict::Proved);
    EXPECT_EQ(z3(claim("(x ^ y ^ y) == x")), Verdict::Proved);
    EXPECT_EQ(z3(claim("(x & 12) // 4 == x // 4 % 4")), Verdict::Proved);
    EXPECT_EQ(z3(claim("T.Cast(\"int64\", x & y) <= T.Cast(\"int64\", x)", {"0 <= x"})),
              Verdict::Proved);
}

TEST_F(BitVectors, WhatIsNot) {
    EXPECT_EQ(z3(claim("(x * 8 | y) == x * 8 + y", {"0 <= y", "y <= 8"})), Verdict::Refuted);
    EXPECT_EQ(z3(claim("x + y >= x", {"0 < y", "x & 1 == 1"})), Verdict::Proved) << "no wrapping";
    EXPECT_EQ(z3(claim("(x | y) >= x", {"0 <= x"})), Verdict::Refuted);
    EXPECT_EQ(z3(claim("(x & y) * (x & y) != 2147395600")), Verdict::Refuted) << "46340 squared";
}

// A division by zero is any value: nothing may rest on what bit-vectors make of it.
TEST_F(BitVectors, WhatHasNoSuchForm) {
    EXPECT_FALSE(smt::as_bit_vectors(claim("x // y == -1", {"y == 0"})));
    EXPECT_FALSE(smt::as_bit_vectors(claim("x << y == 0", {"y == 40"})));
    EXPECT_FALSE(smt::as_bit_vectors(claim("x // 0 == -1")));
    Expr f = ctx.var("f", ir::kFloat32);
    EXPECT_FALSE(smt::as_bit_vectors(Obligation{{}, {}, ctx.lt(f, f), {}}));
    Obligation unbounded = claim("(x ^ x) == 0");
    unbounded.unbounded = {vars["x"]};
    EXPECT_FALSE(smt::as_bit_vectors(unbounded));
    std::string wide = "x";
    for (int i = 0; i < 9; ++i) wide = "(" + wide + ") * x";
    EXPECT_FALSE(smt::as_bit_vectors(claim(wide + " == 0")));
}

// The form against the evaluator, on constants.
TEST_F(BitVectors, AgreesWithTheEvaluator) {
    const std::vector<std::int64_t> values = {0, 1, -1, 7, -8, 12, 2147483647, -2147483648LL};
    for (const std::int64_t a : values) {
        for (const std::int64_t b : values) {
            for (const ir::Op op :
                 {ir::Op::BitAnd, ir::Op::BitOr, ir::Op::BitXor, ir::Op::Add, ir::Op::Sub,
                  ir::Op::Mul, ir::Op::Min, ir::Op::Max, ir::Op::FloorDiv, ir::Op::FloorMod,
                  ir::Op::TruncDiv, ir::Op::TruncMod, ir::Op::Shl, ir::Op::Shr}) {
                const Expr va = ctx.int_imm(ir::kInt32, a);
                const Expr vb = ctx.int_imm(ir::kInt32, b);
                const Expr e = ctx.make(op, {va, vb});
                const ir::Evaluation known = ir::evaluate(e, {});
                const Expr value =
                    known.ok() ? ir::constant_expr(ctx, ir::kInt32, known.value) : nullptr;
                if (value == nullptr) continue;
                const Expr unknown = ctx.make(op, {vars["x"], vb});
                const Obligation o{{}, {ctx.eq(vars["x"], va)}, ctx.eq(unknown, value), {}};
                EXPECT_EQ(z3(o), Verdict::Proved) << ir::print(e);
            }
        }
    }
}

}  // namespace
}  // namespace proviso::analysis
