#include "fuzz/oracle/derivations.h"

#include <algorithm>

#include "analysis/layout/layout.h"
#include "fuzz/oracle/refinement.h"
#include "rewrite/schedule/adapters.h"
#include "verify/tv/validate.h"

namespace proviso::fuzz {

using namespace ir;

std::optional<Finding> check_validation(const rewrite::Derivation& d, analysis::Prover& prover,
                                        ValidationCounts& counts) {
    verify::TvOptions options;  // small: what is not decided here says nothing
    options.step_limit = 50'000;
    options.query_limit = 32;
    verify::Validation validation(d.context(), prover, options);
    for (const rewrite::Step& step : d.steps()) {
        const verify::TvResult r = validation.step(step.before, step.after);
        ++counts.steps;
        if (r.verdict == verify::TvVerdict::Bounded) ++counts.bounded;
        if (r.verdict == verify::TvVerdict::Refuted) {
            const std::string at = r.sizes.empty() ? "" : " at " + r.sizes;
            return Finding{"validation", step.rule, step.site.str() + ": " + r.what + at, {}, {}};
        }
    }
    return std::nullopt;
}

std::optional<Finding> check_adapters(Context& ctx, const Function& f,
                                      const std::map<std::string, CellRange>& ranges, int runs,
                                      std::uint64_t seed, analysis::Prover& prover,
                                      AdapterCounts& counts) {
    const std::vector<Buffer> buffers = f.buffer_params();
    const bool changed = std::any_of(buffers.begin(), buffers.end(), [&](Buffer b) {
        return !analysis::layouts_of(ctx, f, b->name).empty();
    });
    if (!changed) return std::nullopt;
    ++counts.programs;
    const Result<std::vector<rewrite::Adapter>> made = rewrite::adapters(ctx, f, prover);
    if (!made) {
        ++counts.refused;
        return std::nullopt;
    }
    for (const rewrite::Adapter& a : *made) {
        ++counts.parameters;
        RefinementCounts compared;
        auto found = check_refinement(ctx, a.round_trip.source(), a.round_trip.current(), ranges,
                                      runs, seed, compared);
        if (!found) continue;
        found->oracle = "adapters";
        found->detail = a.parameter + ": " + found->detail;
        return found;
    }
    return std::nullopt;
}

}  // namespace proviso::fuzz
