// Probes: fixed programs that apply every operator to every type once, so that no operator waits
// for chance. Random programs find what operators do together; probes find what one does alone.
#pragma once

#include <vector>

#include "ir/context.h"

namespace proviso::fuzz {

// For each type a function over three inputs A, B, C of 12 cells and one output for each operator,
// comparison, math function and cast that cannot fault on cells in [-100, 100] (or the range of a
// wrapping type).
std::vector<ir::Function> operator_probes(ir::Context& ctx);

}  // namespace proviso::fuzz
