#include "tools/campaign/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "tools/campaign/state.h"
#include "tools/support/terminal.h"

namespace proviso::tools {

namespace {

constexpr double kEvery = 0.5;          // seconds
constexpr std::size_t kMostShown = 16;  // processes
constexpr std::size_t kMostOfACause = 60;
constexpr double kRecent = 60;  // seconds

std::string slowest_text(const fuzz::Journal& journal) {
    std::pair<double, std::uint64_t> slowest{0, 0};
    for (const auto& [number, chunk] : journal.chunks()) {
        for (const auto& one : chunk.slowest) slowest = std::max(slowest, one);
    }
    if (slowest.first == 0) return "-";
    return fmt::format("case {}, {:.2f} s", slowest.second, slowest.first);
}

std::string row(const char* name, const std::string& text) {
    return fmt::format("  {:<10}{}\n", name, text);
}

std::string share_of(std::uint64_t done, std::uint64_t all) {
    if (all == 0) return "";
    return fmt::format(" of {}, {:.1f} %", all,
                       100 * static_cast<double>(done) / static_cast<double>(all));
}

// How long the cases that are left take at this rate.
std::string left_text(const fuzz::Journal& j, const fuzz::CampaignSettings& settings, double rate) {
    if (settings.cases == 0 || rate <= 0) return "";
    const std::uint64_t left = settings.cases - std::min(settings.cases, j.cases());
    return ", " + duration_text(static_cast<double>(left) / rate) + " left";
}

std::string coverage_row(const fuzz::Journal& j, const fuzz::CampaignSettings& settings,
                         double now) {
    std::string out = coverage_text(j, settings);
    if (j.coverage() == 0) return out;
    return out + ", the last one " + duration_text(std::max(0.0, now - j.last_new())) + " ago";
}

// Of all processes, by the chunks that ended in the last minute; else by the last one that did.
double recent_rate(const fuzz::Journal& j, double now) {
    double cases = 0;
    double since = now;
    for (const auto& [number, chunk] : j.chunks()) {
        if (chunk.ended < now - kRecent) continue;
        cases += static_cast<double>(chunk.cases);
        since = std::min(since, std::max(chunk.ended - chunk.seconds, now - kRecent));
    }
    return since < now ? cases / (now - since) : 0;
}

}  // namespace

std::string campaign_screen(const fuzz::RunProgress& p, const fuzz::CampaignSettings& settings,
                            const ScreenFacts& facts) {
    const fuzz::Journal& j = *p.journal;
    const auto alarms = j.counts().find("findings");
    std::string out = fmt::format("campaign of {}, seed {}{}: {}\n", settings.kind, settings.seed,
                                  settings.guided ? ", guided" : "", duration_text(p.seconds));
    out += row("cases", fmt::format("{}{}, {} here", j.cases(), share_of(j.cases(), settings.cases),
                                    p.cases_here));
    out +=
        row("rate", fmt::format("{:.1f} a second, {:.1f} here{}", facts.recent,
                                p.seconds > 0 ? static_cast<double>(p.cases_here) / p.seconds : 0.0,
                                left_text(j, settings, facts.recent)));
    if (const std::string triples = triples_text(j, settings); !triples.empty()) {
        out += row("triples", triples);
    }
    out += row("chunks",
               fmt::format("{}{}", j.chunks().size(),
                           settings.cases == 0 ? "" : fmt::format(" of {}", settings.chunks())));
    out += row("coverage", coverage_row(j, settings, facts.now));
    out +=
        row("findings", fmt::format("{} in the cases, of {} causes",
                                    alarms == j.counts().end() ? 0 : alarms->second, facts.causes));
    if (!facts.smallest.empty()) out += row("", facts.smallest.substr(0, kMostOfACause));
    out += row("slowest", slowest_text(j));
    out += row("others", fmt::format("{} processes", p.others));
    for (std::size_t k = 0; k < std::min(p.running.size(), kMostShown); ++k) {
        const auto& r = p.running[k];
        out += row("running", fmt::format("chunk {}, case {}, {}", r.chunk, r.current_case,
                                          duration_text(r.seconds)));
    }
    return out;
}

// Findings are read again when a chunk has ended.
void LiveScreen::look(const fuzz::RunProgress& p) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    facts_.now = std::chrono::duration<double>(now).count();
    if (p.journal->chunks().size() == chunks_) return;
    chunks_ = p.journal->chunks().size();
    facts_.recent = recent_rate(*p.journal, facts_.now);
    const fuzz::KeptFindings kept = fuzz::kept_findings(folder_);
    facts_.causes = kept.causes();
    const auto smallest =
        std::min_element(kept.list.begin(), kept.list.end(),
                         [](const auto& a, const auto& b) { return a.size < b.size; });
    facts_.smallest = smallest == kept.list.end() ? "" : smallest->cause.text();
}

void LiveScreen::show(const fuzz::RunProgress& p) {
    if (p.seconds < next_) return;
    next_ = p.seconds + kEvery;
    look(p);
    const std::string text = visible(campaign_screen(p, settings_, facts_));
    std::string out;
    if (lines_ > 0) out = fmt::format("\x1b[{}A\x1b[J", lines_);  // up, and away with what was
    out += text;
    lines_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    std::fputs(out.c_str(), stdout);
    std::fflush(stdout);
}

}  // namespace proviso::tools
