// What the kernel asks a rule, and what it asks of every rule's answer.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

// The rule's proposal. A refusal, too, where the arguments are of a form that the rule does not
// read, and where the goal of an obligation speaks of the result of an opaque call: formulas take a
// call as a function of its arguments, and it is none (docs/semantics.md, "Opaque calls"). Facts
// that speak of one are left out.
Result<Proposal> propose_step(const Rule& rule, ir::Context& ctx, const ir::Function& before,
                              const ir::Site& site, const nlohmann::json& args);

}  // namespace proviso::rewrite
