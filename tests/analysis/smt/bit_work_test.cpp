// Circuits are measured before a solver makes them: an estimate of the text, the same on every
// machine, and an answer that says so.
#include "analysis/smt/bit_work.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analysis/prover/prover.h"
#include "analysis/z3/linked_z3.h"
#include "ir/text.h"

namespace {

using namespace proviso;
using namespace proviso::analysis;
using smt::bit_cells;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kTwo = "(declare-const a (_ BitVec 64))\n(declare-fun b () (_ BitVec 64))\n";

std::uint64_t cells(const std::string& term) {
    return bit_cells(kTwo + "(assert (= a " + term + "))\n(check-sat)\n");
}

// `=` itself takes 64.
TEST(BitCells, OfOneOperator) {
    EXPECT_EQ(cells("b"), 64U);
    EXPECT_EQ(cells("(bvmul a b)"), 64U + 64 * 64);
    EXPECT_EQ(cells("(bvmul a (_ bv16 64))"), 64U) << "wires";
    EXPECT_EQ(cells("(bvmul a (_ bv10 64))"), 64U + 64 * 64 / 4);
    EXPECT_GT(cells("(bvsdiv a b)"), 5 * cells("(bvmul a b)"));
    EXPECT_EQ(cells("((_ extract 63 0) ((_ sign_extend 64) b))"), 64U);
    EXPECT_EQ(cells("((_ extract 63 0) (bvmul ((_ sign_extend 64) a) ((_ sign_extend 64) b)))"),
              64U + 128 * 128);
}

// What is constant is computed before there is a circuit.
TEST(BitCells, OfConstants) {
    EXPECT_EQ(cells("(bvsdiv (_ bv100 64) (_ bv7 64))"), 64U);
    EXPECT_EQ(cells("(bvmul (bvsdiv (_ bv100 64) (_ bv7 64)) (_ bv3 64))"), 64U);
    EXPECT_EQ(cells("(bvmul b (bvsdiv (_ bv100 64) (_ bv7 64)))"), 64U + 64 * 64 / 4);
    const std::string one = "(define-fun t () (_ FloatingPoint 8 24) (fp #b0 #b01111111 #b" +
                            std::string(23, '0') + "))";
    EXPECT_LT(bit_cells(one + "(assert (fp.isNaN (fp.div RNE t (_ +zero 8 24))))"), 200U);
}

TEST(BitCells, OfFloatsAndOfIntegersMadeIntoBits) {
    const std::string floats =
        "(declare-const x (_ FloatingPoint 8 24))(declare-const y (_ FloatingPoint 8 24))";
    const auto of = [&](const char* term) {
        return bit_cells(floats + "(assert (fp.isNaN " + term + "))");
    };
    EXPECT_GT(of("(fp.mul RNE x y)"), 24U * 24);
    EXPECT_GT(of("(fp.div RNE x y)"), 3 * of("(fp.mul RNE x y)"));
    EXPECT_LT(of("x"), 200U);
    EXPECT_EQ(bit_cells("(declare-const n Int)(assert (< n (* n n)))"), 0U);
    EXPECT_GT(bit_cells("(declare-const n Int)(assert (= n (bv2nat ((_ int2bv 64) n))))"), 256U);
}

// What has a name is one circuit however often it is used; what has parameters is one a use.
TEST(BitCells, OfNames) {
    const std::string product = "(define-fun t () (_ BitVec 64) (bvmul a b))\n";
    EXPECT_EQ(bit_cells(kTwo + product + "(assert (= t a))(assert (= t b))"), 64U * 64 + 2 * 64);
    const std::string macro = "(define-fun f ((x (_ BitVec 64))) (_ BitVec 64) (bvmul x x))\n";
    EXPECT_EQ(bit_cells(kTwo + macro + "(assert (= (f a) (f b)))"), 64U + 2 * 64 * 64);
    EXPECT_EQ(bit_cells(kTwo + macro), 0U);
    EXPECT_EQ(
        bit_cells(kTwo + "(define-fun c () (_ BitVec 64) (_ bv8 64))(assert (= a (bvmul b c)))"),
        64U)
        << "a constant by its name";
}

// No text makes it fail or run long, whatever solvers say of it.
TEST(BitCells, OfWhateverText) {
    EXPECT_EQ(bit_cells(""), 0U);
    EXPECT_EQ(bit_cells("))) (( ("), 0U);
    EXPECT_EQ(bit_cells("; (bvmul"), 0U);
    EXPECT_EQ(bit_cells(std::string(1'000'000, '(')), 0U);
    const std::string huge = "(declare-const a (_ BitVec 99999999999999999999999))";
    EXPECT_EQ(bit_cells(huge + "(assert (= a a))"), 0U);
    const std::string wide = "(declare-const a (_ BitVec 999999999))(assert (= a (bvmul a a)))";
    EXPECT_EQ(bit_cells(wide), std::uint64_t{1} << 40U);
}

class TooLarge : public testing::Test {
  protected:
    // Quotients of 64 bits and more that no decider knows.
    Obligation claim() {
        const ir::Scope scope{{{"x", ctx.var("x", ir::kInt64)},
                               {"y", ctx.var("y", ir::kInt64)},
                               {"z", ctx.var("z", ir::kInt64)}},
                              {}};
        const auto read = [&](const std::string& text) {
            return *ir::parse_expr(ctx, text, scope);
        };
        return Obligation{
            {},
            {read("x > 0"), read("y > 0"), read("z > 0")},
            read("((x * y ^ z) // y ^ x) // z * z != ((x ^ y) // z ^ z) // x * x + T.int64(7)")};
    }
    ir::Context ctx;
};

TEST_F(TooLarge, IsSaidBeforeZ3IsAsked) {
    const SmtText text = to_smt(ctx, claim());
    const std::uint64_t mib = bit_cells(text.text) / smt::kCellsInMib;
    const std::string wide =
        "(set-logic QF_BV)\n" + kTwo + "(assert (= a (bvudiv a b)))(check-sat)\n";
    EXPECT_THAT(smt::too_large(wide, 100), IsEmpty()) << mib;
    const std::string why = "too large for z3: about 56 MiB, of at most 1";
    EXPECT_EQ(smt::too_large(wide, 1), why);
    EXPECT_TRUE(smt::was_too_large("resource; " + why));
    EXPECT_FALSE(smt::was_too_large("resource"));
    const smt::Reply reply = smt::run_z3(wide, 1'000'000, nullptr, 60, 1);
    EXPECT_EQ(reply.verdict, Verdict::Unknown);
    EXPECT_EQ(reply.why, why);
    EXPECT_NE(smt::run_z3(wide, 1'000'000, nullptr, 60, 100).verdict, Verdict::Unknown);
}

TEST_F(TooLarge, IsWhatAProverSays) {
    ProverOptions options;
    options.use_cvc5 = false;
    options.use_cheap = false;
    options.memory_mib = 1;
    Prover prover(ctx, options);
    const Answer a = prover.prove(claim());
    EXPECT_EQ(a.verdict, Verdict::Unknown);
    EXPECT_THAT(a.why, HasSubstr("too large for z3: about "));
}

// Of many terms like this one, in another order, every part has a twin among the facts: no solver.
TEST_F(TooLarge, IsNothingThatTheFastMethodsSee) {
    const ir::Scope scope{{{"x", ctx.var("x", ir::kInt64)},
                           {"y", ctx.var("y", ir::kInt64)},
                           {"z", ctx.var("z", ir::kInt64)}},
                          {}};
    std::string facts = "0 < z";
    std::string goal = "0 < z";
    for (int i = 1; i <= 20; ++i) {
        facts += fmt::format(" and ((x * y % {0} ^ z) != {0} or y + {0} != -1)", i + 2);
        goal += fmt::format(" and ((z ^ x * y % {0}) != {0} or y + {0} != -1)", i + 2);
    }
    ProverOptions options;
    options.use_certificates = options.use_z3 = options.use_cvc5 = false;
    Prover prover(ctx, options);
    const auto fact = ir::parse_expr(ctx, facts, scope);
    const auto claimed = ir::parse_expr(ctx, goal, scope);
    ASSERT_TRUE(fact && claimed);
    EXPECT_EQ(prover.prove({*fact}, *claimed).verdict, Verdict::Proved);
    const auto other = ir::parse_expr(ctx, goal + " and x != 5", scope);
    ASSERT_TRUE(other);
    EXPECT_NE(prover.prove({*fact}, *other).verdict, Verdict::Proved) << "one part has no twin";
}

}  // namespace
