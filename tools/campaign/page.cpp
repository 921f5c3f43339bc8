#include "tools/campaign/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "tools/page/files.h"
#include "tools/page/html.h"

namespace proviso::tools {

using fuzz::CampaignFinding;
using Reached = fuzz::Journal::Reached;

namespace {

constexpr std::size_t kPoints = 400;    // of a curve
constexpr std::size_t kRateParts = 60;  // of the time
constexpr double kWidth = 640;
constexpr double kHeight = 180;
constexpr double kLeft = 70;
constexpr double kBottom = 24;
constexpr double kTop = 10;

// --- plots ---------------------------------------------------------------------------------------

using Points = std::vector<std::pair<double, double>>;

// y over x from 0 on, with the ends of both axes named.
std::string plot(const std::string& title, const Points& points, const std::string& last_x) {
    if (points.empty()) return "";
    const double most_x = std::max(points.back().first, 1e-9);
    double most_y = 1;
    for (const auto& [x, y] : points) most_y = std::max(most_y, y);
    const auto at = [&](double x, double y) {
        return fmt::format("{:.1f},{:.1f}", kLeft + x / most_x * (kWidth - kLeft - 10),
                           kTop + (1 - y / most_y) * (kHeight - kTop - kBottom));
    };
    std::string path = at(points.front().first, points.front().second);
    const std::size_t stride = points.size() / kPoints + 1;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const bool last = k + 1 == points.size();
        if (k % stride == 0 || last) path += " " + at(points[k].first, points[k].second);
    }
    const double bottom = kHeight - kBottom;
    std::string out =
        fmt::format("<h3>{}</h3>\n<svg viewBox=\"0 0 {} {}\" width=\"{}\" role=\"img\" ",
                    html_text(title), kWidth, kHeight, kWidth);
    out += fmt::format("aria-label=\"{}: {:.0f} after {}\">\n", html_text(title), most_y, last_x);
    out += fmt::format(
        "<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"currentColor\" opacity=\"0.4\"/>\n",
        kLeft, kTop, bottom, kWidth - 10);
    out += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\"/>\n",
        path);
    out += fmt::format("<text class=\"axis end\" x=\"{}\" y=\"{}\">{:.0f}</text>\n", kLeft - 6,
                       kTop + 8, most_y);
    out += fmt::format("<text class=\"axis end\" x=\"{}\" y=\"{}\">0</text>\n", kLeft - 6, bottom);
    out += fmt::format("<text class=\"axis end\" x=\"{}\" y=\"{}\">{}</text>\n</svg>\n",
                       kWidth - 10, kHeight - 6, last_x);
    return out;
}

// Cases a second from the start to `end`, in equal parts of the time. A chunk's cases count as if
// each took as long as the others.
Points rate(const CampaignState& s, double end) {
    const double start = s.started();
    const double width = std::max((end - start) / kRateParts, 1e-3);
    std::vector<double> cases(kRateParts, 0);
    for (const auto& [number, chunk] : s.journal.chunks()) {
        const double from = chunk.ended - chunk.seconds - start;
        const double to = std::max(chunk.ended - start, from + 1e-6);
        const double a_second = static_cast<double>(chunk.cases) / (to - from);
        for (auto k = static_cast<std::size_t>(from / width); k < kRateParts; ++k) {
            const double left = static_cast<double>(k) * width;
            if (left >= to) break;
            cases[k] += a_second * (std::min(to, left + width) - std::max(from, left));
        }
    }
    Points out;
    for (std::size_t k = 0; k < kRateParts; ++k) {
        out.emplace_back((static_cast<double>(k) + 0.5) * width, cases[k] / width);
    }
    return out;
}

std::string plots(const CampaignState& s) {
    const std::vector<Reached> reached = s.journal.over_time();
    if (reached.empty()) return "<p>No chunk is finished.</p>\n";
    const double start = s.started();
    Points cases{{0, 0}};
    Points alarms{{0, 0}};
    Points coverage{{0, 0}};
    Points coverage_by_case{{0, 0}};
    for (const Reached& r : reached) {
        cases.emplace_back(r.ended - start, static_cast<double>(r.cases));
        alarms.emplace_back(r.ended - start, static_cast<double>(r.alarms));
        coverage.emplace_back(r.ended - start, static_cast<double>(r.coverage));
        coverage_by_case.emplace_back(static_cast<double>(r.cases),
                                      static_cast<double>(r.coverage));
    }
    const std::string end = duration_text(reached.back().ended - start);
    return plot("Cases over time", cases, end) +
           plot("Cases a second, of all processes", rate(s, reached.back().ended), end) +
           plot("Findings over time", alarms, end) + plot("Coverage over time", coverage, end) +
           plot("Coverage by cases", coverage_by_case,
                std::to_string(reached.back().cases) + " cases");
}

// --- tables and findings -------------------------------------------------------------------------

std::string row(const std::string& name, const std::string& value) {
    return "<dt>" + html_text(name) + "</dt><dd>" + html_text(value) + "</dd>\n";
}

std::string summary(const CampaignState& s) {
    std::string out = "<dl class=\"pairs\">\n";
    out += row("cases", s.settings.cases == 0
                            ? std::to_string(s.journal.cases())
                            : fmt::format("{} of {}", s.journal.cases(), s.settings.cases));
    out += row("chunks",
               fmt::format("{} finished, {} at work", s.journal.chunks().size(), s.leased()));
    out += row("rate", fmt::format("{:.1f} cases a second by a process", s.cases_a_second()));
    if (const std::string triples = triples_text(s.journal, s.settings); !triples.empty()) {
        out += row("triples of program, schedule and input", triples);
    }
    out += row("coverage", coverage_text(s.journal, s.settings));
    if (s.settings.guided) {
        out += row("guided", fmt::format("{} percent of the cases by mutation, rounds of {} chunks",
                                         s.settings.mutated, s.settings.round));
    }
    out +=
        row("findings", fmt::format("in {} cases, of {} causes", s.alarms(), s.findings.causes()));
    out += row("seed", std::to_string(s.settings.seed));
    if (!s.settings.fault.empty()) out += row("planted fault", s.settings.fault);
    out += row("version", s.settings.version);
    return out + "</dl>\n";
}

std::string findings_of(const CampaignState& s, const std::string& folder) {
    if (s.findings.list.empty()) return "<p>Nothing was found.</p>\n";
    std::string out;
    for (std::size_t k = 0; k < s.findings.list.size(); ++k) {
        const CampaignFinding& f = s.findings.list[k];
        if (k == 0 || !(s.findings.list[k - 1].cause == f.cause)) {
            out += "<h3>" + html_text(f.cause.text()) + "</h3>\n";
        }
        out += fmt::format("<details><summary><code>{}</code>, case {}, size {}</summary>\n<pre>",
                           html_text(s.findings.ids[k]), f.case_number, f.size);
        const auto report =
            ir::read_file(fuzz::findings_folder(folder) + "/" + s.findings.ids[k] + "/report.md",
                          ir::limits::kCaseBytes);
        out += html_text(report ? *report : f.detail) + "</pre></details>\n";
    }
    return out;
}

std::string slowest_of(const CampaignState& s) {
    std::vector<std::pair<double, std::uint64_t>> all;
    for (const auto& [number, chunk] : s.journal.chunks()) {
        all.insert(all.end(), chunk.slowest.begin(), chunk.slowest.end());
    }
    std::sort(all.rbegin(), all.rend());
    if (all.size() > 10) all.resize(10);
    std::string out = "<dl class=\"pairs\">\n";
    for (const auto& [seconds, number] : all) {
        out += row("case " + std::to_string(number), fmt::format("{:.2f} s", seconds));
    }
    return out + "</dl>\n";
}

std::string counters_of(const CampaignState& s) {
    std::string out = "<dl class=\"pairs\">\n";
    for (const auto& [name, n] : s.journal.counts()) out += row(name, std::to_string(n));
    return out + "</dl>\n";
}

std::string section(const std::string& title, const std::string& body) {
    return "<section><h2>" + html_text(title) + "</h2>\n" + body + "</section>\n";
}

}  // namespace

std::string campaign_page(const CampaignState& s, const std::string& folder) {
    const std::string title = "campaign of " + s.settings.kind;
    const std::string verdict =
        s.fine() ? "nothing found" : fmt::format("{} causes", s.findings.causes());
    const char* const tone = s.fine() ? (s.finished() ? "good" : "open") : "bad";
    std::string out =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src '" +
        policy_hash(kPageStyle) + "'; base-uri 'none'; form-action 'none'\">\n";
    out +=
        "<meta name=\"referrer\" content=\"no-referrer\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" "
        "href=\"data:,\">\n";
    out += "<title>" + html_text(title + ": " + verdict) + "</title>\n<style>";
    out += std::string(kPageStyle) + "</style>\n</head>\n<body>\n";
    out += fmt::format(
        "<header class=\"top {0}\"><div class=\"bar\"><h1>{1}</h1>\n<p class=\"verdict\"><span "
        "class=\"badge {0}\">{2}</span></p></div></header>\n<main>\n",
        tone, html_text(title), html_text(verdict));
    out += section("Summary", summary(s)) + section("Findings", findings_of(s, folder)) +
           section("Over time", plots(s)) + section("Slowest cases", slowest_of(s));
    out += "<section><details><summary>Counters</summary>\n" + counters_of(s) +
           "</details></section>\n";
    return out + "</main>\n</body>\n</html>\n";
}

}  // namespace proviso::tools
