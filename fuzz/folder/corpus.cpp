#include "fuzz/folder/corpus.h"

#include <filesystem>

#include "fuzz/folder/durable.h"
#include "fuzz/folder/findings.h"
#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "ir/text.h"

namespace proviso::fuzz {

namespace {

constexpr std::size_t kPairDigits = 16;

std::string pair_file(const std::string& folder, const std::string& id) {
    return corpus_folder(folder) + "/" + id;
}

Result<CorpusPair> kept_pair(const std::string& folder, const std::string& id) {
    const std::string file = pair_file(folder, id);
    const Result<std::string> text = ir::read_file(file, ir::limits::kCaseBytes);
    if (!text) return text.error();
    Result<CorpusPair> pair = read_pair(*text);
    if (pair && pair->id() == id) return pair;
    return error(file + " is not as it was written",
                 "take it from another folder of this campaign: proviso campaign merge");
}

// Pairs that were the first to reach something, in the order of their cases; what they all have
// reached is added to `seen`.
std::vector<std::string> ids_of(const Journal& journal, std::uint64_t end, Features& seen) {
    std::vector<std::string> out;
    for (const auto& [number, chunk] : journal.chunks()) {
        if (number >= end) break;
        for (const ReachedCase& r : chunk.reached) {
            bool is_new = false;
            for (const std::string& f : r.features) is_new |= seen.insert(f).second;
            if (is_new) out.push_back(r.pair);
        }
    }
    return out;
}

}  // namespace

Status keep_pair(const std::string& folder, const CorpusPair& pair, const std::string& owner) {
    const std::string file = pair_file(folder, pair.id());
    std::error_code code;
    if (std::filesystem::exists(file, code)) return Unit{};
    return write_durably(file, pair.text(), kPartPrefix + owner);
}

std::size_t corpus_size(const Journal& journal) {
    Features seen;
    return ids_of(journal, UINT64_MAX, seen).size();
}

Result<Guide> read_guide(const std::string& folder, const Journal& journal, std::uint64_t end) {
    Guide out;
    for (const std::string& id : ids_of(journal, end, out.seen)) {
        Result<CorpusPair> pair = kept_pair(folder, id);
        if (!pair) return pair.error();
        out.pairs.push_back(*std::move(pair));
    }
    return out;
}

std::string digest_of(const Guide& guide) {
    std::string all;
    for (const CorpusPair& pair : guide.pairs) all += pair.id() + "\n";
    for (const std::string& f : guide.seen) all += f + "\n";
    return ir::sha256_hex(all).substr(0, kPairDigits);
}

bool Guides::ready(std::uint64_t chunk, const Journal& journal) const {
    return !settings_.guided || settings_.given_to(chunk) <= journal.first_open();
}

Result<std::shared_ptr<const Guide>> Guides::of(std::uint64_t chunk, const Journal& journal) {
    using Shared = std::shared_ptr<const Guide>;
    if (!settings_.guided) return Shared{};
    const std::uint64_t end = settings_.given_to(chunk);
    const auto found = known_.find(end);
    if (found != known_.end()) return found->second;
    Result<Guide> made = read_guide(folder_, journal, end);
    if (!made) return made.error();
    made->mutated = static_cast<int>(settings_.mutated);
    // No chunk that is open is given less than the first one.
    known_.erase(known_.begin(), known_.lower_bound(settings_.given_to(journal.first_open())));
    return known_.emplace(end, std::make_shared<const Guide>(*std::move(made))).first->second;
}

}  // namespace proviso::fuzz
