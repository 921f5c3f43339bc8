// A step's arguments hold nothing that is not read.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ir/result.h"

namespace proviso::rewrite {

// Fails where `object` is no JSON object, or has a member that is none of `names` (by spaces).
Status only_members(const nlohmann::json& object, const std::string& names);

// Fails where the rule of that name does not read some argument.
Status only_arguments(const std::string& rule, const nlohmann::json& args);

}  // namespace proviso::rewrite
