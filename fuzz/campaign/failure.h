// A failure of a campaign: a program, steps and inputs on which an oracle raised the alarm. It
// stands on its own: neither seed nor generator is needed to see it again.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "fuzz/gen/steps/steps.h"
#include "fuzz/oracle/finding.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::fuzz {

struct Failure {
    ir::Function source;
    std::map<std::string, CellRange> ranges;
    std::vector<StepGuess> steps;  // in order; those that the kernel refuses are passed over
    std::string schedule;          // that the steps were made from; empty: none
    Finding finding;
};

// The programs that a failure's steps lead to.
struct Played {
    ir::Function derived;  // after the steps that were accepted
    ir::Function lowered;  // as the code generator takes it
    std::vector<StepGuess> accepted;
};
// Fails when the source is not well-formed.
Result<Played> play(ir::Context& ctx, const ir::Function& source,
                    const std::vector<StepGuess>& steps, analysis::Prover& prover);

// Asks the failure's oracle again, about this source and these steps, on made-up inputs.
std::optional<Finding> ask_again(ir::Context& ctx, const Failure& failure, int runs,
                                 analysis::Prover& prover);
// The same on the failure's own inputs.
std::optional<Finding> ask_on_inputs(ir::Context& ctx, const Failure& failure,
                                     analysis::Prover& prover);

// Whether smaller failures can be looked for: those of single expressions have nothing to leave
// out.
bool can_shrink(const Failure& failure);

// Fewer steps, then a smaller program, then simpler inputs, with the same oracle and signature.
// `budget` bounds how often the oracle is asked.
Failure shrink(ir::Context& ctx, Failure failure, int budget, analysis::Prover& prover);

// How a failure's oracle is asked while the failure is made smaller.
struct Asker {
    // On made-up inputs, about another program or other steps.
    std::function<std::optional<Finding>(const Failure&)> again;
    // On given inputs, about the failure's program and steps. Null: its inputs are left as they
    // are.
    using OnInputs = std::function<std::optional<Finding>(const ir::Inputs&)>;
    std::function<OnInputs(const Failure&)> on_inputs = {};
    std::size_t steps_kept = 1;  // at least: what is wrong is one of them
};
Failure shrink_by(const Asker& ask, ir::Context& ctx, Failure failure, int budget,
                  analysis::Prover& prover);

// The derivation by those of the failure's steps that are accepted, also added to `accepted`. Fails
// when the source is not well-formed.
Result<rewrite::Derivation> replay(ir::Context& ctx, const ir::Function& source,
                                   const std::vector<StepGuess>& steps, analysis::Prover& prover,
                                   std::vector<StepGuess>& accepted);

// The prover as campaigns use it: cheap methods and Z3 with a small budget; what it does not prove
// is refused, which costs nothing here.
analysis::ProverOptions campaign_prover();

}  // namespace proviso::fuzz
