#include "analysis/prover/verdict_store.h"

#include <sstream>

namespace proviso::analysis {

namespace {

// Changes whenever the meaning of a stored verdict does, such as the layout of the model query.
constexpr const char* kVersion = "verdict 2";

}  // namespace

VerdictStore::VerdictStore(std::string folder, std::function<std::string()> settings)
    : cache_(std::move(folder)), ask_settings_(std::move(settings)) {}

std::string VerdictStore::key_of(const std::string& id) {
    if (settings_.empty()) settings_ = ask_settings_();
    return std::string(kVersion) + ", " + settings_ + ", " + id;
}

std::optional<StoredVerdict> VerdictStore::find(const std::string& id) {
    const auto found = known_.find(id);
    if (found != known_.end()) return found->second;
    if (!cache_.enabled()) return std::nullopt;
    const std::optional<std::string> text = cache_.find(key_of(id));
    if (!text) return std::nullopt;
    std::istringstream in(*text);
    std::string verdict;
    StoredVerdict out;
    if (!std::getline(in, verdict) || !std::getline(in, out.by)) return std::nullopt;
    for (std::string line; std::getline(in, line);) out.values.push_back(line);
    for (const Verdict v : {Verdict::Proved, Verdict::Refuted}) {
        if (verdict == verdict_name(v)) out.verdict = v;
    }
    if (out.verdict == Verdict::Unknown) return std::nullopt;
    known_.emplace(id, out);
    return out;
}

void VerdictStore::keep(const std::string& id, const StoredVerdict& verdict) {
    if (verdict.verdict == Verdict::Unknown) return;
    known_[id] = verdict;
    if (!cache_.enabled()) return;
    std::string text = std::string(verdict_name(verdict.verdict)) + '\n' + verdict.by + '\n';
    for (std::string value : verdict.values) {
        for (char& c : value) c = c == '\n' ? ' ' : c;
        text += value + '\n';
    }
    cache_.keep(key_of(id), text);
}

}  // namespace proviso::analysis
