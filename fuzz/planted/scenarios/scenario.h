// Scenarios: a small program and steps that are wrong because of exactly one obligation (or right,
// for comparison). They are the seed corpus of the planted-fault campaign: a build that forgets the
// obligation accepts the step, and the interpreter shows what that does.
#pragma once

#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "fuzz/gen/steps/steps.h"
#include "ir/result.h"

namespace proviso::fuzz {

struct ScenarioStep {
    const char* rule;
    const char* site;
    const char* args;  // JSON
};

struct Scenario {
    const char* name;     // "split without its guard"
    const char* forgets;  // the words in the purpose of the obligation that alone refuses the last
                          // step; "": something else refuses it; null: every step is right
    const char* program;  // TVMScript
    std::vector<ScenarioStep> steps;
};

// All of them, in a fixed order.
const std::vector<Scenario>& scenarios();

// The parts, one file each.
const std::vector<Scenario>& loop_scenarios();
const std::vector<Scenario>& structure_scenarios();
const std::vector<Scenario>& layout_scenarios();
const std::vector<Scenario>& memory_scenarios();
const std::vector<Scenario>& claim_scenarios();
const std::vector<Scenario>& data_scenarios();
const std::vector<Scenario>& guard_scenarios();
const std::vector<Scenario>& lowering_scenarios();
const std::vector<Scenario>& function_scenarios();
const std::vector<Scenario>& unsound_scenarios();
const std::vector<Scenario>& attack_scenarios();
const std::vector<Scenario>& barrier_scenarios();
const std::vector<Scenario>& right_scenarios();

// A scenario read in a context. Fails on a mistake in its text.
struct LoadedScenario {
    ir::Function program;
    std::vector<StepGuess> steps;
};
Result<LoadedScenario> load_scenario(ir::Context& ctx, const Scenario& scenario);

}  // namespace proviso::fuzz
