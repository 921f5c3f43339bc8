// Whether memory after a run refines what another run left.
#pragma once

#include <optional>
#include <string>

#include "ir/interp/memory.h"

namespace proviso::ir {

// Refinement of memory: every cell of `after` refines the one of `before` (whatever refines indet,
// a definite value only itself, inaccessible cells are not compared). Gives the first cell that
// does not, in words: "A[3, 1]: -0.0 does not refine 0.0".
std::optional<std::string> refinement_violation(const std::string& name, const Tensor& before,
                                                const Tensor& after);

}  // namespace proviso::ir
