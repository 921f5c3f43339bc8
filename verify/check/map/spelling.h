// A statement spelled in another way: each expression by an equal one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "rewrite/passes/proposer.h"

namespace proviso::verify {

// Steps of `replace` that make the statement at `site` be `wanted`, which differs in expressions
// only. False: not all were accepted, and `why` has the last refusal.
bool spell(rewrite::Proposer& p, const ir::Site& site, ir::Stmt wanted,
           std::optional<rewrite::Rejection>& why);

// Expressions as arguments of a step have them.
nlohmann::json texts(std::span<const ir::Expr> list);

// In one line: what was not proved, and values that show why not.
std::string refusal_text(const rewrite::Rejection& no);

}  // namespace proviso::verify
