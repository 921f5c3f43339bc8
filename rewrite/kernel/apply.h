// One step. The kernel takes a step and an audit takes it again by the same function; what is owed
// for it each of them finds out by its own means.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>

#include "ir/known_program.h"
#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

// Whether a derivation may start with it: well-formed, and relations of its parameters that it
// brings along are of the form that obligations are made of (analysis/layout/layout_check.h).
Status check_source(ir::Context& ctx, const ir::Function& source);

struct NotApplied {
    Diagnostic why;
    std::optional<ir::Function> after;  // where the rule gave a program that is not well-formed
};

// The rule of that name at a site of the program `before`: a well-formed program after it, and what
// is owed for it, which nobody has proved yet.
std::variant<Proposal, NotApplied> apply_step(ir::Context& ctx, const ir::KnownProgram& before,
                                              const std::string& rule, const ir::Site& site,
                                              const nlohmann::json& args);

// The rule's proposal. A refusal, too, where the arguments are of a form that the rule does not
// read, and where the goal of an obligation speaks of the result of an opaque call: formulas take a
// call as a function of its arguments, and it is none (docs/semantics.md, "Opaque calls"). Facts
// that speak of one are left out. For rules that are made of others, which check no program
// between.
Result<Proposal> propose_step(const Rule& rule, ir::Context& ctx, const ir::Function& before,
                              const ir::Site& site, const nlohmann::json& args);

}  // namespace proviso::rewrite
