#include "fuzz/folder/scratch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "fuzz/folder/durable.h"
#include "fuzz/folder/owner.h"
#include "ir/files/read.h"

namespace proviso::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr const char* kOwnerFile = "owner";
constexpr std::uint64_t kMostOwnerBytes = 4096;
constexpr std::size_t kBytesNeeded = 65536;  // for what a case writes, at the least
// A folder without an owner is one that is just being made.
constexpr std::uint64_t kSecondsWithoutOwner = 3600;

Diagnostic no_place(const std::string& path, int code) {
    Diagnostic out = file_error("there is no place for temporary files in", path, code);
    out.hint = "TMPDIR says where they go";
    return out;
}

// Not `temp_directory_path`, which fails where it is missing.
std::string temporary_folder() {
    const char* const set = std::getenv("TMPDIR");
    return set == nullptr || *set == 0 ? "/tmp" : set;
}

}  // namespace

Scratch::Scratch(const std::string& name) {
    std::string path = temporary_folder() + "/" + name + "-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) {
        made_ = no_place(temporary_folder(), errno);
        return;
    }
    path_ = path;
    made_ = write_durably(path_ + "/" + kOwnerFile, this_process().text());
}

Scratch::~Scratch() {
    std::error_code code;
    if (!path_.empty()) fs::remove_all(path_, code);
}

void remove_left_scratch(const std::string& name) {
    std::error_code code;
    for (fs::directory_iterator it(temporary_folder(), code);
         !code && it != fs::directory_iterator(); it.increment(code)) {
        const fs::path path = it->path();
        if (path.filename().string().rfind(name + "-", 0) != 0) continue;
        const auto text = ir::read_file((path / kOwnerFile).string(), kMostOwnerBytes);
        const Result<Owner> owner = text ? read_owner(*text) : Result<Owner>(text.error());
        std::error_code ignored;
        if (owner && is_gone(*owner, 0, 0, kSecondsWithoutOwner)) fs::remove_all(path, ignored);
    }
}

Status machine_works() {
    const Scratch scratch("proviso-probe");
    if (!scratch.made()) return scratch.made();
    Status written = write_durably(scratch.path() + "/bytes", std::string(kBytesNeeded, 'x'));
    if (!written) return written;
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return file_error("cannot make", "a pipe", errno);
    for (const int end : ends) ::close(end);
    const pid_t child = ::fork();
    if (child < 0) return file_error("cannot start", "a process", errno);
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    return Unit{};
}

}  // namespace proviso::fuzz
