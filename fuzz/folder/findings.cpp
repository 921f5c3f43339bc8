#include "fuzz/folder/findings.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
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
constexpr std::size_t kIdDigits = 16;
constexpr std::size_t kCauseDigits = 8;

json cause_json(const FoundCause& c) {
    return {{"oracle", c.oracle},
            {"signature", c.signature},
            {"rule", c.rule},
            {"obligations", c.obligations},
            {"statement", c.statement}};
}

json finding_json(const CampaignFinding& f) {
    json out = {{"cause", cause_json(f.cause)},
                {"case", f.case_number},
                {"size", f.size},
                {"detail", f.detail},
                {"replay", f.replay == Replay::Failure ? "failure" : "case"}};
    return out;
}

std::string text_of(const json& j, int indent) {
    return j.dump(indent, ' ', false, json::error_handler_t::replace);
}

std::string short_digest(const std::string& text, std::size_t digits) {
    return ir::sha256_hex(text).substr(0, digits);
}

// With a digest of its own, since the id says nothing of what is no part of cause and files.
std::string finding_text(const CampaignFinding& f) {
    json out = finding_json(f);
    out["check"] = short_digest(text_of(out, -1), kIdDigits);
    return text_of(out, 1) + "\n";
}

std::string cause_digest(const FoundCause& c) {
    return short_digest(text_of(cause_json(c), -1), kCauseDigits);
}

std::optional<CampaignFinding> finding_of(const std::string& text) {
    json j = ir::parse_json(text);
    if (!j.is_object() || !j.contains("check")) return std::nullopt;
    const json check = j["check"];
    j.erase("check");
    if (check != json(short_digest(text_of(j, -1), kIdDigits))) return std::nullopt;
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

std::optional<CampaignFinding> read_finding(const std::string& folder) {
    std::map<std::string, std::string> files;
    std::error_code code;
    for (fs::directory_iterator it(folder, code); !code && it != fs::directory_iterator();
         it.increment(code)) {
        Result<std::string> bytes =
            ir::read_file(it->path().string(), ir::limits::kBatchBytes, ir::Links::Refuse);
        if (!bytes) return std::nullopt;
        files.emplace(it->path().filename().string(), *std::move(bytes));
    }
    const auto about = files.find(kFindingFile);
    if (code || about == files.end()) return std::nullopt;
    std::optional<CampaignFinding> out = finding_of(about->second);
    files.erase(about);
    if (!out) return out;
    out->files = std::move(files);
    if (out->id() != fs::path(folder).filename().string()) return std::nullopt;
    return out;
}

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

std::string CampaignFinding::named() const {
    return id() + " " + cause_digest(cause) + " " + std::to_string(size);
}

Status keep_finding(const std::string& folder, const CampaignFinding& finding,
                    const std::string& owner) {
    const std::string id = finding.id();
    KeptFindings kept = kept_findings(folder);
    if (!kept.read) return kept.read;
    const auto smaller =
        std::count_if(kept.list.begin(), kept.list.end(), [&](const CampaignFinding& other) {
            const std::size_t k = static_cast<std::size_t>(&other - kept.list.data());
            return other.cause == finding.cause &&
                   std::tie(other.size, kept.ids[k]) < std::tie(finding.size, id);
        });
    if (smaller >= static_cast<std::ptrdiff_t>(kKeptOfACause)) return Unit{};
    std::map<std::string, std::string> files = finding.files;
    files[kFindingFile] = finding_text(finding);
    const fs::path path = fs::path(findings_folder(folder)) / id;
    std::error_code code;
    const auto known = std::find(kept.ids.begin(), kept.ids.end(), id);
    if (known != kept.ids.end()) {
        // Of cases with the same finding the first one is named.
        const CampaignFinding& was = kept.list[static_cast<std::size_t>(known - kept.ids.begin())];
        if (was.case_number <= finding.case_number) return Unit{};
        Status named = write_durably((path / kFindingFile).string(), files[kFindingFile],
                                     std::string("../") + kPartPrefix + owner);
        // Or it was removed for smaller ones.
        return fs::exists(path, code) ? named : Status(Unit{});
    }
    const bool is_there = fs::exists(fs::symlink_status(path, code));
    if (is_there && !read_finding(path.string())) {  // damaged
        const fs::path away = fs::path(findings_folder(folder)) / (kPartPrefix + owner);
        fs::remove_all(away, code);
        fs::rename(path, away, code);
    }
    const Status ok = write_folder_durably(path.string(), kPartPrefix + owner, files);
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
        std::optional<CampaignFinding> one = read_finding(it->path().string());
        if (one) {
            one->files.clear();
            all.emplace_back(*std::move(one), name);
        } else if (std::error_code gone; fs::exists(fs::symlink_status(it->path(), gone))) {
            out.damaged.push_back(name);  // else it was removed for smaller ones
        }
    }
    if (code) out.read = file_error("cannot read", findings_folder(folder), code.value());
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

bool KeptFindings::accounts_for(const std::string& named) const {
    std::istringstream words(named);
    std::string id;
    std::string cause;
    std::uint64_t size = 0;
    words >> id >> cause >> size;
    std::size_t smaller = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (ids[k] == id) return true;
        if (std::tie(list[k].size, ids[k]) < std::tie(size, id) &&
            cause_digest(list[k].cause) == cause) {
            ++smaller;
        }
    }
    return smaller >= kKeptOfACause;
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
    for (const std::string& part : {findings_folder(folder), corpus_folder(folder)}) {
        std::error_code code;
        for (fs::directory_iterator it(part, code); !code && it != fs::directory_iterator();
             it.increment(code)) {
            const std::string name = it->path().filename().string();
            if (name.rfind(kPartPrefix, 0) != 0) continue;
            const std::string owner = name.substr(std::string(kPartPrefix).size());
            const bool works =
                std::any_of(is_there.begin(), is_there.end(),
                            [&](const auto& there) { return owner.rfind(there, 0) == 0; });
            std::error_code ignored;
            if (!works) fs::remove_all(it->path(), ignored);
        }
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
