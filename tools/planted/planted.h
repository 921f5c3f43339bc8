// proviso fuzz --planted and --omissions. They need trusted code with faults in it, which `proviso`
// does not have: the program `proviso-planted` is `proviso` with a copy of that code.
#pragma once

#include "tools/commands.h"

namespace proviso::tools {

// In `proviso-planted` (with_faults.cpp): runs the campaign. In `proviso` (without_faults.cpp):
// becomes `proviso-planted`, which is looked for beside it, with the same arguments; bad input
// where there is none.
int run_planted(const FuzzCommand& o);

}  // namespace proviso::tools
