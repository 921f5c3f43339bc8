// proviso campaign merge and replay.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

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

int replay(const CampaignCommand& o, const fuzz::CampaignSettings& settings) {
    const fuzz::KeptFindings kept = fuzz::kept_findings(o.folder);
    if (!kept.read) return bad_input(kept.read.error(), o.json);
    const Result<std::size_t> place = fuzz::find_finding(kept, o.other);
    if (!place) return bad_input(place.error(), o.json);
    const fuzz::CampaignFinding& was = kept.list[*place];
    if (was.replay == fuzz::Replay::Failure) {
        const Result<fuzz::Reproduction> seen = fuzz::reproduce(
            fuzz::findings_folder(o.folder) + "/" + kept.ids[*place], campaign_program());
        if (!seen) return bad_input(seen.error(), o.json);
        return say(o, seen->reproduced, seen->text);
    }
    const Result<fuzz::CaseAgain> again = fuzz::run_case_again(
        *campaign_kind(settings.kind), settings, was, campaign_program(), o.folder);
    if (!again) return bad_input(again.error(), o.json);
    return say(o, again->reproduced, again->text);
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
    const Result<std::vector<std::string>> added = fuzz::add_campaign_folder(o.folder, o.other);
    if (!added) return bad_input(added.error(), o.json);
    for (const std::string& name : *added) {
        const std::string what = visible_line(o.other + "/" + name);
        std::fprintf(stderr, "note: %s is not as written, and left out\n", what.c_str());
    }
    const int code = campaign_status(o, settings);
    if (code == kFine && !added->empty()) return kRefuted;
    return code;
}

// What the system did not give, such as a folder for temporary files, says nothing of the finding.
int campaign_replay(const CampaignCommand& o, const fuzz::CampaignSettings& settings) {
    try {
        return replay(o, settings);
    } catch (const std::system_error& e) {
        return bad_input(error(std::string("the case cannot be run: ") + e.what()), o.json);
    }
}

}  // namespace proviso::tools
