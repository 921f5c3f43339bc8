// A campaign as one page of HTML for a browser without a network, and without a script.
#pragma once

#include <string>

#include "tools/campaign/state.h"

namespace proviso::tools {

// `state` with the counts of each chunk; `folder`: where its findings are.
std::string campaign_page(const CampaignState& state, const std::string& folder);

}  // namespace proviso::tools
