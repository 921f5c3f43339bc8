#include "fuzz/folder/run.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "fuzz/folder/chunk_process.h"
#include "fuzz/folder/corpus.h"
#include "fuzz/folder/durable.h"
#include "fuzz/folder/leases.h"
#include "fuzz/folder/scratch.h"
#include "ir/text.h"

namespace proviso::fuzz {

using Clock = std::chrono::steady_clock;

namespace {

constexpr int kWaitMilliseconds = 100;
constexpr int kForcedEnds = 3;         // of one case, after which it is a finding
constexpr std::size_t kMostEnds = 16;  // cases that end their process, of one chunk
constexpr std::uint64_t kBeatsALease = 8;
constexpr std::size_t kBuildDigits = 12;
constexpr const char* kScratchName = "proviso-campaign";

// --- signals ------------------------------------------------------------------------------------

std::atomic<int> signal_seen = 0;
std::array<int, 2> wake_pipe = {-1, -1};

void on_signal(int number) {
    const int code = errno;
    if (number != SIGCHLD) signal_seen = number;
    [[maybe_unused]] const ssize_t n = ::write(wake_pipe[1], "s", 1);
    errno = code;
}

// While it lives, signals end the wait; and a limit on the size of files is an error, no signal.
class Signals {
  public:
    Signals() {
        signal_seen = 0;
        open_ = ::pipe2(wake_pipe.data(), O_CLOEXEC | O_NONBLOCK) == 0;
        struct sigaction action{};
        action.sa_handler = on_signal;
        action.sa_flags = SA_RESTART;
        for (std::size_t k = 0; k < kHandled.size(); ++k) {
            ::sigaction(kHandled.at(k), nullptr, &before_.at(k));
            // What is ignored stays so: SIGHUP below nohup, SIGINT of a shell's background.
            if (!ignored(k)) ::sigaction(kHandled.at(k), &action, nullptr);
        }
        ::signal(SIGXFSZ, SIG_IGN);
    }
    ~Signals() {
        for (std::size_t k = 0; k < kHandled.size(); ++k) {
            ::sigaction(kHandled.at(k), &before_.at(k), nullptr);
        }
        for (int& end : wake_pipe) ::close(end);
    }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    bool works() const { return open_; }
    static void in_child() {
        for (const int number : kHandled) {
            struct sigaction now{};
            ::sigaction(number, nullptr, &now);
            if (now.sa_handler != SIG_IGN) ::signal(number, SIG_DFL);
        }
    }
    static void wait() {
        pollfd wake{wake_pipe[0], POLLIN, 0};
        ::poll(&wake, 1, kWaitMilliseconds);
        std::array<char, 64> bytes{};
        while (::read(wake_pipe[0], bytes.data(), bytes.size()) > 0) {
        }
    }

  private:
    // The ends of processes are heard of all the same.
    bool ignored(std::size_t k) const {
        return kHandled.at(k) != SIGCHLD && before_.at(k).sa_handler == SIG_IGN;
    }

    static constexpr std::array<int, 4> kHandled = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    std::array<struct sigaction, 4> before_{};
    bool open_ = false;
};

std::string build_of(const std::string& program) {
    std::ifstream in(program, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    return ir::sha256_hex(bytes).substr(0, kBuildDigits);
}

// --- one process ---------------------------------------------------------------------------------

class CampaignRun {
  public:
    explicit CampaignRun(const RunOptions& o)
        : o_(o),
          journal_(journal_folder(o.folder), o.settings),
          leases_(lease_folder(o.folder), o.settings.lease_seconds),
          guides_(o.folder, o.settings),
          build_(build_of(o.proviso)) {
        const unsigned jobs = o.jobs != 0 ? o.jobs : std::thread::hardware_concurrency();
        slots_.resize(std::max(jobs, 1U));
    }

    Result<RunReport> run() {
        if (!scratch_.made()) return scratch_.made().error();
        // Empty folders are lost where somebody keeps the campaign in an archive.
        for (const std::string& part :
             {journal_folder(o_.folder), lease_folder(o_.folder), findings_folder(o_.folder)}) {
            if (const Status ok = make_folder(part); !ok) return ok.error();
        }
        if (const Status ok = leases_.join(); !ok) return ok.error();
        mine_ = std::make_unique<AppendedFile>(journal_folder(o_.folder) + "/" +
                                               leases_.owner().id + ".jsonl");
        if (const Status ok = journal_.refresh(); !ok) return ok.error();
        tidy();
        while (true) {
            if (signal_seen != 0) return ended(RunEnd::Signal);
            if (o_.seconds > 0 && seconds() >= o_.seconds) return ended(RunEnd::Time);
            if (const Status ok = step(); !ok) return ok.error();
            if (o_.chunks != 0 && report_.chunks >= o_.chunks) return ended(RunEnd::Chunks);
            if (nothing_left_ && none_runs()) return ended(RunEnd::Finished);
            tell();
            Signals::wait();
        }
    }

  private:
    struct Slot {
        std::unique_ptr<ChunkProcess> process;
        std::map<std::uint64_t, std::string> ended_by;  // cases that end their process, and how
        int forced = 0;                                 // times that one case was ended by force
        std::uint64_t forced_case = 0;
    };

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    bool none_runs() const {
        return std::none_of(slots_.begin(), slots_.end(),
                            [](const Slot& s) { return s.process != nullptr; });
    }

    Result<RunReport> ended(RunEnd end) {
        for (Slot& slot : slots_) slot.process.reset();
        report_.end = end;
        report_.signal = signal_seen;
        tell();
        return report_;
    }

    Status step() {
        const double beat_every = static_cast<double>(o_.settings.lease_seconds) / kBeatsALease;
        if (seconds() - last_beat_ >= beat_every) {
            if (Status ok = leases_.beat(); !ok) return ok;
            last_beat_ = seconds();
        }
        for (std::size_t k = 0; k < slots_.size(); ++k) {
            if (slots_[k].process != nullptr) {
                if (Status ok = look_at(k); !ok) return ok;
            }
        }
        for (std::size_t k = 0; k < slots_.size(); ++k) {
            if (slots_[k].process != nullptr || enough_taken()) continue;
            const Result<std::optional<std::uint64_t>> chunk = next_chunk();
            if (!chunk) return chunk.error();
            if (!*chunk) break;
            slots_[k] = Slot{};
            if (Status ok = start(k, **chunk); !ok) return ok;
        }
        return Unit{};
    }

    // So many chunks as this process was to run.
    bool enough_taken() const {
        std::uint64_t running = 0;
        for (const Slot& slot : slots_) running += slot.process != nullptr ? 1 : 0;
        return o_.chunks != 0 && report_.chunks + running >= o_.chunks;
    }

    Status start(std::size_t k, std::uint64_t chunk) {
        Slot& slot = slots_[k];
        std::set<std::uint64_t> over;
        for (const auto& [number, how] : slot.ended_by) over.insert(number);
        const Result<std::shared_ptr<const Guide>> guide = guides_.of(chunk, journal_);
        if (!guide) return guide.error();
        std::fflush(nullptr);
        slot.process = std::make_unique<ChunkProcess>(
            ChunkToRun{o_.kind, o_.settings, o_.folder, owner_of(k), o_.proviso, scratch_.path(),
                       chunk, over, *guide},
            Signals::in_child);
        return slot.process->started();
    }

    Status look_at(std::size_t k) {
        Slot& slot = slots_[k];
        const double limit = static_cast<double>(o_.settings.case_seconds);
        const bool endless = slot.process->seconds_of_case() > limit;
        if (endless) slot.process->kill();
        std::optional<ChunkProcess::Ended> ended = slot.process->ended();
        if (endless && !ended) return Unit{};  // it is ending
        if (!ended) return Unit{};
        if (ended->result) {
            if (!*ended->result) return ended->result->error();
            return finish(k, **ended->result);
        }
        return ended_itself(k, endless ? "does not end" : ended->how, ended->by_force && !endless);
    }

    // The chunk's process has ended without an answer, and its current case is why.
    Status ended_itself(std::size_t k, const std::string& how, bool by_force) {
        Slot& slot = slots_[k];
        const std::uint64_t chunk = slot.process->work().chunk;
        const std::uint64_t end = o_.settings.first_of(chunk) + o_.settings.cases_of(chunk);
        const std::uint64_t at = std::min(slot.process->current_case(), end - 1);
        if (by_force) {
            // Somebody's doing, or the system's for want of memory.
            slot.forced = slot.forced_case == at ? slot.forced + 1 : 1;
            slot.forced_case = at;
            if (slot.forced < kForcedEnds) return start(k, chunk);
        }
        slot.forced = 0;
        if (Status ok = machine_works(); !ok) return ok;
        if (Status ok = keep_finding(o_.folder, ended_finding(at, how), owner_of(k)); !ok) {
            return ok;
        }
        const bool again = slot.ended_by.emplace(at, how).second;
        if (again && slot.ended_by.size() < kMostEnds) return start(k, chunk);
        return finish(k, ChunkDone{});  // all of its cases end their process
    }

    std::string owner_of(std::size_t k) const {
        return leases_.owner().id + "-" + std::to_string(k);
    }

    CampaignFinding ended_finding(std::uint64_t at, const std::string& how) const {
        CampaignFinding out;
        out.cause = {"process", how, "", "", ""};
        out.case_number = at;
        out.detail = "the process of case " + std::to_string(at) + " ended: " + how;
        out.files = {{"report.md", "# " + out.cause.text() + "\n\n" + out.detail + "\n"}};
        return out;
    }

    Status finish(std::size_t k, const ChunkDone& done) {
        Slot& slot = slots_[k];
        FinishedChunk out;
        out.chunk = slot.process->work().chunk;
        out.cases = done.done.cases + slot.ended_by.size();
        out.counts = done.done.counts;
        out.findings = done.findings;
        for (const auto& [number, how] : slot.ended_by) {
            ++out.counts["findings"];
            ++out.counts["kinds/process: " + how];
            out.findings.push_back(ended_finding(number, how).named());
        }
        std::sort(out.findings.begin(), out.findings.end());
        if (const auto& guide = slot.process->work().guide) out.given = digest_of(*guide);
        out.reached = done.reached;
        out.slowest = done.done.slowest;
        out.seconds = slot.process->seconds();
        out.ended =
            std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
                .count();
        out.host = leases_.owner().host;
        out.build = build_;
        slot.process.reset();
        if (Status ok = mine_->append(journal_line(o_.settings, out)); !ok) return ok;
        leases_.finished(out.chunk);
        look_again_ = 0;
        ++report_.chunks;
        report_.cases += out.cases;
        return journal_.refresh();
    }

    // One that is not finished, and of which this process has the lease now.
    Result<std::optional<std::uint64_t>> next_chunk() {
        using Chunk = std::optional<std::uint64_t>;
        nothing_left_ = false;
        if (seconds() < look_again_) return Chunk{};
        if (const Status ok = journal_.refresh(); !ok) return ok.error();
        const LeaseState state = leases_.state();
        others_ = state.owners == 0 ? 0 : state.owners - 1;
        std::vector<std::uint64_t> free;
        bool others_work = false;
        // Not all want the same one.
        const std::size_t wanted = 16 + 2 * state.owners;
        const std::uint64_t end = o_.settings.chunks();
        for (std::uint64_t c = journal_.first_open(); free.size() < wanted; ++c) {
            if (o_.settings.cases != 0 && c >= end) break;
            if (!guides_.ready(c, journal_)) {
                others_work = true;
                break;
            }
            if (journal_.has(c)) continue;
            const auto lease = state.leased.find(c);
            const bool held = lease != state.leased.end() && !lease->second;
            if (held) others_work = true;
            if (!held) free.push_back(c);
        }
        for (std::size_t k = 0; k < free.size(); ++k) {
            const std::size_t at = state.owners <= 1 ? k : (k + turn_) % free.size();
            const std::uint64_t chunk = free[at];
            const Result<bool> got = leases_.take(chunk);
            if (!got) return got.error();
            if (!*got) continue;
            // It may have been finished since the journal was read.
            if (const Status ok = journal_.refresh(); !ok) return ok.error();
            if (!journal_.has(chunk)) {
                turn_ = (turn_ + 7) % wanted;
                return Chunk{chunk};
            }
            leases_.give_back(chunk);
        }
        nothing_left_ = free.empty() && !others_work;
        look_again_ = seconds() + 1;
        return Chunk{};
    }

    void tidy() {
        const LeaseState state = leases_.state();
        leases_.tidy(state, [this](std::uint64_t chunk) { return journal_.has(chunk); });
        remove_left_scratch(kScratchName);
        std::vector<std::string> there;
        std::error_code code;
        for (std::filesystem::directory_iterator it(lease_folder(o_.folder), code);
             !code && it != std::filesystem::directory_iterator(); it.increment(code)) {
            const std::string name = it->path().filename().string();
            if (name.rfind("owner-", 0) == 0) there.push_back(name.substr(6));
        }
        remove_unfinished(o_.folder, there);
        remove_larger(o_.folder, kept_findings(o_.folder));
    }

    void tell() {
        if (!o_.progress) return;
        RunProgress p;
        p.journal = &journal_;
        p.chunks_here = report_.chunks;
        p.cases_here = report_.cases;
        p.seconds = seconds();
        p.others = others_;
        for (const Slot& slot : slots_) {
            if (slot.process == nullptr) continue;
            p.running.push_back({slot.process->work().chunk, slot.process->current_case(),
                                 slot.process->seconds()});
        }
        o_.progress(p);
    }

    const RunOptions& o_;
    const Clock::time_point start_ = Clock::now();
    Journal journal_;
    Leases leases_;
    Guides guides_;
    std::string build_;
    const Scratch scratch_{kScratchName};
    std::unique_ptr<AppendedFile> mine_;
    std::vector<Slot> slots_;  // after leases_: processes end before leases are given back
    RunReport report_;
    double last_beat_ = 0;
    double look_again_ = 0;
    std::size_t others_ = 0;
    std::size_t turn_ = static_cast<std::size_t>(::getpid()) % 16;
    bool nothing_left_ = false;
};

}  // namespace

Result<RunReport> run_campaign_folder(const RunOptions& options) {
    const Signals signals;
    if (!signals.works()) return error("the system gives no pipe");
    CampaignRun run(options);
    return run.run();
}

}  // namespace proviso::fuzz
