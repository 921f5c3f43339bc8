#include "fuzz/folder/findings.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "fuzz/folder/durable.h"
#include "ir/files/json_text.h"
#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "ir/text.h"

namespace proviso::fuzz {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kFindingFile = "finding.json";
constexpr const char* kPartPrefix = ".part-";
constexpr std::size_t kIdDigits = 16;

json cause_json(const FoundCause& c) {
    return {{"oracle", c.oracle},
            {"signature", c.signature},
            {"rule", c.rule},
            {"obligations", c.obligations},
            {"statement", c.statement}};
}

std::string finding_text(const CampaignFinding& f) {
    const json out = {{"cause", cause_json(f.cause)},
                      {"case", f.case_number},
                      {"size", f.size},
                      {"detail", f.detail},
                      {"replay", f.replay == Replay::Failure ? "failure" : "case"}};
    return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::optional<CampaignFinding> read_finding(const fs::path& folder) {
    const auto text = ir::read_file((folder / kFindingFile).string(), ir::limits::kCaseBytes);
    if (!text) return std::nullopt;
    const json j = ir::parse_json(*text);
    if (!j.is_object()) return std::nullopt;
    CampaignFinding out;
    try {
        const json& cause = j.at("cause");
        cause.at("oracle").get_to(out.cause.oracle);
        cause.at("signature").get_to(out.cause.signature);
        cause.at("rule").get_to(out.cause.rule);
        cause.at("obligations").get_to(out.cause.obligations);
        cause.at("statement").get_to(out.cause.statement);
        j.at("case").get_to(out.case_number);
        j.at("size").get_to(out.size);
        j.at("detail").get_to(out.detail);
        out.replay = j.at("replay") == "failure" ? Replay::Failure : Replay::Case;
    } catch (const json::exception&) {
        return std::nullopt;
    }
    return out;
}

}  // namespace

bool FoundCause::operator<(const FoundCause& o) const {
    return std::tie(oracle, signature, rule, obligations, statement) <
           std::tie(o.oracle, o.signature, o.rule, o.obligations, o.statement);
}

std::string FoundCause::text() const {
    std::string out = oracle + ": " + signature;
    if (!rule.empty()) out += " after " + rule;
    if (!statement.empty()) out += " at a " + statement;
    if (!obligations.empty()) out += " (owed: " + obligations + ")";
    return out;
}

std::string CampaignFinding::id() const {
    std::string all = cause_json(cause).dump(-1, ' ', false, json::error_handler_t::replace);
    for (const auto& [name, bytes] : files) {
        all += "\n" + name + " " + std::to_string(bytes.size()) + "\n" + bytes;
    }
    return ir::sha256_hex(all).substr(0, kIdDigits);
}

Status keep_finding(const std::string& folder, const CampaignFinding& finding,
                    const std::string& owner) {
    const std::string id = finding.id();
    KeptFindings kept = kept_findings(folder);
    const auto smaller =
        std::count_if(kept.list.begin(), kept.list.end(), [&](const CampaignFinding& other) {
            const std::size_t k = static_cast<std::size_t>(&other - kept.list.data());
            return other.cause == finding.cause &&
                   std::tie(other.size, kept.ids[k]) < std::tie(finding.size, id);
        });
    if (smaller >= static_cast<std::ptrdiff_t>(kKeptOfACause)) return Unit{};
    std::map<std::string, std::string> files = finding.files;
    files[kFindingFile] = finding_text(finding);
    const Status ok =
        write_folder_durably(findings_folder(folder) + "/" + id, kPartPrefix + owner, files);
    if (ok) remove_larger(folder, kept_findings(folder));
    return ok;
}

KeptFindings kept_findings(const std::string& folder) {
    KeptFindings out;
    using Entry = std::pair<CampaignFinding, std::string>;
    std::vector<Entry> all;
    std::error_code code;
    for (fs::directory_iterator it(findings_folder(folder), code);
         !code && it != fs::directory_iterator(); it.increment(code)) {
        const std::string name = it->path().filename().string();
        if (name.rfind('.', 0) == 0) continue;  // not yet finished
        std::optional<CampaignFinding> one = read_finding(it->path());
        if (one) {
            all.emplace_back(*std::move(one), name);
        } else if (fs::exists(it->path(), code)) {  // or it was removed for smaller ones
            out.damaged.push_back(name);
        }
    }
    std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.first.cause, a.first.size, a.second) <
               std::tie(b.first.cause, b.first.size, b.second);
    });
    std::sort(out.damaged.begin(), out.damaged.end());
    for (Entry& e : all) {
        out.list.push_back(std::move(e.first));
        out.ids.push_back(std::move(e.second));
    }
    return out;
}

std::size_t KeptFindings::causes() const {
    std::set<FoundCause> all;
    for (const CampaignFinding& f : list) all.insert(f.cause);
    return all.size();
}

void remove_larger(const std::string& folder, const KeptFindings& kept) {
    std::map<FoundCause, std::size_t> seen;
    for (std::size_t k = 0; k < kept.list.size(); ++k) {
        if (seen[kept.list[k].cause]++ < kKeptOfACause) continue;
        std::error_code code;
        // First its name, so that nobody sees a part of it.
        const fs::path from = fs::path(findings_folder(folder)) / kept.ids[k];
        const fs::path away = fs::path(findings_folder(folder)) / (kPartPrefix + kept.ids[k]);
        fs::rename(from, away, code);
        if (!code) fs::remove_all(away, code);
    }
}

void remove_unfinished(const std::string& folder, const std::vector<std::string>& is_there) {
    std::error_code code;
    for (fs::directory_iterator it(findings_folder(folder), code);
         !code && it != fs::directory_iterator(); it.increment(code)) {
        const std::string name = it->path().filename().string();
        if (name.rfind(kPartPrefix, 0) != 0) continue;
        const std::string owner = name.substr(std::string(kPartPrefix).size());
        const bool works = std::any_of(is_there.begin(), is_there.end(), [&](const auto& there) {
            return owner.rfind(there, 0) == 0;
        });
        std::error_code ignored;
        if (!works) fs::remove_all(it->path(), ignored);
    }
}

Result<std::size_t> find_finding(const KeptFindings& kept, const std::string& prefix) {
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < kept.ids.size(); ++k) {
        if (!prefix.empty() && kept.ids[k].rfind(prefix, 0) == 0) found.push_back(k);
    }
    if (found.size() == 1) return found.front();
    return error((found.empty() ? "no finding's id begins with '" : "several ids begin with '") +
                     prefix + "'",
                 "proviso campaign status lists them");
}

}  // namespace proviso::fuzz
