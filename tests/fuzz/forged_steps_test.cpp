// Forged steps: a right step spelled out is right and does the same, mistakes reach the obligations
// of both theorems, and a build that forgets one is noticed.
#include "fuzz/gen/forged/forged_steps.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fuzz/campaign/campaign.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/kernel/derivation.h"
#include "tests/sanitized.h"

namespace proviso::fuzz {
namespace {

CampaignOptions forged(std::uint64_t cases, std::uint64_t seed) {
    CampaignOptions o = forged_campaign();
    o.cases = cases;
    o.seed = seed;
    return o;
}

constexpr const char* kProgram = R"(
@T.prim_func
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        for j in range(4):
            B[i] = A[i] + j
    for k in range(16):
        if True:
            C[k] = B[k]
    C[3] = 5
    C[3] = 6
)";

// Each of these rules proposes something else to the theorem: values, what is left out and why,
// several statements of a list.
TEST(ForgedSteps, ARightStepSpelledOutGivesTheSameProgram) {
    for (const StepGuess& step : std::vector<StepGuess>{
             {"split", *ir::Site::parse("body/0"),
              R"({"factor": "5", "outer": "io", "inner": "ii", "guard": "if"})"},
             {"reorder", *ir::Site::parse("body/0"), R"({"order": ["j", "i"]})"},
             {"decide-branch", *ir::Site::parse("body/1/body"), "{}"},
             {"drop-store", *ir::Site::parse("body/2"),
              R"({"mode": "dead", "writers": [{"statement": "body/3", "at": {}}]})"},
             {"merge-loops", *ir::Site::parse("body/0"), "{}"},
         }) {
        ir::Context ctx;
        const Result<ir::Function> f = ir::parse_function(ctx, kProgram, "f.py");
        ASSERT_TRUE(f.ok()) << f.error().str();
        analysis::Prover prover(ctx, campaign_prover());
        Result<rewrite::Derivation> as_rule = rewrite::Derivation::start(ctx, *f);
        const auto no =
            as_rule->apply(step.rule, step.site, nlohmann::json::parse(step.args), prover);
        ASSERT_FALSE(no) << step.rule << ": " << no->diagnostic.message;
        const std::optional<StepGuess> said = spelled_out(ctx, *f, step);
        ASSERT_TRUE(said) << step.rule;
        EXPECT_EQ(said->rule, "restate");
        Result<rewrite::Derivation> as_text = rewrite::Derivation::start(ctx, *f);
        const auto refused =
            as_text->apply(said->rule, said->site, nlohmann::json::parse(said->args), prover);
        ASSERT_FALSE(refused) << step.rule << ": " << refused->diagnostic.message << said->args;
        EXPECT_EQ(ir::print(as_text->current()), ir::print(as_rule->current())) << step.rule;
    }
}

TEST(ForgedSteps, FindNothingInASoundBuild) {
    const Result<Summary> s = run_campaign(forged(160 / tests::kShare, 7));
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_EQ(s->findings, 0U) << s->json().dump(1);
    EXPECT_GT(s->judged, 200U / tests::kShare);
    for (const char* kind :
         {"visited", "no-other", "once", "one-place", "order", "control-stays"}) {
        EXPECT_GT(s->refused.count({"restate", kind}), 0U) << kind;
    }
}

TEST(ForgedSteps, TheSameSeedGivesTheSameSummaryWhateverTheThreads) {
    CampaignOptions o = forged(12, 8);
    nlohmann::json alone = run_campaign(o)->json();
    o.jobs = 3;
    nlohmann::json together = run_campaign(o)->json();
    alone.erase("time");
    together.erase("time");
    EXPECT_EQ(alone, together);
}

class ForgedStepsNotice : public testing::TestWithParam<const char*> {};

TEST_P(ForgedStepsNotice, AnObligationThatIsForgotten) {
    ir::planted_fault() = GetParam();
    CampaignOptions o = forged(2000, 3);
    o.stop_at_first = true;
    const Result<Summary> s = run_campaign(o);
    ir::planted_fault().clear();
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_EQ(s->findings, 1U);
}

INSTANTIATE_TEST_SUITE_P(Theorem, ForgedStepsNotice,
                         testing::Values("omit:every iteration is visited", "omit:keep their order",
                                         "reschedule:another-predicate"));

}  // namespace
}  // namespace proviso::fuzz
