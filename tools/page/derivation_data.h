// Members of a page's data and texts for a derivation, shared by `lower` and `check`.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rewrite/kernel/derivation.h"

namespace proviso::tools {

// Sets "steps", "obligations", "source", "layouts" of `data`; and `texts`.
void add_derivation(ir::Context& ctx, const rewrite::Derivation& derivation, nlohmann::json& data,
                    nlohmann::json& texts);

}  // namespace proviso::tools
