// Forged steps: what a rule proposes, with a mistake in it. The theorems (docs/refinement.md) are
// to refuse each mistake that matters, whoever makes it, so these are what an attacker who knows
// them well would write into a log.
#pragma once

#include "fuzz/gen/steps/steps.h"
#include "rewrite/schedule/restated.h"

namespace proviso::fuzz {

// What the rule of `step` proposes to the theorem of rescheduling, as a step `restate` that says
// the same; a step of another rule as it is. nullopt: the rule does not match.
std::optional<StepGuess> spelled_out(ir::Context& ctx, const ir::Function& f,
                                     const StepGuess& step);

// The step spelled out, with one to three mistakes: another text, whose parts may be told along or
// not; other values, conditions, origins; parts that are missing, twice or set apart; more that is
// left out or extra. Of other rules, near values of the arguments.
std::optional<StepGuess> forged_step(ir::Context& ctx, const ir::Function& f, const StepGuess& step,
                                     Choice& choice);

// The mistakes alone, in a proposal for the statement at `site`: `r.count` of a list, if not 1.
void forge(ir::Context& ctx, const ir::Function& f, const ir::Site& site, rewrite::Restated& r,
           Choice& choice);

}  // namespace proviso::fuzz
