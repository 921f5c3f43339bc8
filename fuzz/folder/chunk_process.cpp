#include "fuzz/folder/chunk_process.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "fuzz/folder/corpus.h"
#include "fuzz/folder/durable.h"
#include "fuzz/folder/scratch.h"

namespace proviso::fuzz {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

struct ChunkProcess::Shared {
    std::atomic<std::uint64_t> current_case;
    std::atomic<int> no_answer;  // the error that kept it from being written
};

namespace {

constexpr double kLongestLook = 0.5;  // seconds between two looks that count
constexpr auto kReplace = json::error_handler_t::replace;

std::string answer_of(const Result<ChunkDone>& result) {
    json out;
    if (result) {
        json reached = json::array();
        for (const ReachedCase& r : result->reached) reached.push_back(r.json());
        out = {{"cases", result->done.cases},
               {"counts", result->done.counts},
               {"slowest", result->done.slowest},
               {"findings", result->findings},
               {"reached", reached}};
    } else {
        out = {{"error", result.error().message}, {"hint", result.error().hint}};
    }
    return out.dump(-1, ' ', false, kReplace);
}

Result<ChunkDone> result_of(const json& j) {
    if (j.contains("error")) return error(j["error"], j["hint"]);
    ChunkDone out;
    j.at("cases").get_to(out.done.cases);
    j.at("counts").get_to(out.done.counts);
    j.at("slowest").get_to(out.done.slowest);
    j.at("findings").get_to(out.findings);
    out.reached = reached_from(j.at("reached"));
    return out;
}

std::string read_whole(int file) {
    std::string out;
    std::array<char, 65536> bytes{};
    for (off_t at = 0;;) {
        const ssize_t n = ::pread(file, bytes.data(), bytes.size(), at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return out;
        out.append(bytes.data(), static_cast<std::size_t>(n));
        at += n;
    }
}

// Zero, or what went wrong.
int write_whole(int file, const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : ENOSPC;
        done += static_cast<std::size_t>(n);
    }
    return 0;
}

// An exception of a case, or an error where the machine is why.
std::string answer_of_exception(const std::exception& e) {
    const Status works = machine_works();
    if (!works) return answer_of(works.error());
    if (dynamic_cast<const std::system_error*>(&e) != nullptr) return answer_of(error(e.what()));
    return json{{"thrown", e.what()}}.dump(-1, ' ', false, kReplace);
}

}  // namespace

Result<ChunkDone> run_chunk(const ChunkToRun& work,
                            const std::function<void(std::uint64_t)>& before) {
    ChunkDone out;
    std::set<std::string> ids;
    Features seen;  // in this chunk
    const auto reached = [&](std::uint64_t number, const ReachedByCase& by) -> Status {
        ReachedCase one{number, "", {}};
        for (const std::string& f : by.features) {
            if (seen.insert(f).second) one.features.push_back(f);
        }
        if (one.features.empty()) return Unit{};
        one.pair = by.pair.id();
        out.reached.push_back(std::move(one));
        return keep_pair(work.folder, by.pair, work.owner);
    };
    const std::uint64_t end =
        work.settings.first_of(work.chunk) + work.settings.cases_of(work.chunk);
    for (std::uint64_t first = work.settings.first_of(work.chunk); first < end;) {
        // Up to the next case that is passed over.
        const auto next = work.passed_over.lower_bound(first);
        const std::uint64_t stop = next == work.passed_over.end() ? end : std::min(end, *next);
        if (first < stop) {
            before(first);
            const CasesToRun cases{work.settings,
                                   first,
                                   stop - first,
                                   work.proviso,
                                   before,
                                   [&](const CampaignFinding& finding) {
                                       if (Status ok = machine_works(); !ok) return ok;
                                       ids.insert(finding.named());
                                       return keep_finding(work.folder, finding, work.owner);
                                   },
                                   work.guide.get(),
                                   reached};
            const Result<CasesDone> done = work.kind->run(cases);
            if (!done) return done.error();
            out.done.add(*done);
        }
        first = stop + 1;
    }
    out.findings.assign(ids.begin(), ids.end());
    return out;
}

ChunkProcess::ChunkProcess(ChunkToRun work, const std::function<void()>& in_child)
    : work_(std::move(work)), start_(Clock::now()), asked_(Clock::now()) {
    void* const memory =
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    answer_ = ::memfd_create("proviso-chunk", MFD_CLOEXEC);
    if (memory == MAP_FAILED || answer_ < 0) {
        started_ = error(std::string("no memory for a process: ") + std::strerror(errno));
        return;
    }
    shared_ = new (memory) Shared{};
    shared_->current_case = seen_case_ = work_.settings.first_of(work_.chunk);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) {
        started_ = error(std::string("cannot start a process: ") + std::strerror(errno));
        return;
    }
    if (pid_ > 0) return;
    // Ends with its parent, and not by what is typed on the parent's terminal.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::setpgid(0, 0);
    in_child();
    if (!work_.scratch.empty()) ::setenv("TMPDIR", work_.scratch.c_str(), 1);
    std::string answer;
    try {
        const auto before = [this](std::uint64_t k) { shared_->current_case.store(k); };
        answer = answer_of(run_chunk(work_, before));
    } catch (const std::exception& e) {
        answer = answer_of_exception(e);
    }
    shared_->no_answer = write_whole(answer_, answer);
    ::_exit(0);
}

ChunkProcess::~ChunkProcess() {
    kill();
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
    if (answer_ >= 0) ::close(answer_);
    if (shared_ != nullptr) ::munmap(shared_, sizeof(Shared));
}

void ChunkProcess::kill() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);  // and what it has started
    ::kill(pid_, SIGKILL);
}

std::uint64_t ChunkProcess::current_case() const {
    return shared_->current_case.load();
}

double ChunkProcess::seconds_of_case() {
    const Clock::time_point now = Clock::now();
    const double since = std::chrono::duration<double>(now - asked_).count();
    asked_ = now;
    const std::uint64_t was = std::exchange(seen_case_, current_case());
    seconds_of_case_ = was != seen_case_ ? 0 : seconds_of_case_ + std::min(since, kLongestLook);
    return seconds_of_case_;
}

double ChunkProcess::seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::optional<ChunkProcess::Ended> ChunkProcess::ended() {
    if (pid_ <= 0) return std::nullopt;
    int status = 0;
    const pid_t which = ::waitpid(pid_, &status, WNOHANG);
    if (which == 0 || (which < 0 && errno == EINTR)) return std::nullopt;
    ::kill(-pid_, SIGKILL);
    pid_ = -1;
    Ended out;
    if (which < 0) out.result = Result<ChunkDone>(file_error("lost", "a process", errno));
    if (const int code = shared_->no_answer; code != 0) {
        out.result = Result<ChunkDone>(file_error("cannot write", "what a chunk has found", code));
    }
    if (out.result) return out;
    if (WIFSIGNALED(status)) {
        const char* const name = sigabbrev_np(WTERMSIG(status));
        out.how = std::string("SIG") + (name == nullptr ? "?" : name);
        out.by_force = WTERMSIG(status) == SIGKILL;
        return out;
    }
    const json answer = json::parse(read_whole(answer_), nullptr, false);
    if (!answer.is_object()) {
        out.how = "exit code " + std::to_string(WEXITSTATUS(status));
    } else if (answer.contains("thrown")) {
        out.how = "an exception: " + answer["thrown"].get<std::string>();
    } else {
        out.result = result_of(answer);
    }
    return out;
}

}  // namespace proviso::fuzz
