#include "fuzz/folder/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tools/campaign/commands.h"
#include "tools/campaign/screen.h"
#include "tools/campaign/state.h"
#include "tools/support/progress.h"
#include "tools/support/support.h"

namespace proviso::tools {

namespace {

std::string end_words(const fuzz::RunReport& r) {
    switch (r.end) {
        case fuzz::RunEnd::Finished: return "the campaign is finished";
        case fuzz::RunEnd::Time: return "the time is over";
        case fuzz::RunEnd::Chunks: return "the chunks are done";
        case fuzz::RunEnd::Signal: return std::string("ended by SIG") + sigabbrev_np(r.signal);
    }
    return "";
}

std::string progress_line(const fuzz::RunProgress& p) {
    const auto found = p.journal->counts().find("findings");
    return fmt::format("{} cases in {} chunks, {} here, {} findings, coverage {}",
                       p.journal->cases(), p.journal->chunks().size(), p.cases_here,
                       found == p.journal->counts().end() ? 0 : found->second,
                       p.journal->coverage());
}

}  // namespace

int campaign_run(const CampaignCommand& o, const fuzz::CampaignSettings& settings) {
    fuzz::RunOptions options;
    options.folder = o.folder;
    options.settings = settings;
    options.kind = campaign_kind(settings.kind);
    options.jobs = o.jobs;
    options.seconds = o.time;
    options.chunks = o.chunks;
    options.proviso = campaign_program();
    if (!o.quiet && !o.json && ::isatty(STDOUT_FILENO) == 1) {
        options.progress = [screen = std::make_shared<LiveScreen>(o.folder, settings)](
                               const fuzz::RunProgress& p) { screen->show(p); };
    } else if (!o.quiet && !o.json) {
        options.progress = [line = std::make_shared<ProgressLine>()](const fuzz::RunProgress& p) {
            line->show(progress_line(p));
        };
    }
    const Result<fuzz::RunReport> report = fuzz::run_campaign_folder(options);
    options.progress = nullptr;
    if (!report) return bad_input(report.error(), o.json);
    const Result<CampaignState> state = campaign_state(o.folder, settings);
    if (!state) return bad_input(state.error(), o.json);
    if (o.json) {
        nlohmann::json out = state->json();
        out["here"] = {
            {"chunks", report->chunks}, {"cases", report->cases}, {"end", end_words(*report)}};
        print_json(out);
    } else {
        std::printf("%s: %s chunks and %s cases here\n%s", end_words(*report).c_str(),
                    std::to_string(report->chunks).c_str(), std::to_string(report->cases).c_str(),
                    state->text().c_str());
    }
    return state->fine() ? kFine : kRefuted;
}

}  // namespace proviso::tools
