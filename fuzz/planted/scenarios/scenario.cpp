#include "fuzz/planted/scenarios/scenario.h"

#include "ir/text.h"

namespace proviso::fuzz {

const std::vector<Scenario>& scenarios() {
    static const std::vector<Scenario> all = [] {
        std::vector<Scenario> out;
        for (const auto* part :
             {&loop_scenarios(), &structure_scenarios(), &layout_scenarios(), &memory_scenarios(),
              &claim_scenarios(), &data_scenarios(), &guard_scenarios(), &lowering_scenarios(),
              &function_scenarios(), &unsound_scenarios(), &attack_scenarios(),
              &barrier_scenarios(), &right_scenarios()}) {
            out.insert(out.end(), part->begin(), part->end());
        }
        return out;
    }();
    return all;
}

Result<LoadedScenario> load_scenario(ir::Context& ctx, const Scenario& scenario) {
    LoadedScenario out;
    const Result<ir::Function> f = ir::parse_function(ctx, scenario.program, scenario.name);
    if (!f) return f.error();
    out.program = *f;
    for (const ScenarioStep& s : scenario.steps) {
        const Result<ir::Site> site = ir::Site::parse(s.site);
        if (!site) return site.error();
        out.steps.push_back(StepGuess{s.rule, *site, s.args});
    }
    return out;
}

}  // namespace proviso::fuzz
