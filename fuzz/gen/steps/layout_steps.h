// Guessed `relayout` steps.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "fuzz/gen/steps/steps.h"

namespace proviso::fuzz {

// A buffer in another layout: transposed, tiled, or wider than it needs to be; padding none, undef
// or a value; for buffers that are written, boxes that are to cover the padding and may not.
std::optional<StepGuess> guess_relayout(ir::Context& ctx, const ir::Function& f,
                                        std::set<std::string>& names, Choice& choice);

}  // namespace proviso::fuzz
