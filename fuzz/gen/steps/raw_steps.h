// Raw steps: any rule at any site, with arguments of the right form and of the wrong one. What
// schedules and guess_step propose is what somebody had in mind; these are what an attacker sends
// in a log: the names of other binders, another type, an empty list, a witness from elsewhere.
#pragma once

#include "fuzz/gen/steps/steps.h"

namespace proviso::fuzz {

// A step for `f`; whether the rule takes it is the rule's business, which refuses and never aborts.
StepGuess raw_step(ir::Context& ctx, const ir::Function& f, Choice& choice);

}  // namespace proviso::fuzz
