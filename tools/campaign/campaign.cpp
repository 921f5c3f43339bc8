// proviso campaign: which action, and with which program; and what makes a campaign.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "fuzz/folder/settings.h"
#include "tools/campaign/commands.h"
#include "tools/planted/planted.h"
#include "tools/support/support.h"
#include "verify/log/format.h"

namespace proviso::tools {

namespace {

// Options that some actions take, these by name; the others are of all.
const std::map<std::string, std::string>& actions_of_options() {
    static const std::map<std::string, std::string> actions = {
        {"--kind", "init"},         {"--seed", "init"},          {"--cases", "init"},
        {"--chunk", "init"},        {"--each", "init"},          {"--fault", "init"},
        {"--case-seconds", "init"}, {"--lease-seconds", "init"}, {"--jobs", "run submit"},
        {"--guided", "init"},       {"--mutated", "init"},       {"--round", "init"},
        {"--time", "run submit"},   {"--chunks", "run"},         {"--html", "report"},
        {"--junit", "report"},      {"--slurm", "submit"},       {"--nodes", "submit"},
        {"--array", "submit"},      {"--dry-run", "submit"},     {"--inputs", "init"},
    };
    return actions;
}

Status words_fit(const CampaignCommand& o) {
    for (const std::string& option : o.given) {
        const auto of = actions_of_options().find(option);
        if (of != actions_of_options().end() && of->second.find(o.action) == std::string::npos) {
            return error("campaign " + o.action + " has no option " + option,
                         "it is one of campaign " + of->second);
        }
    }
    const bool takes_other = o.action == "merge" || o.action == "replay";
    if (!takes_other && !o.other.empty()) {
        return error("'" + o.other + "' is one argument too many", "proviso campaign --help");
    }
    if (takes_other && o.other.empty()) {
        return error("campaign " + o.action + " needs " +
                         (o.action == "merge" ? "another folder" : "the id of a finding"),
                     "proviso campaign --help");
    }
    return Unit{};
}

// What the settings mean is that of a version; what they were made by is another matter.
std::string own_version() {
    return verify::versions();
}

}  // namespace

std::string campaign_program() {
    std::error_code code;
    return std::filesystem::read_symlink("/proc/self/exe", code).string();
}

const fuzz::CampaignKind* campaign_kind(const std::string& name) {
    for (const auto* list : {&faulty_kinds(), &fuzz::campaign_kinds()}) {
        for (const fuzz::CampaignKind& kind : *list) {
            if (kind.name == name) return &kind;
        }
    }
    return nullptr;
}

int campaign_init(const CampaignCommand& o) {
    fuzz::CampaignSettings s = o.settings;
    const fuzz::CampaignKind& kind = *campaign_kind(s.kind);
    if (s.each != 0 && kind.each == 0) {
        return bad_input(error("a campaign of " + s.kind + " has no --each"), o.json);
    }
    if (s.inputs != 0 && kind.inputs == 0) {
        return bad_input(
            error("a campaign of " + s.kind + " has no --inputs", "a campaign of schedules has"),
            o.json);
    }
    if (s.guided && !kind.guided) {
        return bad_input(
            error("a campaign of " + s.kind + " cannot be guided", "a campaign of schedules can"),
            o.json);
    }
    const auto only_guided = std::find_if(o.given.begin(), o.given.end(), [](const auto& option) {
        return option == "--mutated" || option == "--round";
    });
    if (!s.guided && only_guided != o.given.end()) {
        return bad_input(error(*only_guided + " means nothing without --guided"), o.json);
    }
    if (!s.fault.empty() && kind.with_faults) {
        return bad_input(error("a campaign of " + s.kind + " turns faults on itself"), o.json);
    }
    if (!s.fault.empty() && !can_turn_on_fault(s.fault)) {
        return bad_input(error("there is no fault '" + s.fault + "' to turn on",
                               "docs/results/statement-faults.md lists them; or omit:WORDS of an "
                               "obligation"),
                         o.json);
    }
    if (s.chunk == 0) s.chunk = kind.chunk;
    if (s.each == 0) s.each = kind.each;
    if (s.inputs == 0) s.inputs = kind.inputs;
    if (kind.total != 0) s.cases = s.cases == 0 ? kind.total : std::min(s.cases, kind.total);
    s.version = own_version();
    const Status made = fuzz::make_campaign(o.folder, s);
    if (!made) return bad_input(made.error(), o.json);
    if (o.json) {
        print_json(s.json());
    } else {
        std::printf("a campaign of %s, %s\n", s.kind.c_str(),
                    s.cases == 0
                        ? fmt::format("without end, {} cases a chunk", s.chunk).c_str()
                        : fmt::format("{} cases in {} chunks", s.cases, s.chunks()).c_str());
    }
    return kFine;
}

int run_campaign(const CampaignCommand& o) {
    if (const Status ok = words_fit(o); !ok) return bad_input(ok.error(), o.json);
    Result<fuzz::CampaignSettings> settings = o.settings;
    const bool makes = o.action == "init";
    if (!makes) settings = fuzz::read_settings(o.folder);
    if (!settings) return bad_input(settings.error(), o.json);
    const fuzz::CampaignKind* const kind = campaign_kind(settings->kind);
    if (kind == nullptr) {
        return bad_input(error(o.folder + ": there is no kind '" + settings->kind + "'"), o.json);
    }
    if ((kind->with_faults || !settings->fault.empty()) && !has_faults()) {
        return become_planted(o.json);
    }
    if (makes) return campaign_init(o);
    turn_on_fault(settings->fault);
    const bool runs = o.action == "run" || o.action == "replay";
    if (runs && settings->version != own_version()) {
        return bad_input(
            error(o.folder + " is a campaign of another version: " + settings->version,
                  "this is " + own_version() + ": cases may be others now; begin another campaign"),
            o.json);
    }
    if (o.action == "submit") return campaign_submit(o);
    if (o.action == "run") return campaign_run(o, *settings);
    if (o.action == "merge") return campaign_merge(o, *settings);
    if (o.action == "replay") return campaign_replay(o, *settings);
    if (o.action == "report") return campaign_report(o, *settings);
    return campaign_status(o, *settings);
}

}  // namespace proviso::tools
