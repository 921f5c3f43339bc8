#include "fuzz/folder/leases.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include "fuzz/folder/durable.h"
#include "ir/files/read.h"

namespace proviso::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr const char* kOwnerPrefix = "owner-";
constexpr const char* kTakenPrefix = "taken-";
constexpr std::uint64_t kOwnerBytes = 4096;

std::optional<std::uint64_t> chunk_of(const std::string& name) {
    std::uint64_t out = 0;
    const char* const end = name.data() + name.size();
    const auto [last, code] = std::from_chars(name.data(), end, out);
    if (code != std::errc() || last != end) return std::nullopt;
    return out;
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
    std::map<std::uint64_t, bool> gone;  // by the number of the owner's file
    for (const std::string& name : names_in(folder)) {
        const fs::path path = fs::path(folder) / name;
        struct stat seen{};
        if (::lstat(path.c_str(), &seen) != 0) continue;  // given back
        auto known = gone.find(seen.st_ino);
        if (known == gone.end()) {
            const bool is = owner_is_gone(path.string(), seen.st_mtime, now, limit);
            known = gone.emplace(seen.st_ino, is).first;
        }
        if (const auto chunk = chunk_of(name)) {
            out.leased[*chunk] = known->second;
        } else if (starts_with(name, kOwnerPrefix) || starts_with(name, kTakenPrefix)) {
            if (known->second) out.left.push_back(name);
            if (!known->second && starts_with(name, kOwnerPrefix)) ++out.owners;
        }
    }
    return out;
}

Leases::~Leases() {
    if (file_.empty()) return;
    for (const std::uint64_t chunk : std::vector<std::uint64_t>(mine_)) give_back(chunk);
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
    const std::string second = folder_ + "/" + kTakenPrefix + owner_.id;
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

std::string Leases::path_of(std::uint64_t chunk) const {
    return folder_ + "/" + std::to_string(chunk);
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
    const std::string name = path_of(chunk);
    struct stat seen{};
    if (::stat(file_.c_str(), &seen) != 0 && errno == ENOENT) {
        if (const Status ok = join(); !ok) return ok.error();
    }
    Result<bool> got = link_to(name);
    if (got && !*got) {
        const Result<bool> away = take_away(name);
        if (!away) return away;
        if (*away) got = link_to(name);
    }
    if (got && *got) mine_.push_back(chunk);
    return got;
}

Result<bool> Leases::take_away(const std::string& name) const {
    struct stat mine{};
    struct stat seen{};
    if (::stat(file_.c_str(), &mine) != 0 || ::lstat(name.c_str(), &seen) != 0) return false;
    if (!owner_is_gone(name, seen.st_mtime, mine.st_mtime, limit_)) return false;
    // Looked at again just before it is moved: another process may have taken it over.
    struct stat still{};
    if (::lstat(name.c_str(), &still) != 0 || still.st_ino != seen.st_ino) return false;
    const std::string away = folder_ + "/" + kTakenPrefix + owner_.id;
    if (::rename(name.c_str(), away.c_str()) != 0) {
        if (errno == ENOENT) return false;  // another process was first
        return file_error("cannot move", name, errno);
    }
    struct stat moved{};
    const bool same = ::lstat(away.c_str(), &moved) == 0 && moved.st_ino == seen.st_ino;
    // Another process took it over in between, and this was its lease.
    if (!same && ::link(away.c_str(), name.c_str()) != 0 && errno != EEXIST) {
        return file_error("cannot put back", name, errno);
    }
    std::remove(away.c_str());
    return same;
}

void Leases::give_back(std::uint64_t chunk) {
    mine_.erase(std::remove(mine_.begin(), mine_.end(), chunk), mine_.end());
    const std::string name = path_of(chunk);
    if (owner_in(name).id == owner_.id) ::unlink(name.c_str());
}

void Leases::tidy(const LeaseState& state, const std::vector<std::uint64_t>& finished) const {
    for (const std::string& name : state.left) ::unlink((folder_ + "/" + name).c_str());
    for (const std::uint64_t chunk : finished) {
        const auto lease = state.leased.find(chunk);
        if (lease != state.leased.end() && lease->second) ::unlink(path_of(chunk).c_str());
    }
}

}  // namespace proviso::fuzz
