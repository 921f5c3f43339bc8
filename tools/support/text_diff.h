// The difference of two texts, line by line, as a unified diff.
#pragma once

#include <string>

namespace proviso::tools {

// Hunks with three lines around every change; empty when nothing differs.
std::string unified_diff(const std::string& before, const std::string& after,
                         const std::string& before_name, const std::string& after_name);

}  // namespace proviso::tools
