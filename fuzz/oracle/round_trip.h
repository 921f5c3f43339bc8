// The oracle of the text: a printed program reads back as itself.
#pragma once

#include <optional>

#include "fuzz/oracle/finding.h"

namespace proviso::fuzz {

// `signature`: "does not read back" or "reads back as another program".
std::optional<Finding> check_round_trip(ir::Context& ctx, const ir::Function& f);

}  // namespace proviso::fuzz
