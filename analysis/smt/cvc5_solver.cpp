// cvc5 as a child process: text in a memory file as its standard input, answer from a pipe.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <optional>

#include "analysis/smt/solvers.h"

extern char** environ;

namespace proviso::analysis::smt {

namespace {

constexpr std::uint64_t kMemory = std::uint64_t{4} << 30;

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

struct ChildOutput {
    std::string text;
    bool killed = false;
    bool started = false;
};

// Everything that the child writes until it ends; past the deadline it is killed.
void collect(int fd, pid_t child, int wall_limit_s, ChildOutput& out) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(wall_limit_s);
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd waiting{fd, POLLIN, 0};
        const int ready =
            left.count() <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left.count()));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
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

// The values in "((m0 5) (m1 (- 3)))", in order.
std::vector<std::string> read_values(const std::string& text, std::size_t from) {
    std::vector<std::string> out;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        if (text[i] == '(' && ++depth == 2) start = i + 1;
        if (text[i] == ')' && --depth == 1) {
            const std::string pair = text.substr(start, i - start);
            const std::size_t space = pair.find(' ');
            out.push_back(space == std::string::npos ? "" : pair.substr(space + 1));
        }
    }
    return out;
}

Reply ask(const std::string& text, std::uint64_t rlimit, int wall_limit_s, bool models) {
    std::vector<std::string> command = {"cvc5", "--lang=smt2",
                                        fmt::format("--rlimit-per={}", rlimit)};
    if (models) command.emplace_back("--produce-models");
    // By default cvc5 takes the formats of 32 and 64 bits only; float16 and bfloat16 need its word
    // for all formats.
    for (const char* format : {"(_ FloatingPoint 5 11)", "(_ FloatingPoint 8 8)"}) {
        if (text.find(format) == std::string::npos) continue;
        command.emplace_back("--fp-exp");
        break;
    }
    command.emplace_back("-");
    const ChildOutput out = run_child(command, text, wall_limit_s);
    Reply reply;
    const std::string first = out.text.substr(0, out.text.find('\n'));
    if (!out.started || (first.empty() && !out.killed)) {
        reply.why = cvc5_version().empty() ? "cvc5 not installed" : "cvc5 gave no answer";
    } else if (first == "unsat") {
        reply.verdict = Verdict::Proved;
    } else if (first == "sat") {
        reply.verdict = Verdict::Refuted;
        if (models) reply.values = read_values(out.text, first.size());
    } else if (out.killed) {
        reply.why = stopped("cvc5", wall_limit_s);
    } else if (first.rfind("unknown", 0) == 0) {
        reply.why = "resource";
    } else {
        reply.why = "cvc5: " + first.substr(0, 200);
    }
    return reply;
}

}  // namespace

Reply run_cvc5(const std::string& text, std::uint64_t rlimit, int wall_limit_s,
               const ModelQuery* query) {
    Reply reply = ask(text, rlimit, wall_limit_s, false);
    if (reply.verdict != Verdict::Refuted || query == nullptr || query->wanted.empty()) {
        return reply;
    }
    std::string names;
    for (std::size_t i = 0; i < query->wanted.size(); ++i) names += fmt::format(" m{}", i);
    const std::string asked = "(check-sat)\n(get-value (" + names.substr(1) + "))\n";
    const std::string base = with_model_constants(text, *query);
    for (const int bound : kModelBounds) {
        if (query->integers.empty()) break;
        std::string small;
        for (const std::string& v : query->integers) {
            small += fmt::format("(assert (<= (- {}) {} {}))\n", bound, v, bound);
        }
        const Reply found = ask(base + small + asked, rlimit, wall_limit_s, true);
        if (found.verdict == Verdict::Refuted) return found;
    }
    const Reply found = ask(base + asked, rlimit, wall_limit_s, true);
    if (found.verdict == Verdict::Refuted) reply.values = found.values;
    return reply;
}

}  // namespace proviso::analysis::smt

namespace proviso::analysis {

std::string cvc5_version() {
    static const std::string version = [] {
        const std::string text = smt::run_child({"cvc5", "--version"}, "", 10).text;
        const std::string mark = "version ";
        const std::size_t at = text.find(mark);
        if (at == std::string::npos) return std::string();
        const std::size_t start = at + mark.size();
        return text.substr(start, text.find_first_of(" \n[", start) - start);
    }();
    return version;
}

}  // namespace proviso::analysis
