#include "fuzz/folder/copy.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "fuzz/folder/chunk_process.h"
#include "fuzz/folder/durable.h"
#include "ir/files/limits.h"
#include "ir/files/read.h"

namespace proviso::fuzz {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> entries_of(const std::string& folder) {
    std::vector<fs::path> out;
    std::error_code code;
    for (fs::directory_iterator it(folder, code); !code && it != fs::directory_iterator();
         it.increment(code)) {
        if (it->path().filename().string().rfind('.', 0) != 0) out.push_back(it->path());
    }
    std::sort(out.begin(), out.end());
    return out;
}

// A file grows only, so of two with one name the longer one has all.
Status add_journal(const fs::path& from, const fs::path& to) {
    std::error_code code;
    const std::uintmax_t has = fs::exists(to, code) ? fs::file_size(to, code) : 0;
    const Result<std::string> bytes = ir::read_file(from.string(), ir::limits::kBatchBytes);
    if (!bytes) return bytes.error();
    return bytes->size() <= has ? Status(Unit{}) : write_durably(to.string(), *bytes);
}

Status add_finding(const fs::path& from, const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const fs::path& file : entries_of(from.string())) {
        const Result<std::string> bytes = ir::read_file(file.string(), ir::limits::kCaseBytes);
        if (!bytes) return bytes.error();
        files[file.filename().string()] = *bytes;
    }
    const std::string name = from.filename().string();
    return write_folder_durably(findings_folder(folder) + "/" + name, ".part-merge-" + name, files);
}

}  // namespace

Status add_campaign_folder(const std::string& folder, const std::string& from) {
    // Findings first: no chunk is finished without what it has found.
    for (const fs::path& finding : entries_of(findings_folder(from))) {
        if (const Status ok = add_finding(finding, folder); !ok) return ok;
    }
    for (const fs::path& file : entries_of(journal_folder(from))) {
        if (file.extension() != ".jsonl") continue;
        const fs::path to = fs::path(journal_folder(folder)) / file.filename();
        if (const Status ok = add_journal(file, to); !ok) return ok;
    }
    remove_larger(folder, kept_findings(folder));
    return Unit{};
}

Result<CaseAgain> run_case_again(const CampaignKind& kind, const CampaignSettings& settings,
                                 const CampaignFinding& finding, const std::string& proviso) {
    // A campaign of this case alone, in a folder that goes with it.
    std::string name = (fs::temp_directory_path() / "proviso-case-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) return error("cannot make a folder in /tmp");
    CampaignSettings alone = settings;
    alone.chunk = 1;
    alone.cases = 0;
    const std::string folder = name + "/case";
    if (const Status ok = make_campaign(folder, alone); !ok) return ok.error();
    ChunkProcess process({&kind, alone, folder, "again", proviso, finding.case_number, {}}, [] {});
    if (!process.started()) return process.started().error();
    std::optional<ChunkProcess::Ended> ended;
    bool endless = false;
    while (!(ended = process.ended())) {
        endless |= process.seconds() > static_cast<double>(settings.case_seconds);
        if (endless) process.kill();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CaseAgain out;
    const KeptFindings seen = kept_findings(folder);
    std::error_code code;
    fs::remove_all(name, code);
    if (!ended->result) {
        const std::string how = endless ? "does not end" : ended->how;
        out.reproduced = finding.cause == FoundCause{"process", how, "", "", ""};
        out.text = "its process: " + how;
        return out;
    }
    if (!*ended->result) return ended->result->error();
    for (const CampaignFinding& f : seen.list) {
        if (out.reproduced) break;
        out.reproduced = f.cause == finding.cause;
        out.text = f.cause.text() + "\n" + f.detail;
    }
    if (seen.list.empty()) out.text = "case " + std::to_string(finding.case_number) + " is fine";
    return out;
}

}  // namespace proviso::fuzz
