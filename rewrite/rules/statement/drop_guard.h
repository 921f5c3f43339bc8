// The program that `drop-guard` makes, for proposers that need to name sites in it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "ir/result.h"
#include "ir/site.h"

namespace proviso::rewrite {

struct GuardRemoved {
    ir::Function after;
    ir::Expr guard = nullptr;
    // Where the guarded statement stands in `after`: one site, or one for each element of a list
    // that was flattened into its surroundings.
    std::vector<ir::Site> scopes;
};

// `domains`: for a block, iterator name -> new upper bound (may be null).
Result<GuardRemoved> remove_guard(ir::Context& ctx, const ir::Function& before,
                                  const ir::Site& site, const nlohmann::json& domains);

}  // namespace proviso::rewrite
