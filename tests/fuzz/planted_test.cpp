// The planted faults: enough of them, each with one cause, and caught.
#include "fuzz/planted/planted.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "analysis/prover/prover.h"
#include "fuzz/campaign/failure.h"
#include "fuzz/planted/rule_mutants.h"
#include "fuzz/planted/scenarios/scenario.h"
#include "fuzz/planted/statement_page.h"
#include "ir/planted.h"
#include "rewrite/kernel/derivation.h"
#include "tests/sanitized.h"

namespace proviso::fuzz {
namespace {

TEST(PlantedFaults, ManyWithUniqueIds) {
    std::set<std::string> ids;
    std::set<std::string> places;
    for (const PlantedFault& f : planted_faults()) {
        EXPECT_TRUE(ids.insert(f.id).second) << f.id;
        EXPECT_FALSE(f.what.empty()) << f.id;
        places.insert(f.where);
    }
    EXPECT_GE(ids.size(), 45U);
    EXPECT_GE(places.size(), 7U);
}

// No statement rule is without a planted fault, and the page of docs/ has all of them.
TEST(PlantedFaults, InEveryStatementRuleAndOnThePage) {
    std::ifstream in(std::string(PROVISO_SOURCE_DIR) + "/docs/results/statement-faults.md");
    std::stringstream page;
    page << in.rdbuf();
    std::set<std::string> parts;
    PlantedReport all;
    for (const PlantedFault& f : planted_faults()) {
        for (const std::string& part : statement_parts(f)) parts.insert(part);
        all.results.push_back(PlantedResult{&f, "somebody", ""});
    }
    for (const rewrite::Rule* rule : rewrite::all_rules()) {
        EXPECT_EQ(parts.count(rule->name()), 1U) << "nothing is planted in " << rule->name();
    }
    // The page as it would be made now differs in who notices at most.
    const auto faults = [](const std::string& text) {
        std::vector<std::string> out;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            if (line.rfind("| ", 0) == 0) out.push_back(line.substr(0, line.find(" |")));
        }
        return out;
    };
    EXPECT_EQ(faults(page.str()), faults(statement_page(all))) << "make the page again";
    EXPECT_EQ(page.str().find("**nobody**"), std::string::npos);
}

// Each scenario is refused in a sound build, and for the reason that it names: the words are in the
// purpose of the obligation that failed.
TEST(Scenarios, AreRefusedByTheObligationThatTheyName) {
    for (const Scenario& s : scenarios()) {
        ir::Context ctx;
        analysis::Prover prover(ctx, campaign_prover());
        const Result<LoadedScenario> loaded = load_scenario(ctx, s);
        ASSERT_TRUE(loaded.ok()) << s.name << ": " << loaded.error().str();
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, loaded->program);
        ASSERT_TRUE(d.ok()) << s.name << ": " << d.error().str();
        std::optional<rewrite::Rejection> no;
        for (std::size_t k = 0; k < loaded->steps.size(); ++k) {
            const StepGuess& step = loaded->steps[k];
            no = d->apply(step.rule, step.site, nlohmann::json::parse(step.args), prover);
            const bool last = k + 1 == loaded->steps.size();
            if (!last) {
                ASSERT_FALSE(no.has_value()) << s.name << ": " << no->diagnostic.str();
            }
        }
        if (s.forgets == nullptr) {
            EXPECT_FALSE(no.has_value()) << s.name << ": " << no->diagnostic.str();
            continue;
        }
        ASSERT_TRUE(no.has_value()) << s.name << " was accepted";
        if (*s.forgets == '\0') continue;
        ASSERT_TRUE(no->failed.has_value()) << s.name << ": " << no->diagnostic.str();
        EXPECT_NE(no->failed->purpose.words.find(s.forgets), std::string::npos)
            << s.name << " was refused for another reason: " << no->failed->purpose.words;
    }
}

// A mutant is refused for its flaw: the rule that it was made from is proved by the same means.
TEST(RuleMutants, AreRefusedAndTheirRulesProved) {
    for (const RuleMutant& m : rule_mutants()) {
        EXPECT_EQ(refuse_rule(m.base, nullptr), std::nullopt) << m.base;
        EXPECT_NE(refuse_rule(m.base, &m), std::nullopt) << m.base << ": " << m.what;
    }
}

// In parts, which ctest runs as processes beside each other; under a sanitizer the first few. Where
// the environment says whose turn it is (tests/sanitized.h), as in `.ci/run`, a third of them.
constexpr std::size_t kRun = 4;
const std::optional<std::size_t> kTurn = tests::turn();
const std::size_t kParts = kRun * (tests::kShare > 1 ? tests::kShare : kTurn ? 3 : 1);
class PlantedFaultsIn : public testing::TestWithParam<std::size_t> {};

TEST_P(PlantedFaultsIn, EveryOneIsCaught) {
    PlantedOptions options;
    options.part = (GetParam() + kRun * kTurn.value_or(0)) % kParts;
    options.parts = kParts;
    const PlantedReport report = run_planted(options);
    EXPECT_GE(report.results.size(), planted_faults().size() / kParts);
    EXPECT_TRUE(report.all_caught()) << report.text();
    EXPECT_TRUE(ir::planted_fault().empty());
}

INSTANTIATE_TEST_SUITE_P(Part, PlantedFaultsIn, testing::Range(std::size_t{0}, kRun));

}  // namespace
}  // namespace proviso::fuzz
