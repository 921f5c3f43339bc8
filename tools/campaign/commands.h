// proviso campaign: options as plain data, as in tools/commands.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/folder/kinds.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace proviso::tools {

struct CampaignCommand {
    std::string action;  // init, run, status, merge, replay, report, submit
    std::string folder;
    std::string other;               // merge: a folder; replay: the beginning of a finding's id
    std::vector<std::string> given;  // options that were given

    // init
    fuzz::CampaignSettings settings;

    // run
    unsigned jobs = 1;
    double time = 0;           // seconds; 0: no end
    std::uint64_t chunks = 0;  // 0: any number

    // report
    std::string html;   // file; "-": standard output; empty: none
    std::string junit;  // file; empty: none

    // submit
    bool slurm = false;
    std::uint64_t nodes = 1;  // tasks, one a node
    std::string array;        // which tasks, as Slurm writes it; empty: all
    bool dry_run = false;     // only say what would be submitted

    bool json = false;
    bool quiet = false;
};
void add_campaign(CLI::App& app, CampaignCommand& o);
int run_campaign(const CampaignCommand& options);

// The kind of that name, with what runs it where this program does.
const fuzz::CampaignKind* campaign_kind(const std::string& name);

// One a file.
int campaign_init(const CampaignCommand& o);
int campaign_run(const CampaignCommand& o, const fuzz::CampaignSettings& settings);
int campaign_status(const CampaignCommand& o, const fuzz::CampaignSettings& settings);
int campaign_merge(const CampaignCommand& o, const fuzz::CampaignSettings& settings);
int campaign_replay(const CampaignCommand& o, const fuzz::CampaignSettings& settings);
int campaign_report(const CampaignCommand& o, const fuzz::CampaignSettings& settings);
int campaign_submit(const CampaignCommand& o);

// The program that runs.
std::string campaign_program();

}  // namespace proviso::tools
