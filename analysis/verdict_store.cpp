#include "analysis/verdict_store.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace proviso::analysis {

namespace {

// First line of every file. Changes whenever the meaning of a stored verdict does: with the layout
// of the model query, or with the settings that the solvers run under.
constexpr const char* kHeader = "proviso verdict 1";

}  // namespace

const char* verdict_name(Verdict v) {
    switch (v) {
        case Verdict::Proved: return "PROVED";
        case Verdict::Refuted: return "REFUTED";
        case Verdict::Unknown: return "UNKNOWN";
    }
    return "UNKNOWN";
}

VerdictStore::VerdictStore(std::string folder) : folder_(std::move(folder)) {
    std::error_code ignored;  // a cache that cannot be written is no cache, and no error
    if (!folder_.empty()) std::filesystem::create_directories(folder_, ignored);
}

std::string VerdictStore::path_of(const std::string& id) const {
    return folder_ + "/" + id.substr(id.find(':') + 1);
}

std::optional<StoredVerdict> VerdictStore::find(const std::string& id) {
    const auto found = known_.find(id);
    if (found != known_.end()) return found->second;
    if (folder_.empty()) return std::nullopt;
    std::ifstream in(path_of(id));
    std::string header;
    std::string stored_id;
    std::string verdict;
    std::string end;
    StoredVerdict out;
    if (!std::getline(in, header) || header != kHeader) return std::nullopt;
    if (!std::getline(in, stored_id) || stored_id != id) return std::nullopt;
    if (!std::getline(in, verdict) || !std::getline(in, out.by)) return std::nullopt;
    for (std::string line; std::getline(in, line);) {
        if (line == "end")
            end = line;
        else
            out.values.push_back(line);
    }
    if (end.empty()) return std::nullopt;  // cut off while it was written
    if (verdict == verdict_name(Verdict::Proved)) out.verdict = Verdict::Proved;
    if (verdict == verdict_name(Verdict::Refuted)) out.verdict = Verdict::Refuted;
    if (out.verdict == Verdict::Unknown) return std::nullopt;
    known_.emplace(id, out);
    return out;
}

void VerdictStore::keep(const std::string& id, const StoredVerdict& verdict) {
    if (verdict.verdict == Verdict::Unknown) return;
    known_[id] = verdict;
    if (folder_.empty()) return;
    // Written beside and moved, so that a reader in another process never sees half a file.
    const std::string path = path_of(id);
    const std::string beside = path + "." + std::to_string(::getpid());
    {
        std::ofstream out(beside);
        out << kHeader << '\n' << id << '\n' << verdict_name(verdict.verdict) << '\n';
        out << verdict.by << '\n';
        for (std::string value : verdict.values) {
            for (char& c : value) c = c == '\n' ? ' ' : c;
            out << value << '\n';
        }
        out << "end\n";
        if (!out) return;
    }
    std::error_code ignored;
    std::filesystem::rename(beside, path, ignored);
}

}  // namespace proviso::analysis
