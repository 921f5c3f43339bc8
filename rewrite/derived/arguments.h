// Arguments that derived rules alone read.
#pragma once

#include <optional>

#include "rewrite/kernel/arguments.h"

namespace proviso::rewrite {

// Nothing where there is none.
std::optional<std::string> arg_string_if(const nlohmann::json& args, const char* key);
Result<std::vector<ir::Expr>> arg_exprs(ir::Context& ctx, const nlohmann::json& args,
                                        const char* key, const ir::Scope& scope,
                                        ir::ScalarType type);

}  // namespace proviso::rewrite
