// The text goes into a memory file, which is the child's standard input; what it says comes through
// a pipe.
#include "analysis/smt/child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

extern char** environ;

namespace proviso::analysis::smt {

namespace {

constexpr std::uint64_t kMemory = std::uint64_t{4} << 30;
constexpr std::size_t kMostOutput = std::size_t{16} << 20;

// A file descriptor that closes itself.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }
    void close() {
        if (fd_ >= 0) ::close(fd_);
        fd_ = -1;
    }

  private:
    int fd_;
};

bool write_all(int fd, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
        if (n <= 0) return false;
        done += static_cast<std::size_t>(n);
    }
    return ::lseek(fd, 0, SEEK_SET) == 0;
}

// Everything that the child writes until it ends; past the deadline, or the limit, it is killed.
void collect(int fd, pid_t child, int wall_limit_s, ChildOutput& out) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(wall_limit_s);
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd waiting{fd, POLLIN, 0};
        const int ready =
            left.count() <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left.count()));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0 || out.text.size() > kMostOutput) {
            ::kill(child, SIGKILL);
            out.killed = true;
            return;
        }
        char buffer[4096];
        const ssize_t n = ::read(fd, buffer, sizeof buffer);
        if (n <= 0) return;
        out.text.append(buffer, static_cast<std::size_t>(n));
    }
}

}  // namespace

ChildOutput run_child(const std::vector<std::string>& command, const std::string& input,
                      int wall_limit_s) {
    ChildOutput out;
    Descriptor in(::memfd_create("obligation", MFD_CLOEXEC));
    int ends[2] = {-1, -1};
    if (in.get() < 0 || !write_all(in.get(), input) || ::pipe2(ends, O_CLOEXEC) != 0) return out;
    Descriptor read_end(ends[0]);
    Descriptor write_end(ends[1]);

    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in.get(), 0);
    ::posix_spawn_file_actions_adddup2(&actions, write_end.get(), 1);
    ::posix_spawn_file_actions_adddup2(&actions, write_end.get(), 2);
    std::vector<char*> argv;
    argv.reserve(command.size() + 1);
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    pid_t child = -1;
    const int failed = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return out;
    out.started = true;
    const rlimit64 memory{kMemory, kMemory};
    ::prlimit64(child, RLIMIT_AS, &memory, nullptr);
    write_end.close();
    collect(read_end.get(), child, wall_limit_s, out);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return out;
}

}  // namespace proviso::analysis::smt
