#include "fuzz/folder/settings.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/campaign.h"
#include "fuzz/folder/durable.h"
#include "fuzz/folder/owner.h"
#include "ir/files/json_text.h"
#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "ir/text.h"

namespace proviso::fuzz {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr int kFolderFormat = 1;
constexpr const char* kSettingsFile = "/campaign.json";
constexpr const char* kSettingsPart = ".campaign-";
constexpr std::array<const char*, 4> kParts = {"journal", "leases", "findings", "corpus"};

Diagnostic there_is_one(const std::string& folder) {
    return error("there is a campaign in " + folder, "proviso campaign run goes on with it");
}

// It has nothing in it, or what one that was ended before it had a name has left.
Status may_begin_in(const std::string& folder) {
    std::error_code code;
    if (!fs::exists(folder, code)) return Unit{};
    for (fs::directory_iterator it(folder, code); !code && it != fs::directory_iterator();
         it.increment(code)) {
        const std::string name = it->path().filename().string();
        const bool part = name.rfind(kSettingsPart, 0) == 0;
        const bool of_campaign = std::count(kParts.begin(), kParts.end(), name) != 0;
        std::error_code none;
        if (part || (of_campaign && fs::is_empty(it->path(), none))) continue;
        return error(folder + " has something in it", "a campaign begins in a new folder");
    }
    if (code) return file_error("cannot read", folder, code.value());
    return Unit{};
}

Diagnostic not_settings(const std::string& file, const std::string& what) {
    return error(file + ": " + what, "proviso campaign init writes this file");
}

}  // namespace

std::uint64_t CampaignSettings::cases_of(std::uint64_t k) const {
    return cases == 0 ? chunk : std::min(chunk, cases - std::min(cases, first_of(k)));
}

std::string CampaignSettings::id() const {
    return ir::sha256_hex(text()).substr(0, 16);
}

std::uint64_t CampaignSettings::given_to(std::uint64_t k) const {
    std::uint64_t given = 0;   // the end of the round before the last
    std::uint64_t before = 0;  // of the last round
    for (std::uint64_t end = round; end <= k; end += std::max(round, end / 4)) {
        given = before;
        before = end;
    }
    return given;
}

json CampaignSettings::json() const {
    nlohmann::json out = {{"format", kFolderFormat},
                          {"kind", kind},
                          {"seed", seed},
                          {"cases", cases},
                          {"chunk", chunk},
                          {"each", each},
                          {"fault", fault},
                          {"case_seconds", case_seconds},
                          {"lease_seconds", lease_seconds},
                          {"version", version}};
    if (inputs != 0) out["inputs"] = inputs;
    if (guided) out["guided"] = {{"mutated", mutated}, {"round", round}};
    return out;
}

std::string CampaignSettings::text() const {
    return json().dump(1) + "\n";
}

std::string journal_folder(const std::string& folder) {
    return folder + "/journal";
}
std::string lease_folder(const std::string& folder) {
    return folder + "/leases";
}
std::string findings_folder(const std::string& folder) {
    return folder + "/findings";
}
std::string corpus_folder(const std::string& folder) {
    return folder + "/corpus";
}

Status make_campaign(const std::string& folder, const CampaignSettings& settings) {
    std::error_code code;
    if (fs::exists(folder + kSettingsFile, code)) {
        return there_is_one(folder);
    }
    if (fs::exists(folder, code) && !fs::is_directory(folder, code)) {
        return error(folder + " is no folder");
    }
    if (const Status ok = may_begin_in(folder); !ok) return ok;
    for (const std::string& part :
         {journal_folder(folder), lease_folder(folder), findings_folder(folder)}) {
        if (const Status ok = make_folder(part); !ok) return ok;
    }
    if (settings.guided) {
        if (const Status ok = make_folder(corpus_folder(folder)); !ok) return ok;
    }
    // Of several that begin here, one gives the file its name.
    const std::string part = folder + "/" + kSettingsPart + this_process().id;
    if (const Status ok = write_durably(part, settings.text()); !ok) return ok;
    Status named = Unit{};
    if (::link(part.c_str(), (folder + kSettingsFile).c_str()) != 0) {
        named = errno == EEXIST ? there_is_one(folder)
                                : file_error("cannot make", folder + kSettingsFile, errno);
    }
    ::unlink(part.c_str());
    return named;
}

Result<CampaignSettings> read_settings(const std::string& folder) {
    const std::string file = folder + kSettingsFile;
    std::error_code code;
    if (!fs::exists(file, code)) {
        return error("there is no campaign in " + folder, "proviso campaign init makes one");
    }
    const Result<std::string> text = ir::read_file(file, ir::limits::kCaseBytes);
    if (!text) return text.error();
    const json j = ir::parse_json(*text);
    if (!j.is_object()) return not_settings(file, "no JSON object");
    if (j.value("format", json()) != json(kFolderFormat)) {
        return not_settings(file, "a format that this program does not know");
    }
    CampaignSettings out;
    try {
        j.at("kind").get_to(out.kind);
        j.at("fault").get_to(out.fault);
        j.at("version").get_to(out.version);
        for (const auto& [name, to] : {std::pair{"seed", &out.seed},
                                       {"cases", &out.cases},
                                       {"chunk", &out.chunk},
                                       {"each", &out.each},
                                       {"case_seconds", &out.case_seconds},
                                       {"lease_seconds", &out.lease_seconds}}) {
            if (!j.at(name).is_number_unsigned()) {
                return not_settings(file, std::string(name) + " is no count");
            }
            j.at(name).get_to(*to);
        }
        if (j.contains("inputs")) j.at("inputs").get_to(out.inputs);
        if (out.inputs > std::uint64_t{kMostInputs}) return not_settings(file, "too many inputs");
        out.guided = j.contains("guided");
        if (out.guided) {
            const nlohmann::json& g = j.at("guided");
            g.at("mutated").get_to(out.mutated);
            g.at("round").get_to(out.round);
        }
    } catch (const json::exception& e) {
        return not_settings(file, e.what());
    }
    if (out.chunk == 0) return not_settings(file, "a chunk has no cases");
    if (out.round == 0) return not_settings(file, "a round has no chunks");
    if (out.text() != *text) return not_settings(file, "it was edited");
    return out;
}

}  // namespace proviso::fuzz
