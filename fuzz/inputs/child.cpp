#include "fuzz/inputs/child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

#include "ir/files/read.h"

namespace proviso::fuzz::inputs {

namespace fs = std::filesystem;

namespace {

constexpr int kClockFactor = 20;  // generous: a busy machine is not to make findings
constexpr std::uint64_t kLargestOutput = std::uint64_t{256} << 20U;

void limit(int what, std::uint64_t soft, std::uint64_t hard) {
    const rlimit both{soft, hard};
    ::setrlimit(static_cast<__rlimit_resource>(what), &both);
}

// In the child, between fork and exec: system calls only.
[[noreturn]] void become(char* const* argv, const char* folder, int seconds) {
    ::setpgid(0, 0);
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_FSIZE, kLargestOutput, kLargestOutput);
    limit(RLIMIT_CPU, static_cast<std::uint64_t>(seconds), static_cast<std::uint64_t>(seconds) + 2);
    if (::chdir(folder) != 0) ::_exit(126);
    int in = ::open("stdin", O_RDONLY);
    if (in < 0) in = ::open("/dev/null", O_RDONLY);
    const int out = ::open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err = ::open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0) ::_exit(126);
    ::execv(argv[0], argv);
    ::_exit(127);
}

// Bytes of memory that the process uses; 0 where it has ended.
std::uint64_t memory_of(pid_t child) {
    const Result<std::string> text =
        ir::read_file("/proc/" + std::to_string(child) + "/statm", 4096);
    if (!text) return 0;
    unsigned long long all = 0;
    unsigned long long resident = 0;
    if (std::sscanf(text->c_str(), "%llu %llu", &all, &resident) != 2) return 0;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::string text_of(std::uint64_t bytes) {
    return std::to_string(bytes >> 20U) + " MiB";
}

// What a sanitizer, or the library's own checks, said.
bool complains(const fs::path& err) {
    const Result<std::string> text = ir::read_file(err.string(), kLargestOutput);
    if (!text) return false;
    for (const char* mark : {"Sanitizer", "runtime error:", "internal error"}) {
        if (text->find(mark) != std::string::npos) return true;
    }
    return false;
}

}  // namespace

Outcome run_child(const std::vector<std::string>& words, const fs::path& folder,
                  const ChildLimits& limits) {
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const std::string where = folder.string();
    const pid_t child = ::fork();
    if (child == 0) become(argv.data(), where.c_str(), limits.seconds);
    Outcome out;
    if (child < 0) {
        out.wrong = "cannot start a process";
        return out;
    }
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::seconds(limits.seconds) * kClockFactor;
    int status = 0;
    rusage used{};
    auto pause = std::chrono::milliseconds(1);
    while (::wait4(child, &status, WNOHANG, &used) == 0) {
        const std::uint64_t memory = memory_of(child);
        if (memory > limits.memory) out.wrong = "more than " + text_of(limits.memory);
        if (std::chrono::steady_clock::now() > end) {
            out.wrong =
                "no end after " + std::to_string(limits.seconds * kClockFactor) + " s of the clock";
        }
        if (!out.wrong.empty()) {
            ::kill(-child, SIGKILL);
            while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
            }
            return out;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(20));
    }
    ::kill(-child, SIGKILL);  // what it has started
    if (static_cast<std::uint64_t>(used.ru_maxrss) * 1024 > limits.memory) {
        out.wrong = "more than " + text_of(limits.memory);
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        out.wrong = "no end after " + std::to_string(limits.seconds) + " s of processor time";
    } else if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        out.wrong = "killed by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
    } else {
        out.code = WEXITSTATUS(status);
        if (out.code > 3) out.wrong = "exit code " + std::to_string(out.code);
        if (out.wrong.empty() && complains(folder / "stderr")) out.wrong = "an internal complaint";
    }
    return out;
}

}  // namespace proviso::fuzz::inputs
