#include "fuzz/folder/copy.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <thread>
#include <utility>

#include "fuzz/folder/chunk_process.h"
#include "fuzz/folder/corpus.h"
#include "fuzz/folder/durable.h"
#include "fuzz/folder/owner.h"
#include "fuzz/folder/scratch.h"
#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "ir/text.h"

namespace proviso::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBytesAtOnce = 1 << 20;

Result<std::vector<fs::path>> entries_of(const std::string& folder) {
    std::vector<fs::path> out;
    std::error_code code;
    for (fs::directory_iterator it(folder, code); !code && it != fs::directory_iterator();
         it.increment(code)) {
        out.push_back(it->path());
    }
    if (code) return file_error("cannot read", folder, code.value());
    std::sort(out.begin(), out.end());
    return out;
}

// The lines of all files of a journal that fit, each once.
class Lines {
  public:
    explicit Lines(CampaignSettings settings) : settings_(std::move(settings)) {}

    // Calls `take` with those that are new.
    Status read(const std::string& folder, const std::function<Status(const std::string&)>& take) {
        const Result<std::vector<fs::path>> files = entries_of(journal_folder(folder));
        if (!files) return files.error();
        for (const fs::path& file : *files) {
            if (file.extension() != ".jsonl") continue;
            if (const Status ok = read_file(file, take); !ok) return ok;
        }
        return Unit{};
    }
    const std::vector<std::string>& damaged() const { return damaged_; }

  private:
    Status read_file(const fs::path& file, const std::function<Status(const std::string&)>& take) {
        std::error_code code;
        const bool regular = fs::is_regular_file(file, code);
        if (code) return file_error("cannot read", file.string(), code.value());
        const std::string name = "journal/" + file.filename().string();
        if (!regular) {
            damaged_.push_back(name);
            return Unit{};
        }
        std::ifstream in(file, std::ios::binary);
        if (!in.is_open()) return file_error("cannot read", file.string(), errno);
        std::string line;
        for (std::uint64_t k = 1; std::getline(in, line) && !in.eof(); ++k) {
            if (!read_journal_line(settings_, line)) {
                damaged_.push_back(name + ":" + std::to_string(k));
            } else if (seen_.insert(ir::sha256_hex(line)).second) {
                if (const Status ok = take(line + "\n"); !ok) return ok;
            }
        }
        if (in.bad()) return file_error("cannot read", file.string(), errno);
        return Unit{};
    }

    CampaignSettings settings_;
    std::set<std::string> seen_;
    std::vector<std::string> damaged_;
};

Status add_journal(const std::string& folder, const std::string& from, const std::string& owner,
                   std::vector<std::string>& damaged) {
    const Result<CampaignSettings> settings = read_settings(folder);
    if (!settings) return settings.error();
    Lines here(*settings);
    const auto known = [](const std::string& /*line*/) -> Status { return Unit{}; };
    if (const Status ok = here.read(folder, known); !ok) return ok;
    const std::size_t of_folder = here.damaged().size();
    // Its own file: others may be open.
    AppendedFile file(journal_folder(folder) + "/" + owner + ".jsonl");
    std::string waiting;
    const auto add = [&](const std::string& line) -> Status {
        waiting += line;
        if (waiting.size() < kBytesAtOnce) return Unit{};
        return file.append(std::exchange(waiting, ""));
    };
    if (const Status ok = here.read(from, add); !ok) return ok;
    for (std::size_t k = of_folder; k < here.damaged().size(); ++k) {
        damaged.push_back(here.damaged()[k]);
    }
    return waiting.empty() ? Status(Unit{}) : file.append(waiting);
}

// The pairs of a guided campaign.
Status add_corpus(const std::string& folder, const std::string& from, const std::string& owner,
                  std::vector<std::string>& damaged) {
    std::error_code code;
    if (!fs::exists(corpus_folder(from), code)) return Unit{};
    const Result<std::vector<fs::path>> files = entries_of(corpus_folder(from));
    if (!files) return files.error();
    if (const Status ok = make_folder(corpus_folder(folder)); !ok) return ok;
    for (const fs::path& file : *files) {
        const Result<std::string> text = ir::read_file(file.string(), ir::limits::kCaseBytes);
        if (!text) return text.error();
        const Result<CorpusPair> pair = read_pair(*text);
        if (!pair) {
            damaged.push_back("corpus/" + file.filename().string());
            continue;
        }
        if (const Status ok = keep_pair(folder, *pair, owner); !ok) return ok;
    }
    return Unit{};
}

}  // namespace

Result<std::vector<std::string>> add_campaign_folder(const std::string& folder,
                                                     const std::string& from) {
    for (const auto part : {journal_folder, findings_folder}) {
        std::error_code code;
        if (fs::equivalent(part(folder), part(from), code)) {
            return error(part(folder) + " and " + part(from) + " are one folder",
                         "merge adds another folder of the same campaign");
        }
    }
    for (const std::string& part : {journal_folder(folder), findings_folder(folder)}) {
        if (const Status ok = make_folder(part); !ok) return ok.error();
    }
    std::vector<std::string> damaged;
    const std::string owner = "merge-" + this_process().id;
    // Findings first: no chunk is finished without what it has found.
    const KeptFindings theirs = kept_findings(from);
    if (!theirs.read) return theirs.read.error();
    for (const std::string& name : theirs.damaged) damaged.push_back("findings/" + name);
    for (const std::string& id : theirs.ids) {
        const auto finding = read_finding(findings_folder(from) + "/" + id);
        if (!finding) continue;  // removed since, for smaller ones
        if (const Status ok = keep_finding(folder, *finding, owner); !ok) return ok.error();
    }
    if (const Status ok = add_corpus(folder, from, owner, damaged); !ok) return ok.error();
    if (const Status ok = add_journal(folder, from, owner, damaged); !ok) return ok.error();
    remove_larger(folder, kept_findings(folder));
    return damaged;
}

Result<CaseAgain> run_case_again(const CampaignKind& kind, const CampaignSettings& settings,
                                 const CampaignFinding& finding, const std::string& proviso,
                                 const std::string& of_campaign) {
    Journal journal(journal_folder(of_campaign), settings);
    if (const Status ok = journal.refresh(); !ok) return ok.error();
    const auto guide =
        Guides(of_campaign, settings).of(finding.case_number / settings.chunk, journal);
    if (!guide) return guide.error();
    // A campaign of this case alone, in a folder that goes with it.
    const Scratch scratch("proviso-case");
    if (!scratch.made()) return scratch.made().error();
    CampaignSettings alone = settings;
    alone.chunk = 1;
    alone.cases = 0;
    const std::string folder = scratch.path() + "/case";
    if (const Status ok = make_campaign(folder, alone); !ok) return ok.error();
    ChunkProcess process(
        {&kind, alone, folder, "again", proviso, scratch.path(), finding.case_number, {}, *guide},
        [] {});
    if (!process.started()) return process.started().error();
    std::optional<ChunkProcess::Ended> ended;
    bool endless = false;
    while (!(ended = process.ended())) {
        endless |= process.seconds_of_case() > static_cast<double>(settings.case_seconds);
        if (endless) process.kill();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CaseAgain out;
    const KeptFindings seen = kept_findings(folder);
    if (!seen.read) return seen.read.error();
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
