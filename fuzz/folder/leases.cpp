#include "fuzz/folder/leases.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "fuzz/folder/durable.h"
#include "ir/files/read.h"

namespace proviso::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr const char* kOwnerPrefix = "owner-";
constexpr const char* kTrialPrefix = "trial-";
constexpr std::uint64_t kOwnerBytes = 4096;

// A chunk, and how many owners of it are gone: "17" or "17.2".
struct LeaseName {
    std::uint64_t chunk = 0;
    std::uint64_t turns = 0;
};

bool is_number(std::string_view text, std::uint64_t& out) {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const auto [last, code] = std::from_chars(begin, end, out);
    return code == std::errc() && last == end;
}

std::optional<LeaseName> lease_name(const std::string& name) {
    LeaseName out;
    const std::size_t dot = name.find('.');
    if (!is_number(std::string_view(name).substr(0, dot), out.chunk)) return std::nullopt;
    if (dot == std::string::npos) return out;
    const bool fits = is_number(std::string_view(name).substr(dot + 1), out.turns);
    return fits && out.turns != 0 ? std::optional(out) : std::nullopt;
}

bool starts_with(const std::string& name, const char* prefix) {
    return name.rfind(prefix, 0) == 0;
}

// Nobody, who is as one of another machine, where the file cannot be read: its machine stopped
// while it was made, or it is none of ours.
Owner owner_in(const std::string& file) {
    const Result<std::string> text = ir::read_file(file, kOwnerBytes, ir::Links::Refuse);
    if (!text) return {};
    const Result<Owner> owner = read_owner(*text);
    return owner ? *owner : Owner{};
}

bool owner_is_gone(const std::string& file, std::time_t heard, std::time_t now,
                   std::uint64_t limit) {
    const Owner owner = owner_in(file);
    struct stat seen{};
    if (::lstat(file.c_str(), &seen) != 0) return false;  // it has just been removed
    return is_gone(owner, heard, now, limit);
}

std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> out;
    std::error_code code;
    for (fs::directory_iterator it(folder, code); !code && it != fs::directory_iterator();
         it.increment(code)) {
        out.push_back(it->path().filename().string());
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

LeaseState read_leases(const std::string& folder, std::uint64_t limit, std::time_t now) {
    LeaseState out;
    std::map<std::uint64_t, bool> gone;            // by the number of the owner's file
    std::map<std::uint64_t, std::uint64_t> turns;  // of the last lease of a chunk
    for (const std::string& name : names_in(folder)) {
        const fs::path path = fs::path(folder) / name;
        struct stat seen{};
        if (::lstat(path.c_str(), &seen) != 0) continue;  // given back
        auto known = gone.find(seen.st_ino);
        if (known == gone.end()) {
            const bool is = owner_is_gone(path.string(), seen.st_mtime, now, limit);
            known = gone.emplace(seen.st_ino, is).first;
        }
        if (const auto lease = lease_name(name)) {
            const auto [last, is_first] = turns.emplace(lease->chunk, lease->turns);
            if (is_first || last->second < lease->turns) out.leased[lease->chunk] = known->second;
            last->second = std::max(last->second, lease->turns);
            if (known->second) out.ended.emplace_back(lease->chunk, name);
        } else if (starts_with(name, kOwnerPrefix) || starts_with(name, kTrialPrefix)) {
            if (known->second) out.left.push_back(name);
            if (!known->second && starts_with(name, kOwnerPrefix)) ++out.owners;
        }
    }
    return out;
}

Leases::~Leases() {
    if (file_.empty()) return;
    while (!mine_.empty()) give_back(mine_.begin()->first);
    ::unlink(file_.c_str());
}

void Leases::forget() {
    file_.clear();
    mine_.clear();
}

Status Leases::join() {
    if (owner_.id.empty()) owner_ = this_process();
    const std::string file = folder_ + "/" + kOwnerPrefix + owner_.id;
    if (const Status ok = write_durably(file, owner_.text()); !ok) return ok;
    file_ = file;
    const std::string second = folder_ + "/" + kTrialPrefix + owner_.id;
    const Result<bool> linked = link_to(second);
    if (!linked) return linked.error();
    ::unlink(second.c_str());
    return Unit{};
}

Status Leases::beat() {
    if (::utimensat(AT_FDCWD, file_.c_str(), nullptr, 0) == 0) return Unit{};
    if (errno != ENOENT) return file_error("cannot touch", file_, errno);
    // Nobody heard of this process for so long that another one took its chunks over, or somebody
    // removed the file: it begins anew. What it works on is counted once.
    return join();
}

LeaseState Leases::state() const {
    struct stat seen{};
    const bool known = ::stat(file_.c_str(), &seen) == 0;
    return read_leases(folder_, limit_, known ? seen.st_mtime : 0);
}

std::string Leases::path_of(std::uint64_t chunk, std::uint64_t turns) const {
    const std::string first = folder_ + "/" + std::to_string(chunk);
    return turns == 0 ? first : first + "." + std::to_string(turns);
}

Result<bool> Leases::link_to(const std::string& name) const {
    if (::link(file_.c_str(), name.c_str()) == 0) return true;
    if (errno == EEXIST) return false;
    // This process was taken for one that is gone in between: it takes nothing now.
    struct stat seen{};
    if (errno == ENOENT && ::stat(folder_.c_str(), &seen) == 0) return false;
    Diagnostic out = file_error("cannot make", name, errno);
    if (errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK) {
        out.hint = "a campaign needs a file system with hard links";
    }
    return out;
}

Result<bool> Leases::take(std::uint64_t chunk) {
    struct stat seen{};
    if (::stat(file_.c_str(), &seen) != 0 && errno == ENOENT) {
        if (const Status ok = join(); !ok) return ok.error();
    }
    for (std::uint64_t turns = 0;; ++turns) {
        const std::string name = path_of(chunk, turns);
        const Result<bool> got = link_to(name);
        if (!got) return got.error();
        if (*got) {
            // An earlier owner may have given its name back after somebody had taken over from it.
            const bool later = ::lstat(path_of(chunk, turns + 1).c_str(), &seen) == 0;
            if (later) {
                ::unlink(name.c_str());
                return false;
            }
            mine_[chunk] = turns;
            return true;
        }
        if (!is_given_up(name)) return false;
    }
}

// It is there, and its owner is gone.
bool Leases::is_given_up(const std::string& name) const {
    struct stat mine{};
    struct stat seen{};
    if (::stat(file_.c_str(), &mine) != 0 || ::lstat(name.c_str(), &seen) != 0) return false;
    return owner_is_gone(name, seen.st_mtime, mine.st_mtime, limit_);
}

void Leases::give_back(std::uint64_t chunk) {
    const auto lease = mine_.find(chunk);
    if (lease == mine_.end()) return;
    // The name is this process's own: who takes over makes another one.
    ::unlink(path_of(chunk, lease->second).c_str());
    mine_.erase(lease);
}

void Leases::finished(std::uint64_t chunk) {
    const auto lease = mine_.find(chunk);
    if (lease == mine_.end()) return;
    for (std::uint64_t turns = 0; turns < lease->second; ++turns) {
        ::unlink(path_of(chunk, turns).c_str());
    }
    give_back(chunk);
}

void Leases::tidy(const LeaseState& state,
                  const std::function<bool(std::uint64_t)>& is_finished) const {
    for (const std::string& name : state.left) ::unlink((folder_ + "/" + name).c_str());
    for (const auto& [chunk, name] : state.ended) {
        if (is_finished(chunk)) ::unlink((folder_ + "/" + name).c_str());
    }
}

}  // namespace proviso::fuzz
