// A derivation's two ends compared by translation validation, as far as that costs little beside
// the derivation itself: one more line of defence, which knows nothing of steps and rules.
#pragma once

#include <cstddef>

#include "analysis/prover/prover.h"
#include "rewrite/kernel/derivation.h"
#include "verify/tv/validate.h"

namespace proviso::verify {

struct WholeResult {
    TvResult tv;
    std::size_t step = 0;  // Refuted: the number of the first step, from 1, that alone is; 0: none
};

// Unknown, without an execution, where a program would take more than so many nodes for each step
// of the derivation. The work allowed is a function of the derivation: no clock is looked at.
WholeResult validate_whole(const rewrite::Derivation& derivation);

}  // namespace proviso::verify
