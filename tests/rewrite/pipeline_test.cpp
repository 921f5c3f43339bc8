// The examples through schedule, passes and lowering: every step accepted by the kernel, no branch
// left.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "ir/text.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::rewrite {
namespace {

std::string read(const std::string& name) {
    std::ifstream in(std::string(PROVISO_SOURCE_DIR) + "/examples/" + name);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

bool has_branch(ir::Stmt s) {
    bool found = false;
    ir::for_each_stmt(s, [&](ir::Stmt t) {
        const ir::Block* b = t->as<ir::Block>();
        found |= t->is<ir::IfElse>() || (b != nullptr && !ir::is_true(b->predicate));
    });
    return found;
}

class Example : public testing::TestWithParam<const char*> {};

TEST_P(Example, LowersWithoutBranch) {
    ir::Context ctx;
    const std::string name = GetParam();
    const Result<ir::Function> f = ir::parse_function(ctx, read(name + ".py"), name + ".py");
    ASSERT_TRUE(f.ok()) << f.error().str();
    Result<Derivation> derivation = Derivation::start(ctx, *f);
    ASSERT_TRUE(derivation.ok()) << derivation.error().str();
    analysis::Prover prover(ctx, {});
    Proposer proposer(*derivation, prover);
    const auto report = run_schedule(proposer, read(name + ".sch.py"), name + ".sch.py");
    ASSERT_TRUE(report.ok()) << report.error().str();
    const std::string after = ir::print(derivation->current());
    ASSERT_FALSE(report->refusal) << report->refusal->diagnostic.str() << "\n" << after;
    lower(proposer);
    EXPECT_FALSE(has_branch(derivation->current().body)) << ir::print(derivation->current());
}

INSTANTIATE_TEST_SUITE_P(All, Example, testing::Values("scale", "row_sum", "conv1d"));

// What sums of products of floats have in common is guessed at where a later stage reads them by a
// remainder, or under a condition. Solvers take seconds over wrong guesses, so that they are not
// asked about each.
TEST(Lower, AsksNoSolverAboutWrongGuessesAtSumsOfProducts) {
    const std::string program = R"(
@T.prim_func
def f(M: T.Buffer((4, 8), "float32"), out: T.Buffer((8,), "float32")):
    A = T.alloc_buffer((4, 2), "float32")
    Y = T.alloc_buffer((2, 8), "float32")
    for i, j in T.grid(4, 2):
        A[i, j] = T.Select(i == 3 and j == 1, T.float32(4), T.Select(i == 2 and j == 1, T.float32(1), T.Select(i == 1 and j == 1, T.float32(-1), T.float32(1))))
    for h, p in T.grid(2, 8):
        Y[h, p] = T.float32(0)
        for r in range(4):
            Y[h, p] = Y[h, p] + M[r, p] * A[r, h] * A[r, h]
    for p in range(8):
        out[p] = READ
)";
    for (const char* read : {"Y[p % 2, p // 2]", "T.if_then_else(p < 4, Y[0, p], T.float32(0))"}) {
        std::string text = program;
        text.replace(text.find("READ"), 4, read);
        ir::Context ctx;
        const Result<ir::Function> f = ir::parse_function(ctx, text, "<test>");
        ASSERT_TRUE(f.ok()) << f.error().str();
        Result<Derivation> derivation = Derivation::start(ctx, *f);
        ASSERT_TRUE(derivation.ok()) << derivation.error().str();
        analysis::Prover prover(ctx, {});
        Proposer proposer(*derivation, prover);
        lower(proposer);
        EXPECT_EQ(prover.stats().z3, 0U) << read;
        EXPECT_EQ(prover.stats().cvc5, 0U) << read;
    }
}

// The program as it is lowered, printed.
std::string lowered(const std::string& text) {
    ir::Context ctx;
    const Result<ir::Function> f = ir::parse_function(ctx, text, "<test>");
    EXPECT_TRUE(f.ok()) << f.error().str();
    if (!f.ok()) return "";
    Result<Derivation> derivation = Derivation::start(ctx, *f);
    EXPECT_TRUE(derivation.ok()) << derivation.error().str();
    analysis::Prover prover(ctx, {});
    Proposer proposer(*derivation, prover);
    EXPECT_TRUE(lower(proposer).refused.empty());
    return ir::print(derivation->current());
}

// Trap: the form for any signs has its operands twice, and so has each division inside of them.
TEST(Lower, DoesNotDoubleTheProgramWithEachDivisionInsideOfAnother) {
    const auto divisions = [](int levels) {
        std::string value;
        for (int k = 0; k < levels; ++k) value += "(A[1] - ";
        value += "A[0]";
        for (int k = 0; k < levels; ++k) value += ") // 3";
        return lowered("@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\")):\n    A[0] = " + value +
                       "\n");
    };
    EXPECT_EQ(divisions(2).find("T.Let"), std::string::npos);  // short ones keep their form
    const std::string half = divisions(12);
    const std::string whole = divisions(24);
    EXPECT_NE(half.find("T.Let("), std::string::npos);
    EXPECT_LT(whole.size(), 3 * half.size());
    EXPECT_EQ(whole.find("//"), std::string::npos);
}

// Trap: the same of cells that say where the next one is, where no bound is known of any.
TEST(Lower, DoesNotDoubleTheProgramWithEachCellOfAnIndex) {
    const auto chain = [](int levels) {
        std::string value = "0";
        for (int k = 0; k < levels; ++k) value = "A[(" + value + ") % 8]";
        return lowered("@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\")):\n    A[0] = " + value +
                       "\n");
    };
    EXPECT_LT(chain(24).size(), 3 * chain(12).size());
}

}  // namespace
}  // namespace proviso::rewrite
