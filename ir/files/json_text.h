// JSON as it comes from outside: read within limits (limits.h), so that no text overflows the stack
// of who walks or prints the value, or takes many times its own size in memory.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace proviso::ir {

// Empty where the text keeps to the limits: else what it passes, "JSON is nested more than 200
// deep". Of text that is no JSON it says nothing else.
std::string json_excess(std::string_view text);

// The value; a discarded one (json::is_discarded) where the text is no JSON or passes a limit.
nlohmann::json parse_json(std::string_view text);

}  // namespace proviso::ir
