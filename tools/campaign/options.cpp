#include <CLI/CLI.hpp>

#include "fuzz/campaign/campaign.h"
#include "tools/campaign/commands.h"
#include "tools/support/usage.h"

namespace proviso::tools {

namespace {

constexpr std::uint64_t kMostJobs = 4096;

std::vector<std::string> kind_names() {
    std::vector<std::string> out;
    for (const fuzz::CampaignKind& kind : fuzz::campaign_kinds()) out.push_back(kind.name);
    return out;
}

}  // namespace

void add_campaign(CLI::App& app, CampaignCommand& o) {
    // Which options an action takes is said in campaign.cpp.
    const auto noted = [&o](CLI::Option* option) {
        return option->each([&o, name = option->get_name()](const std::string& /*value*/) {
            o.given.push_back(name);
        });
    };
    app.add_option(
           "ACTION", o.action,
           "init: make a campaign; run: take part in it; status: what it has come to; "
           "merge: add another folder of it; replay: see a finding again; report: a page and "
           "JUnit XML; submit: to a batch system")
        ->required()
        ->check(CLI::IsMember({"init", "run", "status", "merge", "replay", "report", "submit"}));
    app.add_option("DIR", o.folder, "the campaign's folder")
        ->type_name(kFolder)
        ->required()
        ->check(not_empty());
    app.add_option("OTHER", o.other,
                   "merge: the other folder; replay: the first digits of a finding's id")
        ->type_name(kFolder)
        ->check(not_empty());
    noted(app.add_option("--kind", o.settings.kind, "init: what its cases are")
              ->check(CLI::IsMember(kind_names()))
              ->capture_default_str());
    noted(app.add_option("--seed", o.settings.seed, "init: of the campaign")
              ->transform(count_from(0))
              ->capture_default_str());
    noted(app.add_option("--cases", o.settings.cases, "init: how many; 0: no end")
              ->transform(count_from(0))
              ->capture_default_str());
    noted(
        app.add_option("--chunk", o.settings.chunk,
                       "init: cases that one process takes at a time; default: some seconds' work")
            ->transform(count_from(1)));
    noted(app.add_option("--each", o.settings.each,
                         "init, with omissions and hostile: cases around each one")
              ->transform(count_from(1)));
    noted(app.add_option("--inputs", o.settings.inputs,
                         "init, with schedules: inputs on which each pair is run, at most; 32")
              ->transform(count_from(1, fuzz::kMostInputs)));
    noted(app.add_option("--fault", o.settings.fault,
                         "init: a planted fault that is on, which the campaign should find")
              ->type_name("ID"));
    noted(app.add_flag("--guided", o.settings.guided,
                       "init: count coverage, and make cases of those that reached something"));
    noted(app.add_option("--mutated", o.settings.mutated,
                         "init --guided: percent of the cases that are made so")
              ->transform(count_from(0, 100))
              ->capture_default_str());
    noted(app.add_option("--round", o.settings.round,
                         "init --guided: chunks that know the same, at least")
              ->transform(count_from(1, 1'000'000))
              ->capture_default_str());
    noted(app.add_option("--case-seconds", o.settings.case_seconds,
                         "init: a case that takes longer is ended, and a finding")
              ->transform(count_from(1, 1'000'000))
              ->capture_default_str());
    noted(app.add_option("--lease-seconds", o.settings.lease_seconds,
                         "init: silence after which another machine takes a chunk over")
              ->transform(count_from(1, 1'000'000))
              ->capture_default_str());
    noted(app.add_option("--jobs,-j", o.jobs, "run, submit: processes; run: 0: one a core")
              ->transform(count_from(0, kMostJobs))
              ->capture_default_str());
    noted(app.add_option("--time", o.time,
                         "run, submit: ends after so many seconds, in the middle of a case")
              ->transform(count_from(0)));
    noted(app.add_option("--chunks", o.chunks, "run: ends after so many chunks")
              ->transform(count_from(0)));
    noted(app.add_option("--html", o.html, "report: file for a page; -: to stdout")
              ->type_name(kFile));
    noted(app.add_option("--junit", o.junit, "report: file for JUnit XML")->type_name(kFile));
    noted(app.add_flag("--slurm", o.slurm, "submit: to Slurm, by sbatch"));
    noted(app.add_option("--nodes", o.nodes, "submit: tasks, each on a node of its own share")
              ->transform(count_from(1, 100'000))
              ->capture_default_str());
    noted(app.add_option("--array", o.array, "submit: tasks as Slurm writes them: 0-99%20")
              ->type_name("TASKS")
              ->check(not_empty()));
    noted(app.add_flag("--dry-run", o.dry_run, "submit: print the script, and do nothing"));
    app.add_flag("--json", o.json, "machine-readable answer");
    app.add_flag("-q,--quiet", o.quiet, "no progress");
}

}  // namespace proviso::tools
