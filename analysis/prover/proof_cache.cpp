#include "analysis/prover/proof_cache.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "ir/text.h"

namespace proviso::analysis {

namespace {

constexpr std::string_view kHeader = "proviso answer 1";
constexpr std::size_t kChecksumLength = 65;  // hex digits of SHA-256, line end

// 256 folders keep each one small.
std::filesystem::path path_of(const std::string& folder, std::string_view key) {
    const std::string name = ir::sha256_hex(key);
    return std::filesystem::path(folder) / name.substr(0, 2) / name.substr(2);
}

std::string head_of(std::string_view key) {
    return std::string(kHeader) + '\n' + std::string(key) + '\n';
}

}  // namespace

std::optional<std::string> ProofCache::find(std::string_view key) const {
    if (!enabled()) return std::nullopt;
    const Result<std::string> read =
        ir::read_file(path_of(folder_, key).string(), ir::limits::kCacheBytes);
    if (!read) return std::nullopt;
    const std::string& text = *read;
    const std::string head = head_of(key);
    if (text.size() < head.size() + kChecksumLength) return std::nullopt;
    if (text.compare(0, head.size(), head) != 0) return std::nullopt;
    const std::size_t end = text.size() - kChecksumLength;
    if (text.substr(end) != ir::sha256_hex(text.substr(0, end)) + '\n') return std::nullopt;
    return text.substr(head.size(), end - head.size());
}

void ProofCache::keep(std::string_view key, std::string_view answer) const {
    if (!enabled()) return;
    const std::filesystem::path path = path_of(folder_, key);
    std::error_code failed;
    std::filesystem::create_directories(path.parent_path(), failed);
    if (failed) return;
    // A name that no other thread or process writes to.
    static std::atomic<unsigned> serial{0};
    const std::filesystem::path beside =
        path.string() + "." + std::to_string(::getpid()) + "." + std::to_string(serial++);
    std::string text = head_of(key) + std::string(answer);
    text += ir::sha256_hex(text) + '\n';
    std::ofstream out(beside, std::ios::binary);
    out << text;
    out.close();
    if (out) {
        std::filesystem::rename(beside, path, failed);
    }
    if (!out || failed) std::filesystem::remove(beside, failed);
}

std::string default_cache_folder() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    if (const char* told = std::getenv("PROVISO_CACHE")) return told;
    if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) {
        return cache + "/proviso";
    }
    const std::string home = variable("HOME");
    return home.empty() ? "" : home + "/.cache/proviso";
}

}  // namespace proviso::analysis
