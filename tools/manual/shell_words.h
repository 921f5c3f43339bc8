// Words as shells read them.
#pragma once

#include <string>
#include <vector>

#include "tools/manual/command_table.h"

namespace proviso::tools {

std::string spaced(const std::vector<std::string>& words);
// For bash and zsh: nothing within has a meaning.
std::string single_quoted(const std::string& text);
std::vector<std::string> long_and_short_names(const CommandInfo& command);

}  // namespace proviso::tools
