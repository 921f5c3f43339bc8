// What solvers may do in vain for one command: counted in their units, and never in seconds.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "analysis/prover/effort.h"
#include "analysis/prover/prover.h"
#include "analysis/smt/solvers.h"

namespace proviso::analysis {
namespace {

using ir::Expr;

std::vector<std::uint64_t> units_given;

smt::Reply uses_up(const std::string&, std::uint64_t units, const smt::ModelQuery*, int, int) {
    units_given.push_back(units);
    return smt::Reply{Verdict::Unknown, "resource", {}};
}
const smt::Z3 kFindsNothing{uses_up, [] { return std::string("0"); }};

class Effort : public testing::Test {
  protected:
    void SetUp() override { units_given.clear(); }

    // Claims about products of unknowns that nobody answers.
    std::vector<Answer> ask(int questions, std::uint64_t effort) {
        ProverOptions options;
        options.use_cheap = false;
        options.use_certificates = false;
        options.use_cvc5 = false;
        options.z3 = &kFindsNothing;
        options.effort = effort;
        Prover prover(ctx, options);
        std::vector<Answer> out;
        for (int k = 0; k < questions; ++k) {
            out.push_back(prover.prove({}, ctx.ne(ctx.mul(x, y), ctx.i32(1000 + k))));
        }
        return out;
    }

    ir::Context ctx;
    Expr x = ctx.var("x", ir::kInt32);
    Expr y = ctx.var("y", ir::kInt32);
};

TEST_F(Effort, ends_with_the_work_of_open_questions) {
    const std::vector<Answer> answers = ask(150, 1);
    const std::uint64_t most = *std::max_element(units_given.begin(), units_given.end());
    std::uint64_t together = 0;
    for (const std::uint64_t units : units_given) together += units;
    EXPECT_EQ(most, 2'000'000U);
    EXPECT_LT(together, 45'000'000U) << "what one command may use up";
    EXPECT_GT(together, 40'000'000U);
    EXPECT_LT(units_given.back(), most / 5) << "a tenth of the budgets near the end";
    EXPECT_EQ(answers.front().why, "resource");
    EXPECT_EQ(answers.back().why, kManyOpenQuestions);
}

TEST_F(Effort, may_be_raised) {
    const std::vector<Answer> answers = ask(40, 3);
    EXPECT_EQ(*std::max_element(units_given.begin(), units_given.end()), 6'000'000U);
    std::uint64_t together = 0;
    for (const std::uint64_t units : units_given) together += units;
    EXPECT_GT(together, 90'000'000U);
    EXPECT_EQ(answers.back().verdict, Verdict::Unknown);
}

}  // namespace
}  // namespace proviso::analysis
