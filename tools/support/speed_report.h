// What became of a program's innermost loops in machine code, for people and for machines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "backend/cpu/speed/speed.h"

namespace proviso::tools {

// {"cpu", "loops": [{"line", "loop", "lanes", "element", "vectors", "singles", "masked", "gathers",
// "branches", "unrolled", "spills", "why_not"}]}
nlohmann::json speed_json(const backend::Speed& speed);

std::string speed_text(const std::string& function, const backend::Speed& speed);

}  // namespace proviso::tools
