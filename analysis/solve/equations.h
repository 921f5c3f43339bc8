// Solving index equations f(x) = p for x: the search for an inverse. Sums of digits, quotients and
// remainders, linear systems, XORs with what is known. A guess: invert.h proves it.
#pragma once

#include <optional>
#include <vector>

#include "analysis/solve/index_map.h"

namespace proviso::analysis::solve {

// x, one expression a variable of the map, over `physical` and the parameters; none where some
// variable stays open.
std::optional<std::vector<ir::Expr>> solve_equations(Prover& prover, const IndexMap& map,
                                                     const std::vector<ir::Expr>& physical);

}  // namespace proviso::analysis::solve
