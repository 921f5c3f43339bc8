// The new text of `drop-guard`, for proposers that need to name sites in it, and for
// `guard-inside`.
#pragma once

#include <vector>

#include "rewrite/rules/statement/drop_guard.h"

namespace proviso::rewrite {

// The members of a conjunction, as they are evaluated: from left to right. An argument `keep` of
// the rule counts them from 0.
std::vector<ir::Expr> guard_parts(ir::Expr guard);

// What `without_guard` makes of the text that the rule `drop-guard` proposes by its arguments
// `keep` and `domains`.
Result<GuardRemoved> remove_guard(ir::Context& ctx, const ir::Function& before,
                                  const ir::Site& site, const nlohmann::json& args);

}  // namespace proviso::rewrite
