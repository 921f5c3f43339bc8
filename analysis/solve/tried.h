// A condition on one variable alone, solved by looking: its truth at the numbers around 0, read as
// ranges, strides and what repeats for ever. A guess: whoever uses it proves it.
//
//   x // 4 + x % 4 == 3        3 <= x and x <= 12 and x % 3 == 0
//   (x ^ 5) < 3                x <= -1 or 4 <= x and x <= 5 or x == 7
#pragma once

#include <optional>
#include <vector>

#include "analysis/solve/cases.h"

namespace proviso::analysis::solve {

// None where the condition has other variables, has no value somewhere, or looks like nothing that
// a few cases say.
std::optional<std::vector<Case>> tried(ir::Context& ctx, ir::Expr x, ir::Expr condition);

}  // namespace proviso::analysis::solve
