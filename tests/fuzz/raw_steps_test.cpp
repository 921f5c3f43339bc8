// Raw steps on general programs: every rule and every form has its turn, and a build that is broken
// where an attack found it broken is noticed.
#include "fuzz/gen/steps/raw_steps.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fuzz/campaign/campaign.h"
#include "fuzz/gen/general_program.h"
#include "fuzz/oracle/refinement.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "ir/well_formed.h"
#include "rewrite/kernel/rule.h"
#include "tests/sanitized.h"

namespace proviso::fuzz {
namespace {

CampaignOptions raw(std::uint64_t cases, std::uint64_t seed) {
    CampaignOptions o = raw_campaign();
    o.cases = cases;
    o.seed = seed;
    return o;
}

TEST(RawSteps, FindNothingInASoundBuild) {
    Result<Summary> s = run_campaign(raw(600 / tests::kShare, 31));
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_EQ(s->findings, 0U) << s->json().dump(1);
    EXPECT_GT(s->judged, 2000U / tests::kShare);
    for (const rewrite::Rule* rule : rewrite::all_rules()) {
        EXPECT_GT(s->rules[rule->name()].tried, 0U) << rule->name();
    }
    for (const char* form :
         {"assert", "block", "claimed region", "concurrent loop", "evaluate",
          "extent over a loop variable", "opaque call in a condition", "permission"}) {
        EXPECT_GT(s->accepted_with[form], 0U) << form;
    }
}

TEST(RawSteps, TheSameSeedGivesTheSameSummaryWhateverTheThreads) {
    CampaignOptions o = raw(40, 8);
    nlohmann::json alone = run_campaign(o)->json();
    o.jobs = 3;
    nlohmann::json together = run_campaign(o)->json();
    alone.erase("time");
    together.erase("time");
    EXPECT_EQ(alone, together);
}

// A finding is one step on the program before it.
TEST(RawSteps, NoticeACallThatIsTakenForAFunction) {
    ir::planted_fault() = "kernel:calls-are-functions";
    CampaignOptions o = raw(3000, 5);
    o.stop_at_first = true;
    const Result<Summary> s = run_campaign(o);
    ir::planted_fault().clear();
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_EQ(s->findings, 1U);
}

// A layout may make a parameter that no run can hold; that tells nothing of the step.
TEST(RawSteps, ABufferThatIsTooLargeForRunsIsUndecided) {
    ir::Context ctx;
    const Result<ir::Function> f = ir::parse_function(ctx, R"(
@T.prim_func
def f(C: T.Buffer((1,), "int32")):
    pass
)",
                                                      "f.py");
    ASSERT_TRUE(f.ok()) << f.error().str();
    analysis::Prover prover(ctx, campaign_prover());
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
    const auto args = nlohmann::json::parse(R"({"buffer": "C", "inverse": ["p"], "map": ["x"],
        "names": ["w"], "pad": "1", "physical_vars": ["p"], "shape": ["2147483646"],
        "vars": ["x"]})");
    const auto refused = d->apply("relayout", *ir::Site::parse("body"), args, prover);
    ASSERT_FALSE(refused) << refused->diagnostic.message;
    RefinementCounts counts;
    const auto found = check_refinement(ctx, *f, d->current(), {}, 4, 1, counts);
    EXPECT_FALSE(found) << found->detail;
    EXPECT_EQ(counts.undecided, 4U);
}

TEST(GeneralPrograms, AreWellFormedAndTheSameForASeed) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        ir::Context ctx;
        Choice one(seed);
        Choice other(seed);
        const GeneratedProgram p = general_program(ctx, one);
        EXPECT_TRUE(ir::well_formed(p.function).empty());
        EXPECT_EQ(p.function, general_program(ctx, other).function);
    }
}

}  // namespace
}  // namespace proviso::fuzz
