#include "tools/lsp/job.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>

namespace proviso::tools::lsp {

namespace {

// How the result begins on its way: whether the work has finished.
constexpr char kFinished = '+';
constexpr char kDied = '-';

[[noreturn]] void work_as_child(int file, pid_t parent, const backend::ChildLimits& limits,
                                const std::function<std::string()>& work) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) _exit(1);  // it ended before that was said
    // The limits are those of a further process, so that this one lives to say that they were
    // passed.
    const backend::ChildResult result = backend::in_child(limits, work);
    const std::string bytes = result.finished ? kFinished + result.bytes : kDied + result.death;
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(1);
        done += static_cast<std::size_t>(n);
    }
    _exit(0);
}

}  // namespace

Job::Job(const backend::ChildLimits& limits, const std::function<std::string()>& work) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return;
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
        ::close(ends[0]);
        work_as_child(ends[1], parent, limits, work);
    }
    ::close(ends[1]);
    if (pid_ < 0) {
        ::close(ends[0]);
        return;
    }
    file_ = ends[0];
}

Job::~Job() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    if (file_ >= 0) ::close(file_);
}

std::optional<backend::ChildResult> Job::read() {
    std::array<char, 65536> buffer{};
    const ssize_t n = ::read(file_, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) return std::nullopt;
    if (n > 0) {
        bytes_.append(buffer.data(), static_cast<std::size_t>(n));
        return std::nullopt;
    }
    backend::ChildResult out;
    if (bytes_.empty()) {
        out.death = "ended without a word";
        return out;
    }
    out.finished = bytes_.front() == kFinished;
    (out.finished ? out.bytes : out.death) = bytes_.substr(1);
    return out;
}

}  // namespace proviso::tools::lsp
