// Long chains of divisions by unknowns are lowered without a solver: what `lower-division` owes
// holds for any operands, however they came about.
#include <gtest/gtest.h>

#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

class DivisionChains : public testing::Test {
  protected:
    // The program lowered; `solved` is how many questions a solver was asked.
    Function lowered(const std::string& body) {
        const std::string head =
            "@T.prim_func\ndef f(B: T.Buffer((101,), \"int32\"), p: T.int32, m: T.int32):\n";
        const Result<Function> f = parse_function(ctx, head + body, "<test>");
        EXPECT_TRUE(f.ok()) << f.error().str();
        Result<Derivation> derivation = Derivation::start(ctx, *f);
        EXPECT_TRUE(derivation.ok()) << derivation.error().str();
        analysis::Prover prover(ctx, {});
        Proposer proposer(*derivation, prover);
        lower(proposer);
        solved = prover.stats().z3 + prover.stats().cvc5;
        return derivation->current();
    }
    static std::size_t floors(const Function& f) {
        std::size_t out = 0;
        for_each_expr(f.body, [&](Expr e) {
            for_each_node(
                e, [&](Expr n) { out += n->op == Op::FloorDiv || n->op == Op::FloorMod ? 1 : 0; });
        });
        return out;
    }

    Context ctx;
    std::uint64_t solved = 0;
};

TEST_F(DivisionChains, OfNames) {
    for (const char* op : {"//", "%"}) {
        std::string body = "    x0: T.int32 = p\n";
        for (int k = 0; k < 30; ++k) {
            const std::string at = std::to_string(k);
            body += "    x" + std::to_string(k + 1) + ": T.int32 = x" + at + " " + op + " m + 1\n";
        }
        EXPECT_EQ(floors(lowered(body + "    B[0] = x30\n")), 0U) << op;
        EXPECT_EQ(solved, 0U) << op;
    }
}

// Of more than three, the outer ones stay; lower says so.
TEST_F(DivisionChains, InsideEachOther) {
    std::string value = "p";
    for (int k = 0; k < 3; ++k) value = "(" + value + " // m + 1)";
    EXPECT_EQ(floors(lowered("    B[0] = " + value + "\n")), 0U);
}

TEST_F(DivisionChains, OneStoreAfterAnother) {
    std::string body = "    B[0] = p\n";
    for (int k = 0; k < 30; ++k) {
        body += "    B[" + std::to_string(k + 1) + "] = B[" + std::to_string(k) + "] // m + 1\n";
    }
    EXPECT_EQ(floors(lowered(body)), 0U);
    EXPECT_EQ(solved, 0U);
}

}  // namespace
}  // namespace proviso::rewrite
