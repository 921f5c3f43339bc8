// Campaigns (fuzz/folder/kinds.h) about planted faults, and campaigns while one is on.
#pragma once

#include <string>
#include <vector>

#include "fuzz/folder/kinds.h"

namespace proviso::fuzz {

// Those of `campaign_kinds()` that need faults in the code, with what runs them.
const std::vector<CampaignKind>& kinds_with_faults();

// Whether a campaign can run while this fault is on: an id of a fault that is a switch
// (registry.h), or "omit:WORDS" (ir/planted.h).
bool can_turn_on(const std::string& fault);
void turn_on(const std::string& fault);

}  // namespace proviso::fuzz
