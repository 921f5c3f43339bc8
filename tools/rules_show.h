// proviso rules show NAME: everything about one expression rule.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rewrite/expression_rules/expression_rule.h"
#include "tools/commands.h"

namespace proviso::tools {

nlohmann::json rule_json(const rewrite::ExpressionRule& rule);
int show_rule(const RulesOptions& options);

}  // namespace proviso::tools
