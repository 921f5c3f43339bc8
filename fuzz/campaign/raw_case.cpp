// A case of raw steps: a general program, and steps with any arguments on it. Each step that the
// kernel takes is judged at once, so a finding has one step, and the program before it.
#include <nlohmann/json.hpp>

#include "fuzz/campaign/case.h"
#include "fuzz/gen/general_program.h"
#include "fuzz/gen/steps/raw_steps.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

// Steps on larger programs take longer and find nothing else.
constexpr std::size_t kMostStatements = 70;
// Bounds of loops may be anything. Small programs show what there is to see in far fewer.
constexpr std::uint64_t kRawStepLimit = 10'000;

}  // namespace

CampaignOptions raw_campaign() {
    CampaignOptions out;
    out.raw_steps = true;
    out.tiers = kNoTiers;
    out.steps = 48;
    out.runs = 4;
    return out;
}

void CaseRunner::judge(const Function& before, const rewrite::Derivation& d,
                       const std::vector<StepGuess>& steps, int k, std::uint64_t step_limit) {
    const bool other_layout = before.attrs.count(analysis::kLayoutAttr) != 0;
    const Function& from = other_layout ? d.source() : before;
    const std::uint64_t counted = s_.refinement.counted;
    const auto found =
        check_refinement(ctx_, from, d.current(), program_.ranges, o_.runs,
                         mix(seed_, static_cast<std::uint64_t>(k)), s_.refinement, step_limit);
    s_.judged += s_.refinement.counted > counted ? 1 : 0;
    if (!found) return;
    failures_.push_back({from, program_.ranges, {steps.back()}, "", *found});
    if (other_layout) failures_.back().steps = steps;
    failures_.back().finding.setup.series = seed_;
}

std::vector<Failure> CaseRunner::raw_steps() {
    program_ = general_program(ctx_, choice_);
    for (const std::string& f : program_.features) ++s_.features[f];
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx_, program_.function);
    PROVISO_CHECK(d.ok(), "a generated program is not well-formed");
    if (o_.show) o_.show(program_.function, "");
    RefinementCounts alone;  // the source with itself
    if (auto found = check_refinement(ctx_, d->source(), d->source(), program_.ranges, o_.runs,
                                      seed_, alone, kRawStepLimit)) {
        report(found, {});
    }
    ++s_.cases;
    if (alone.counted == 0 || !failures_.empty()) return std::move(failures_);
    ++s_.valid;
    for (int k = 0; k < o_.steps; ++k) {
        const StepGuess guess = raw_step(ctx_, d->current(), choice_);
        RuleCounts& counts = s_.rules[guess.rule];
        ++counts.tried;
        const Function before = d->current();
        const auto refused =
            d->apply(guess.rule, guess.site, nlohmann::json::parse(guess.args), prover_);
        if (refused) {
            counts.count(*refused);
            continue;
        }
        ++counts.accepted;
        accepted_.push_back(guess);
        judge(before, *d, accepted_, k, kRawStepLimit);
        if (!failures_.empty()) break;
        if (all_statements(d->current()).size() > kMostStatements) break;
    }
    for (const std::string& f : program_.features) s_.accepted_with[f] += accepted_.size();
    return std::move(failures_);
}

}  // namespace proviso::fuzz
