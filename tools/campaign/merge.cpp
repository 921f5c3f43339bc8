// proviso campaign merge and replay.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/reproduce.h"
#include "fuzz/folder/chunk_process.h"
#include "fuzz/folder/copy.h"
#include "tools/campaign/commands.h"
#include "tools/campaign/state.h"
#include "tools/support/support.h"
#include "tools/support/terminal.h"

namespace proviso::tools {

namespace {

int say(const CampaignCommand& o, bool seen, const std::string& what) {
    if (o.json) {
        print_json({{"reproduced", seen}, {"what", what}});
    } else {
        std::printf("%s\n%s\n", seen ? "reproduced" : "not reproduced", visible(what).c_str());
    }
    return seen ? kRefuted : kFine;
}

}  // namespace

int campaign_merge(const CampaignCommand& o, const fuzz::CampaignSettings& settings) {
    const Result<fuzz::CampaignSettings> other = fuzz::read_settings(o.other);
    if (!other) return bad_input(other.error(), o.json);
    if (!(*other == settings)) {
        return bad_input(error(o.folder + " and " + o.other + " are different campaigns",
                               "only folders with the same campaign.json can be merged"),
                         o.json);
    }
    const Status ok = fuzz::add_campaign_folder(o.folder, o.other);
    if (!ok) return bad_input(ok.error(), o.json);
    return campaign_status(o, settings);
}

int campaign_replay(const CampaignCommand& o, const fuzz::CampaignSettings& settings) {
    const fuzz::KeptFindings kept = fuzz::kept_findings(o.folder);
    const Result<std::size_t> place = fuzz::find_finding(kept, o.other);
    if (!place) return bad_input(place.error(), o.json);
    const fuzz::CampaignFinding& was = kept.list[*place];
    if (was.replay == fuzz::Replay::Failure) {
        const Result<fuzz::Reproduction> seen = fuzz::reproduce(
            fuzz::findings_folder(o.folder) + "/" + kept.ids[*place], campaign_program());
        if (!seen) return bad_input(seen.error(), o.json);
        return say(o, seen->reproduced, seen->text);
    }
    const Result<fuzz::CaseAgain> again =
        fuzz::run_case_again(*campaign_kind(settings.kind), settings, was, campaign_program());
    if (!again) return bad_input(again.error(), o.json);
    return say(o, again->reproduced, again->text);
}

}  // namespace proviso::tools
