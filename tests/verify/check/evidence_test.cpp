// What a derivation of `check` rests on: certificates, both solvers, or one of them.
#include "verify/check/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "verify/check/check.h"

namespace proviso::verify {
namespace {

using testing::HasSubstr;
using testing::Not;

CheckReport report_of(const std::string& after, bool use_cvc5) {
    ir::Context ctx;
    const std::string head =
        "@T.prim_func\ndef f(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"
        "    for i in range(8):\n        B[i] = ";
    const Result<ir::Function> f =
        ir::parse_function(ctx, head + "A[i] * T.float32(2)\n", "<before>");
    const Result<ir::Function> g = ir::parse_function(ctx, head + after + "\n", "<after>");
    CheckOptions options;
    options.use_cvc5 = use_cvc5;
    Result<CheckReport> out = check(ctx, *f, *g, options);
    EXPECT_TRUE(out.ok() && out->refinement && out->evidence) << out->text();
    return *std::move(out);
}

TEST(CheckEvidence, OfTheSameTextIsThatOfCertificates) {
    const CheckReport out = report_of("A[i] * T.float32(2)", true);
    EXPECT_EQ(out.evidence->policy, "E3");
    EXPECT_EQ(out.json()["proof"]["policy"], "E3");
    EXPECT_THAT(out.text(), Not(HasSubstr("evidence")));
}

// Floats have no certificates: the same bits by both solvers, or by the one that is there.
TEST(CheckEvidence, SaysWhetherOneSolverIsAlone) {
    const std::string after = "A[i] + A[i]";
    const CheckReport both = report_of(after, true);
    EXPECT_EQ(both.evidence->policy, "E2") << both.json();
    EXPECT_TRUE(both.evidence->by_one.empty());
    EXPECT_FALSE(both.evidence->by_both.empty());
    EXPECT_THAT(both.text(), Not(HasSubstr("evidence")));
    // Trap: the answer of a solver alone counts as that of two.
    const CheckReport one = report_of(after, false);
    EXPECT_EQ(one.evidence->policy, "E1") << one.json();
    EXPECT_EQ(one.json()["proof"]["by_one_solver"].size(), one.evidence->by_one.size());
    EXPECT_THAT(one.text(), HasSubstr("evidence E1: one solver alone proves"));
}

}  // namespace
}  // namespace proviso::verify
