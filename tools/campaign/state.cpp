#include "tools/campaign/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/folder/corpus.h"
#include "tools/support/terminal.h"

namespace proviso::tools {

using fuzz::CampaignFinding;
using nlohmann::json;

namespace {

constexpr double kRecentSeconds = 300;
// Counts of fuzz/campaign/summary.h.
constexpr const char* kTriples = "triples/triples";
constexpr const char* kPairs = "triples/pairs";
constexpr const char* kCompiled = "triples/compiled";

std::string first_line_of(const std::string& text) {
    return visible_line(text.substr(0, text.find('\n')));
}

// When the cases had doubled, and the last time.
std::vector<fuzz::Journal::Reached> reached_by(const fuzz::Journal& journal) {
    std::vector<fuzz::Journal::Reached> out;
    std::uint64_t next = 0;
    const std::vector<fuzz::Journal::Reached> all = journal.over_time();
    for (const auto& r : all) {
        if (r.cases < next && &r != &all.back()) continue;
        out.push_back(r);
        next = 2 * r.cases;
    }
    return out;
}

std::uint64_t count_of(const fuzz::Journal& journal, const char* name) {
    const auto found = journal.counts().find(name);
    return found == journal.counts().end() ? 0 : found->second;
}

void note(std::string& out, const std::string& words) {
    out += "  note       " + visible_line(words) + "\n";
}

// Of chunks that are not finished, and that there are.
std::uint64_t leases_of(const CampaignState& s, bool gone) {
    return static_cast<std::uint64_t>(
        std::count_if(s.leases.leased.begin(), s.leases.leased.end(), [&](const auto& lease) {
            const bool is_one = s.settings.cases == 0 || lease.first < s.settings.chunks();
            return is_one && lease.second == gone && !s.journal.has(lease.first);
        }));
}

std::vector<std::string> lost_findings(const fuzz::Journal& journal,
                                       const fuzz::KeptFindings& kept) {
    std::set<std::string> out;
    for (const auto& [number, chunk] : journal.chunks()) {
        for (const std::string& named : chunk.findings) {
            if (!kept.accounts_for(named)) out.insert(named.substr(0, named.find(' ')));
        }
    }
    for (const std::string& name : kept.damaged) out.erase(name);
    return {out.begin(), out.end()};
}

}  // namespace

std::uint64_t CampaignState::leased() const {
    return leases_of(*this, false);
}

std::uint64_t CampaignState::left() const {
    return leases_of(*this, true);
}

std::uint64_t CampaignState::alarms() const {
    return count_of(journal, "findings");
}

bool CampaignState::finished() const {
    return settings.cases != 0 && journal.first_open() >= settings.chunks();
}

bool CampaignState::fine() const {
    const bool whole = journal.damaged().empty() && findings.damaged.empty() && lost.empty();
    return whole && alarms() == 0 && findings.list.empty() && journal.different().empty();
}

double CampaignState::started() const {
    double out = std::numeric_limits<double>::infinity();
    for (const auto& [number, chunk] : journal.chunks()) {
        out = std::min(out, chunk.ended - chunk.seconds);
    }
    return out;
}

double CampaignState::seconds() const {
    double out = 0;
    for (const auto& [number, chunk] : journal.chunks()) out += chunk.seconds;
    return out;
}

double CampaignState::cases_a_second() const {
    const double took = seconds();
    return took == 0 ? 0 : static_cast<double>(journal.cases()) / took;
}

double CampaignState::recent_cases() const {
    double last = 0;
    for (const auto& [number, chunk] : journal.chunks()) last = std::max(last, chunk.ended);
    double cases = 0;
    double since = last;
    for (const auto& [number, chunk] : journal.chunks()) {
        if (chunk.ended < last - kRecentSeconds) continue;
        cases += static_cast<double>(chunk.cases);
        since = std::min(since, std::max(chunk.ended - chunk.seconds, last - kRecentSeconds));
    }
    return last == since ? 0 : cases / (last - since);
}

json CampaignState::json() const {
    nlohmann::json found = json::array();
    for (std::size_t k = 0; k < findings.list.size(); ++k) {
        const CampaignFinding& f = findings.list[k];
        found.push_back({{"id", findings.ids[k]},
                         {"cause",
                          {{"oracle", f.cause.oracle},
                           {"signature", f.cause.signature},
                           {"rule", f.cause.rule},
                           {"obligations", f.cause.obligations},
                           {"statement", f.cause.statement}}},
                         {"case", f.case_number},
                         {"size", f.size},
                         {"detail", f.detail}});
    }
    nlohmann::json chunks = {{"finished", journal.chunks().size()},
                             {"leased", leased()},
                             {"left", left()},
                             {"repeated", journal.repeated()},
                             {"different", journal.different()}};
    nlohmann::json over_time = json::array();
    for (const auto& r : reached_by(journal)) {
        over_time.push_back({{"cases", r.cases}, {"coverage", r.coverage}, {"ended", r.ended}});
    }
    if (settings.cases != 0) {
        chunks["free"] = settings.chunks() - journal.chunks().size() - leased();
    }
    nlohmann::json out = {{"settings", settings.json()},
                          {"chunks", chunks},
                          {"cases", journal.cases()},
                          {"complete", finished()},
                          {"rate", {{"a_process", cases_a_second()}, {"recent", recent_cases()}}},
                          {"processes", leases.owners},
                          {"alarms", alarms()},
                          {"causes", findings.causes()},
                          {"findings", found},
                          {"coverage", journal.coverage()},
                          {"coverage_over_time", over_time},
                          {"counts", journal.counts()},
                          {"damaged",
                           {{"lines", journal.damaged()},
                            {"unfinished", journal.unfinished()},
                            {"findings", findings.damaged},
                            {"lost", lost}}}};
    if (settings.inputs != 0) {
        const std::uint64_t triples = count_of(journal, kTriples);
        const double took = seconds();
        out["triples"] = {{"pairs", count_of(journal, kPairs)},
                          {"triples", triples},
                          {"compiled", count_of(journal, kCompiled)},
                          {"a_process", took == 0 ? 0 : static_cast<double>(triples) / took}};
    }
    return out;
}

std::string CampaignState::text() const {
    const CampaignState& s = *this;
    std::string out = fmt::format(
        "campaign of {}, seed {}{}\n", s.settings.kind, s.settings.seed,
        s.settings.fault.empty() ? "" : ", with the fault " + visible_line(s.settings.fault));
    out +=
        fmt::format("  chunks     {} finished, {} leased, ", s.journal.chunks().size(), s.leased());
    out += s.settings.cases == 0
               ? "no end\n"
               : fmt::format("{} free\n",
                             s.settings.chunks() - s.journal.chunks().size() - s.leased());
    out += fmt::format("  cases      {}{}, {:.1f} a second by a process, {:.1f} by all lately\n",
                       s.journal.cases(),
                       s.settings.cases == 0 ? "" : fmt::format(" of {}", s.settings.cases),
                       s.cases_a_second(), s.recent_cases());
    if (const std::string triples = triples_text(s.journal, s.settings); !triples.empty()) {
        const double took = s.seconds();
        const double rate =
            took == 0 ? 0 : static_cast<double>(count_of(s.journal, kTriples)) / took;
        out += fmt::format("  triples    {}; {:.1f} a second by a process\n", triples, rate);
    }
    out += fmt::format("  processes  {}\n", s.leases.owners);
    out += "  coverage   " + coverage_text(s.journal, s.settings);
    if (s.settings.guided) {
        out += fmt::format(", by {} pairs of the corpus", fuzz::corpus_size(s.journal));
    }
    out += "\n";
    for (const auto& r : reached_by(s.journal)) {
        out += fmt::format("             {:>8} after {} cases, {}\n", r.coverage, r.cases,
                           duration_text(r.ended - s.started()));
    }
    out += fmt::format("  findings   {} in the cases, of {} causes\n", s.alarms(),
                       s.findings.causes());
    std::set<std::string> builds;
    for (const auto& [number, chunk] : s.journal.chunks()) builds.insert(chunk.build);
    if (builds.size() > 1) note(out, fmt::format("{} different programs ran it", builds.size()));
    if (s.left() > 0) {
        note(out, fmt::format("{} chunks were left by processes that are gone", s.left()));
    }
    for (const std::uint64_t chunk : s.journal.different()) {
        note(out, fmt::format("chunk {} was run twice, with different results", chunk));
    }
    for (const std::string& file : s.journal.unfinished()) {
        note(out, "the unfinished last line of journal/" + file + " is ignored");
    }
    for (const std::string& line : s.journal.damaged()) {
        note(out, "journal/" + line + " is damaged and ignored: its chunk is run again");
    }
    for (const std::string& name : s.findings.damaged) {
        note(out, "findings/" + name + " is not as written");
    }
    for (const std::string& id : s.lost) {
        note(out, "findings/" + id + " is lost: the journal names it");
    }
    const fuzz::FoundCause* cause = nullptr;
    for (std::size_t k = 0; k < s.findings.list.size(); ++k) {
        const CampaignFinding& f = s.findings.list[k];
        if (cause == nullptr || !(*cause == f.cause)) {
            out += visible_line(f.cause.text()) + "\n";
        }
        cause = &f.cause;
        out += fmt::format("  {}  case {}, size {}: {}\n", s.findings.ids[k], f.case_number, f.size,
                           first_line_of(f.detail));
    }
    return out;
}

std::string triples_text(const fuzz::Journal& journal, const fuzz::CampaignSettings& settings) {
    if (settings.inputs == 0) return "";
    return fmt::format("{} of {} pairs, up to {} inputs each; {} as machine code, too",
                       count_of(journal, kTriples), count_of(journal, kPairs), settings.inputs,
                       count_of(journal, kCompiled));
}

std::string coverage_text(const fuzz::Journal& journal, const fuzz::CampaignSettings& settings) {
    return fmt::format("{} {}", journal.coverage(),
                       settings.guided ? "features" : "counters are not zero");
}

std::string duration_text(double seconds) {
    if (seconds >= 5400) return fmt::format("{:.1f} h", seconds / 3600);
    if (seconds >= 90) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.0f} s", seconds);
}

Result<CampaignState> campaign_state(const std::string& folder,
                                     const fuzz::CampaignSettings& settings) {
    CampaignState out{settings, fuzz::Journal(fuzz::journal_folder(folder), settings), {}, {}};
    if (const Status ok = out.journal.refresh(); !ok) return ok.error();
    out.leases =
        fuzz::read_leases(fuzz::lease_folder(folder), settings.lease_seconds, std::time(nullptr));
    out.findings = fuzz::kept_findings(folder);
    if (!out.findings.read) return out.findings.read.error();
    out.lost = lost_findings(out.journal, out.findings);
    return out;
}

}  // namespace proviso::tools
