#include "verify/check/whole.h"

#include <algorithm>

namespace proviso::verify {

namespace {

// Calibrated on the examples (proviso-bench --lowerings): an execution of so many nodes takes less
// than a quarter of what a median step takes, and there are two.
constexpr std::uint64_t kNodesForAStep = 250;
constexpr std::uint64_t kNodesAtLeast = 25'000;  // ten milliseconds, whatever there was to prove
constexpr std::uint64_t kNodesAtMost = 100'000;

}  // namespace

WholeResult validate_whole(const rewrite::Derivation& derivation) {
    WholeResult out;
    const std::vector<rewrite::Step>& steps = derivation.steps();
    if (steps.empty()) return out;
    TvOptions options;
    options.step_limit =
        std::clamp<std::uint64_t>(kNodesForAStep * steps.size(), kNodesAtLeast, kNodesAtMost);
    options.cell_limit = 1 << 12;
    options.query_limit = 32;
    options.term_limit = 2'000;
    analysis::ProverOptions cheap;
    cheap.use_z3 = false;
    cheap.use_cvc5 = false;
    analysis::Prover prover(derivation.context(), cheap);
    out.tv =
        validate(derivation.context(), derivation.source(), derivation.current(), prover, options);
    if (out.tv.verdict != TvVerdict::Refuted) return out;
    for (std::size_t k = 0; k < steps.size() && out.step == 0; ++k) {
        const TvResult one =
            validate(derivation.context(), steps[k].before, steps[k].after, prover, options);
        if (one.verdict == TvVerdict::Refuted) out.step = k + 1;
    }
    return out;
}

}  // namespace proviso::verify
