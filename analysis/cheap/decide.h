// The cheap deciders: claims closed without a solver, in microseconds. They prove or say nothing.
#pragma once

#include <optional>
#include <string>

#include "analysis/obligation.h"

namespace proviso::analysis::cheap {

// The name of the method that proves `facts ⊢ goal` ("syntax", "interval", "congruence",
// "known-bits", "linear", "float-class"), or none. Reads formulas as obligation.h says.
std::optional<std::string> decide(ir::Context& ctx, const Obligation& obligation);

}  // namespace proviso::analysis::cheap
