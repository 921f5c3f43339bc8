// Guessed steps on guards, loop ranges, loops next to each other, and assumptions.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "fuzz/gen/steps/steps.h"

namespace proviso::fuzz {

// merge-guards, add-guard, hoist, trim-loop, split-range, merge-loops, fission, unroll,
// reverse-loop, add-assume, drop-assume, check-assume: at sites where they match, with bounds and
// conditions that are often nearly right.
std::optional<StepGuess> guess_structure(ir::Context& ctx, const ir::Function& f,
                                         std::set<std::string>& names, Choice& choice);

}  // namespace proviso::fuzz
