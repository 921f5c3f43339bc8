#include <cstdio>
#include <nlohmann/json.hpp>

#include "tools/campaign/commands.h"
#include "tools/campaign/state.h"
#include "tools/support/support.h"

namespace proviso::tools {

int campaign_status(const CampaignCommand& o, const fuzz::CampaignSettings& settings) {
    const Result<CampaignState> state = campaign_state(o.folder, settings);
    if (!state) return bad_input(state.error(), o.json);
    if (o.json) {
        print_json(state->json());
    } else {
        std::printf("%s", state->text().c_str());
    }
    return state->fine() ? kFine : kRefuted;
}

}  // namespace proviso::tools
