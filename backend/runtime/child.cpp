#include "backend/runtime/child.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

namespace proviso::backend {

namespace {

void set_limit(__rlimit_resource what, rlim_t value) {
    // At the second of two limits of processor time the system kills without a reason.
    const rlimit limit{value, what == RLIMIT_CPU ? value + 1 : value};
    setrlimit(what, &limit);  // a limit that cannot be set is one that holds already
}

void limit_this_process(const ChildLimits& limits) {
    set_limit(RLIMIT_CORE, 0);
    if (limits.seconds != 0) set_limit(RLIMIT_CPU, limits.seconds);
    alarm(limits.wall_seconds);  // of 0 seconds: none
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (limits.memory != 0) set_limit(RLIMIT_AS, limits.memory);
#endif
}

bool write_all(int file, const std::string& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += static_cast<std::size_t>(n);
    }
    return true;
}

std::string read_all(int file) {
    std::string out;
    std::array<char, 65536> buffer{};
    while (true) {
        const ssize_t n = ::read(file, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return out;
        out.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

// Nobody waits for a child without a parent.
void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) _exit(1);  // it ended before that was said
}

[[noreturn]] void child(int file, const ChildLimits& limits,
                        const std::function<std::string()>& work) {
    limit_this_process(limits);
    // A crash is told by the signal, whatever the parent does about its own.
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        std::signal(signal, SIG_DFL);
    int code = 1;
    try {
        code = write_all(file, work()) ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "in a child process: %s\n", e.what());
    }
    ::close(file);
    _exit(code);
}

std::string death_text(int status, const ChildLimits& limits) {
    if (!WIFSIGNALED(status)) return fmt::format("ended with code {}", WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU) {
        return fmt::format("stopped after {} seconds of processor time", limits.seconds);
    }
    if (signal == SIGALRM) return fmt::format("stopped after {} seconds", limits.wall_seconds);
    return fmt::format("killed by signal {} ({})", signal, strsignal(signal));
}

}  // namespace

std::string signal_text(int signal) {
    switch (signal) {
        case SIGSEGV: return "segmentation fault (memory that is not there)";
        case SIGBUS: return "bus error (memory that is not there)";
        case SIGFPE: return "arithmetic exception (a division without a quotient)";
        case SIGILL: return "illegal instruction";
        case SIGABRT: return "abort (memory found to be corrupt)";
        case SIGKILL: return "killed (often for memory)";
        default: return strsignal(signal);
    }
}

ChildResult in_child(const ChildLimits& limits, const std::function<std::string()>& work) {
    ChildResult out;
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) {
        out.death = fmt::format("no pipe: {}", std::strerror(errno));
        return out;
    }
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) {
        end_with(parent);
        ::close(ends[0]);
        child(ends[1], limits, work);
    }
    ::close(ends[1]);
    if (pid < 0) {
        ::close(ends[0]);
        out.death = fmt::format("no process: {}", std::strerror(errno));
        return out;
    }
    out.bytes = read_all(ends[0]);
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    out.finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (WIFSIGNALED(status)) out.signal = WTERMSIG(status);
    if (!out.finished) out.death = death_text(status, limits);
    return out;
}

}  // namespace proviso::backend
