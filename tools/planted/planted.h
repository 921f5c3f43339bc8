// proviso fuzz --planted and --omissions, and such campaigns. They need trusted code with faults in
// it, which `proviso` does not have: the program `proviso-planted` is `proviso` with a copy of that
// code.
#pragma once

#include <string>
#include <vector>

#include "fuzz/folder/kinds.h"
#include "tools/fuzz/commands.h"

namespace proviso::tools {

// In `proviso-planted` (with_faults.cpp): runs the campaign. In `proviso` (without_faults.cpp):
// becomes `proviso-planted`, which is looked for beside it, with the same arguments; bad input
// where there is none.
int run_planted(const FuzzCommand& o);

// The same for campaigns in folders: in `proviso` no kinds, no faults, and what becomes the other
// program; in `proviso-planted` the kinds that need faults, and the faults.
const std::vector<fuzz::CampaignKind>& faulty_kinds();
bool has_faults();
bool can_turn_on_fault(const std::string& fault);
void turn_on_fault(const std::string& fault);
int become_planted(bool json);

}  // namespace proviso::tools
