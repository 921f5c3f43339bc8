// Guessing witnesses: at which iteration does an access touch a given cell? Index maps are inverted
// by analysis/solve, loops that the cell does not determine take their own, first or last
// iteration. Guesses are checked by the kernel's obligations, so a wrong one costs time only.
#pragma once

#include <vector>

#include "analysis/memory/access.h"
#include "analysis/prover/prover.h"

namespace proviso::rewrite {

// Candidate iterations of `access` (of `f`) at which it touches `cell` (one expression a
// dimension), best first, at most `limit`. Expressions are over the variables of `cell`. `shared`:
// loop variables that are also around the place where the witness is used; an undetermined one of
// them stays at its own iteration first.
//   B[io * 4 + ii] for io < 4, ii < 4, touching B[x]:    io = x // 4, ii = x % 4
std::vector<ir::Substitution> iterations_touching(analysis::Prover& prover, const ir::Function& f,
                                                  const analysis::Access& access,
                                                  const std::vector<ir::Expr>& cell,
                                                  const std::vector<ir::Expr>& shared,
                                                  std::size_t limit = 8);

}  // namespace proviso::rewrite
