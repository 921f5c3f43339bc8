// The program that `drop-guard` makes, for proposers that need to name sites in it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "analysis/obligation.h"
#include "ir/result.h"
#include "ir/site.h"

namespace proviso::rewrite {

struct GuardRemoved {
    ir::Function after;
    ir::Expr guard = nullptr;  // the whole of it, kept parts included
    // Where the guarded statement stands in `after`: one site, or one for each element of a list
    // that was flattened into its surroundings.
    std::vector<ir::Site> scopes;
};

// The members of a conjunction, as they are evaluated: from left to right. An argument `keep` of
// the rule counts them from 0.
std::vector<ir::Expr> guard_parts(ir::Expr guard);

// Iterator domains are claims: a wider one claims less. That `now`, the block as it becomes, has no
// smaller ones than `old`, as obligations.
void domains_only_grow(ir::Context& ctx, const ir::Block& old, const ir::Block& now,
                       const std::vector<ir::Expr>& facts, std::vector<analysis::Obligation>& out);

// `args`: those of the rule; of them `domains` and `keep` are read.
Result<GuardRemoved> remove_guard(ir::Context& ctx, const ir::Function& before,
                                  const ir::Site& site, const nlohmann::json& args);

}  // namespace proviso::rewrite
