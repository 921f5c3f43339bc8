// Guessing witnesses: at which iteration does an access touch a given cell? Index maps are inverted
// where they are sums of digits; loops that the cell does not determine take their first or last
// iteration. Guesses are checked by the kernel's obligations, so a wrong one costs time only.
#pragma once

#include <vector>

#include "analysis/access.h"

namespace proviso::rewrite {

// Candidate iterations of `access` at which it touches `cell` (one expression a dimension), best
// first, at most `limit`. Expressions are over the variables of `cell`. `shared`: loop variables
// that are also around the place where the witness is used; an undetermined one of them stays at
// its own iteration first.
std::vector<ir::Substitution> iterations_touching(ir::Context& ctx, const analysis::Access& access,
                                                  const std::vector<ir::Expr>& cell,
                                                  const std::vector<ir::Expr>& shared,
                                                  std::size_t limit = 8);

}  // namespace proviso::rewrite
