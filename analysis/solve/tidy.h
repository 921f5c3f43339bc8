// A case without what its other parts imply.
#pragma once

#include "analysis/solve/cases.h"

namespace proviso::analysis::solve {

// Leaves out bounds and conditions that the facts or other bounds imply, and makes of
//   4 * i <= x and x <= 4 * i + 3 and x % 4 == j   with 0 <= j < 4     x == 4 * i + j
// False: the case cannot hold.
bool tidy(Prover& prover, const std::vector<ir::Expr>& facts, ir::Expr x, Case& c);

// Without the ends that others imply: those below the greatest lower one, or above the least upper.
void drop_implied_ends(Prover& prover, const std::vector<ir::Expr>& facts,
                       std::vector<ir::Expr>& ends, bool lower);

// Without the conditions that the facts or the other conditions imply; the last ones go first.
void drop_implied(Prover& prover, const std::vector<ir::Expr>& facts,
                  std::vector<ir::Expr>& conditions);

}  // namespace proviso::analysis::solve
