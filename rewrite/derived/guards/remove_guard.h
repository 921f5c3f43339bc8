// The new text of `drop-guard`, for proposers that need to name sites in it, and for
// `guard-inside`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "ir/function.h"
#include "ir/result.h"
#include "ir/site.h"

namespace proviso::rewrite {

// The members of a conjunction, as they are evaluated: from left to right. An argument `keep` of
// the rule counts them from 0.
std::vector<ir::Expr> guard_parts(ir::Expr guard);

struct GuardRemoved {
    ir::Function after;
    ir::Expr guard = nullptr;  // the whole of it, kept parts included
    // Where the guarded statement stands in `after`: one site, or one for each element of a list
    // that was flattened into its surroundings.
    std::vector<ir::Site> scopes;
};

// The program with the text that the rule `drop-guard` proposes by its arguments `keep` and
// `domains`.
Result<GuardRemoved> remove_guard(ir::Context& ctx, const ir::Function& before,
                                  const ir::Site& site, const nlohmann::json& args);

}  // namespace proviso::rewrite
