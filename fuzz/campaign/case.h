// One case of a campaign: a generated program, steps or a schedule on it, and the oracles.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/gen/choice.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::fuzz {

// A function of the campaign's seed and the case's number.
class CaseRunner {
  public:
    CaseRunner(const CampaignOptions& options, std::uint64_t index);
    CaseRunner(const CaseRunner&) = delete;
    CaseRunner& operator=(const CaseRunner&) = delete;

    // Once. Counts into `summary()`, `cases` included, but no findings.
    std::vector<Failure> run();

    Summary& summary() { return s_; }
    // What the guide has not seen; after `run`.
    ReachedByCase reached() const;
    ir::Context& context() { return ctx_; }
    analysis::Prover& prover() { return prover_; }

  private:
    bool each(unsigned k) const { return k != 0 && index_ % k == k - 1; }
    void report(const std::optional<Finding>& found, const std::vector<StepGuess>& steps);
    void report_expression(std::optional<Finding> found, std::uint64_t seed);
    bool runs_without_fault();
    void expressions();
    void graph();  // a network, and layouts for it
    void schedule(rewrite::Derivation& d);
    void steps(rewrite::Derivation& d);
    bool make_mutated();  // guided_case.cpp: a pair of the guide, changed
    bool take_program(const std::string& text, const CorpusPair& from);
    std::vector<Failure> raw_steps();     // raw_case.cpp
    std::vector<Failure> forged_steps();  // forged_case.cpp
    // raw_case.cpp: what the k-th try has come to from `before`, of which `step` is the last of
    // `steps`, all from the source. A finding is of the step alone; or, where a caller knows
    // tensors of `before` in another layout as the source has them, of all steps.
    void judge(const ir::Function& before, const rewrite::Derivation& d,
               const std::vector<StepGuess>& steps, int k, std::uint64_t step_limit);
    void program_to_forge();
    void try_forged(const rewrite::Derivation& right, int k);
    void afterwards(const rewrite::Derivation& d);
    void cpu(rewrite::Derivation& d);

    const CampaignOptions& o_;
    Summary s_;
    std::uint64_t index_;
    std::uint64_t seed_;
    Choice choice_;
    ir::Context ctx_;
    analysis::Prover prover_;
    GeneratedProgram program_;
    std::string schedule_;
    std::vector<StepGuess> accepted_;
    InputNumbers compared_;  // source and scheduled program
    std::vector<Failure> failures_;
    Features features_;  // where there is a guide
};

}  // namespace proviso::fuzz
