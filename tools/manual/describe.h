// From CLI11's objects to the table of commands. CLI11 is named only here, so that who includes
// this need not compile it.
#pragma once

#include "tools/manual/command_table.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace proviso::tools {

// Arguments and options as --help lists them; name and description. Example and page are the
// caller's.
CommandInfo describe(const CLI::App& app);

}  // namespace proviso::tools
