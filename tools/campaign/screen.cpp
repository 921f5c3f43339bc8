#include "tools/campaign/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tools/support/terminal.h"

namespace proviso::tools {

namespace {

constexpr double kEvery = 0.5;          // seconds
constexpr std::size_t kMostShown = 16;  // processes

std::string slowest_text(const fuzz::Journal& journal) {
    std::pair<double, std::uint64_t> slowest{0, 0};
    for (const auto& [number, chunk] : journal.chunks()) {
        for (const auto& one : chunk.slowest) slowest = std::max(slowest, one);
    }
    if (slowest.first == 0) return "-";
    return fmt::format("case {}, {:.2f} s", slowest.second, slowest.first);
}

}  // namespace

std::string campaign_screen(const fuzz::RunProgress& p, const fuzz::CampaignSettings& settings) {
    const fuzz::Journal& j = *p.journal;
    const auto alarms = j.counts().find("findings");
    std::string out =
        fmt::format("campaign of {}, seed {}: {:.0f} s\n", settings.kind, settings.seed, p.seconds);
    out += fmt::format("  cases     {}, {} here, {:.1f} a second\n", j.cases(), p.cases_here,
                       p.seconds > 0 ? static_cast<double>(p.cases_here) / p.seconds : 0.0);
    out += fmt::format("  chunks    {}{}\n", j.chunks().size(),
                       settings.cases == 0 ? "" : fmt::format(" of {}", settings.chunks()));
    out += fmt::format("  findings  {}\n", alarms == j.counts().end() ? 0 : alarms->second);
    out += fmt::format("  coverage  {} counters\n", j.counts().size());
    out += fmt::format("  slowest   {}\n", slowest_text(j));
    out += fmt::format("  others    {} processes\n", p.others);
    for (std::size_t k = 0; k < std::min(p.running.size(), kMostShown); ++k) {
        const auto& r = p.running[k];
        out += fmt::format("  running   chunk {}, case {}, {:.0f} s\n", r.chunk, r.current_case,
                           r.seconds);
    }
    return out;
}

void LiveScreen::show(const fuzz::RunProgress& p) {
    if (p.seconds < next_) return;
    next_ = p.seconds + kEvery;
    const std::string text = visible(campaign_screen(p, settings_));
    std::string out;
    if (lines_ > 0) out = fmt::format("\x1b[{}A\x1b[J", lines_);  // up, and away with what was
    out += text;
    lines_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    std::fputs(out.c_str(), stdout);
    std::fflush(stdout);
}

}  // namespace proviso::tools
