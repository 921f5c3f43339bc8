// A case of forged steps: a program and steps that are accepted, from a schedule or guessed; and
// each of them again, on the program that it was for, with a mistake in what it proposes. What the
// kernel takes is judged at once.
#include <nlohmann/json.hpp>

#include "fuzz/campaign/case.h"
#include "fuzz/gen/forged/forged_steps.h"
#include "fuzz/gen/general_program.h"
#include "fuzz/gen/pairs/pairs.h"
#include "fuzz/gen/schedules/schedules.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

constexpr std::size_t kMostStatements = 120;
constexpr std::uint64_t kForgedStepLimit = 30'000;
constexpr std::uint64_t kForgedSolverBudget = 40'000;

}  // namespace

CampaignOptions forged_campaign() {
    CampaignOptions out;
    out.forged_steps = true;
    out.tiers = kNoTiers;
    out.tiers.solver = 8;
    out.solver_budget = kForgedSolverBudget;
    out.steps = 48;
    out.runs = 4;
    return out;
}

// Which program, and whether its steps come from a schedule.
void CaseRunner::program_to_forge() {
    switch (choice_.weighted({45, 20, 10, 25})) {
        case 0: {
            GeneratedPair pair = generate_pair(ctx_, choice_, o_.pair_family);
            program_ = std::move(pair.program);
            schedule_ = std::move(pair.schedule);
            break;
        }
        case 1:
            program_ = generate_program(ctx_, choice_, ProgramStyle::Blocks);
            schedule_ = generate_schedule(program_.function, choice_);
            break;
        case 2: program_ = generate_program(ctx_, choice_, ProgramStyle::Mixed); break;
        default: program_ = general_program(ctx_, choice_);
    }
}

std::vector<Failure> CaseRunner::forged_steps() {
    program_to_forge();
    for (const std::string& f : program_.features) ++s_.features[f];
    ++s_.cases;
    RefinementCounts alone;
    check_refinement(ctx_, program_.function, program_.function, program_.ranges, o_.runs, seed_,
                     alone, kForgedStepLimit);
    if (alone.counted == 0) return {};
    ++s_.valid;
    Result<rewrite::Derivation> right = rewrite::Derivation::start(ctx_, program_.function);
    PROVISO_CHECK(right.ok(), "a generated program is not well-formed");
    if (o_.show) o_.show(program_.function, schedule_);
    if (!schedule_.empty()) {
        schedule(*right);
    } else {
        steps(*right);
    }
    s_.rules.clear();  // of the right steps
    accepted_.clear();
    for (int k = 0; k < o_.steps && failures_.empty() && !right->steps().empty(); ++k) {
        try_forged(*right, k);
    }
    return std::move(failures_);
}

void CaseRunner::try_forged(const rewrite::Derivation& right, int k) {
    const auto last = static_cast<std::int64_t>(right.steps().size()) - 1;
    const auto at = static_cast<std::size_t>(choice_.between(0, last));
    const rewrite::Step& step = right.steps()[at];
    if (all_statements(step.before).size() > kMostStatements) return;
    rewrite::Derivation d = right;
    d.roll_back(at);
    const std::optional<StepGuess> guess =
        forged_step(ctx_, step.before, {step.rule, step.site, step.args}, choice_);
    if (!guess) return;
    RuleCounts& counts = s_.rules[step.rule];
    ++counts.tried;
    const auto refused =
        d.apply(guess->rule, guess->site, nlohmann::json::parse(guess->args), prover_);
    if (refused) {
        counts.count(*refused);
        const bool asked = refused->failed.has_value();
        RefusalCounts& by =
            s_.refused[{guess->rule, asked ? owed_name(refused->failed->purpose.kind) : ""}];
        const bool wrong = asked && refused->answer.verdict == analysis::Verdict::Refuted;
        ++(wrong ? by.refuted : by.unknown);
        return;
    }
    ++counts.accepted;
    for (const std::string& f : program_.features) ++s_.accepted_with[f];
    std::vector<StepGuess> steps;
    for (std::size_t i = 0; i < at; ++i) {
        const rewrite::Step& before = right.steps()[i];
        steps.push_back({before.rule, before.site, before.args});
    }
    steps.push_back(*guess);
    judge(step.before, d, steps, k, kForgedStepLimit);
}

}  // namespace proviso::fuzz
