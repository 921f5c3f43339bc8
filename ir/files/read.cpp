#include "ir/files/read.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace proviso::ir {

namespace {

class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }

  private:
    int fd_;
};

std::string reason(int code) {
    return std::generic_category().message(code);
}

// What stands where a file should be.
std::string kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a named pipe, not a file";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device, not a file";
    if (S_ISSOCK(mode)) return "a socket, not a file";
    if (S_ISLNK(mode)) return "a link, not a file";
    return "not a file";
}

Diagnostic too_large(const std::string& what, std::uint64_t most) {
    return error(what + " is larger than " + bytes_text(most),
                 "docs/limits.md lists how large files may be");
}

// A name comes from a command line or a folder: what the system would cut off at a zero byte.
Status check_name(const std::string& path) {
    if (path.find('\0') == std::string::npos) return Unit{};
    return error("cannot read " + path.substr(0, path.find('\0')) + ": a zero byte in its name");
}

Status check_kind(const std::string& path, const struct stat& about) {
    if (S_ISREG(about.st_mode)) return Unit{};
    return error(path + " is " + kind_of(about.st_mode));
}

Result<std::string> read_all(int fd, const std::string& what, std::uint64_t expected,
                             std::uint64_t most) {
    std::string out;
    out.reserve(static_cast<std::size_t>(std::min(expected, most)));
    std::array<char, 65536> bytes{};
    for (;;) {
        const ssize_t n = ::read(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return error("cannot read " + what + ": " + reason(errno));
        if (n == 0) return out;
        if (out.size() + static_cast<std::size_t>(n) > most) return too_large(what, most);
        out.append(bytes.data(), static_cast<std::size_t>(n));
    }
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
    const char* const units[] = {"bytes", "KiB", "MiB", "GiB"};
    std::size_t unit = 0;
    while (unit < 3 && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        ++unit;
    }
    return std::to_string(bytes) + " " + units[unit];
}

Result<std::string> read_file(const std::string& path, std::uint64_t most, Links links) {
    if (const Status named = check_name(path); !named) return named.error();
    struct stat about{};
    const bool follow = links == Links::Follow;
    if ((follow ? ::stat(path.c_str(), &about) : ::lstat(path.c_str(), &about)) != 0) {
        if (errno == ENOENT) return error("cannot read " + path, "does the file exist?");
        return error("cannot read " + path + ": " + reason(errno));
    }
    if (const Status kind = check_kind(path, about); !kind) return kind.error();
    // Something else may stand there by now: opening it must not wait, and it is asked again.
    const Descriptor in(::open(
        path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (follow ? 0 : O_NOFOLLOW)));
    if (in.get() < 0) return error("cannot read " + path + ": " + reason(errno));
    if (::fstat(in.get(), &about) != 0) return error("cannot read " + path + ": " + reason(errno));
    if (const Status kind = check_kind(path, about); !kind) return kind.error();
    const auto size = static_cast<std::uint64_t>(about.st_size);
    if (size > most) return too_large(path, most);
    return read_all(in.get(), path, size, most);
}

Result<std::string> read_standard_input(std::uint64_t most) {
    return read_all(STDIN_FILENO, "standard input", 0, most);
}

Status check_target(const std::string& path) {
    struct stat about{};
    if (::stat(path.c_str(), &about) != 0) return Unit{};
    if (const Status kind = check_kind(path, about); !kind) {
        return error("cannot write: " + kind.error().message);
    }
    return Unit{};
}

}  // namespace proviso::ir
