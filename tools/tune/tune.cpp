// proviso tune: the fastest values for the choices of a schedule. Every candidate goes through the
// kernel as in `proviso lower`; those that are refused never run.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "analysis/prover/prover.h"
#include "backend/cpu/backend.h"
#include "backend/host_value.h"
#include "rewrite/graph/layouts.h"
#include "rewrite/schedule/reader/reader.h"
#include "tools/program.h"
#include "tools/support/kernel_time.h"
#include "tools/support/memory.h"
#include "tools/support/progress.h"
#include "tools/support/refusal.h"
#include "tools/support/support.h"
#include "tools/support/write_file.h"
#include "tools/tune/commands.h"
#include "tools/tune/report.h"
#include "tools/tune/tuning.h"

namespace proviso::tools {

using namespace rewrite;
using nlohmann::json;

namespace {

constexpr std::size_t kMostCombinations = 10'000;
// Candidates that are measured again after the first round; half of them in each round after it.
constexpr std::size_t kMostSurvivors = 32;
constexpr TimingLimits kFirstRound{2, 100, 2'000'000};
constexpr TimingLimits kLaterRounds{5, 500, 20'000'000};

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int signal) {
    interrupted = signal;
}

// While it lives, a signal ends the search and not the process. What is ignored stays so.
class Interrupts {
  public:
    Interrupts() {
        interrupted = 0;
        for (const int number : kSignals) {
            struct sigaction old{};
            ::sigaction(number, nullptr, &old);
            before_.push_back(old);
            struct sigaction action{};
            action.sa_handler = on_interrupt;
            action.sa_flags = SA_RESTART;
            if (old.sa_handler != SIG_IGN) ::sigaction(number, &action, nullptr);
        }
    }
    ~Interrupts() {
        for (std::size_t k = 0; k < before_.size(); ++k) {
            ::sigaction(kSignals.at(k), &before_[k], nullptr);
        }
    }
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

  private:
    static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
    std::vector<struct sigaction> before_;
};

// The next number of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators).
std::uint64_t next_random(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
}

// The first values of all choices, then the other combinations in an order by chance.
std::vector<std::size_t> order_of(std::size_t combinations, std::uint64_t seed) {
    std::vector<std::size_t> out(combinations);
    for (std::size_t k = 0; k < combinations; ++k) out[k] = k;
    for (std::size_t k = combinations; k > 2; --k) {
        std::swap(out[k - 1], out[1 + next_random(seed) % (k - 1)]);
    }
    return out;
}

// The combination of that number; the last choice changes fastest.
ChosenValues combination(const std::vector<ScheduleChoice>& choices, std::size_t number) {
    ChosenValues out;
    for (auto c = choices.rbegin(); c != choices.rend(); ++c) {
        out[c->name] = c->values[number % c->values.size()];
        number /= c->values.size();
    }
    return out;
}

class Tuner {
  public:
    explicit Tuner(const TuneOptions& options) : o_(options) {}

    int run() {
        if (const Status ok = prepare(); !ok) return bad_input(ok.error(), o_.json);
        analysis::ProverOptions options;
        options.cache_dir = cache_folder(o_.cache);
        options.wall_limit_s = o_.solver_seconds;
        options.memory_mib = o_.solver_memory;
        options.effort = o_.solver_effort;
        analysis::Prover prover(ctx_, options);
        prover_ = &prover;
        const Interrupts guard;
        if (const Status ok = first_round(); !ok) return bad_input(ok.error(), o_.json);
        later_rounds();
        if (const Status ok = write(true); !ok) return bad_input(ok.error(), o_.json);
        if (!o_.svg.empty()) {
            if (const Status ok = write_file(o_.svg, tuning_svg(tuning_)); !ok) {
                return bad_input(ok.error(), o_.json);
            }
        }
        tell();
        return exit_code();
    }

  private:
    // Everything that can be wrong before any work.
    Status prepare() {
        const Result<ir::Function> f = load_function(ctx_, o_.program, o_.function);
        if (!f) return f.error();
        f_ = *f;
        if (const Status ok = can_be_measured(); !ok) return ok;
        const Result<std::string> text = read_file(o_.schedule);
        if (!text) return text.error();
        text_ = *text;
        const Result<ScheduleChoices> choices = schedule_choices(text_, o_.schedule);
        if (!choices) return choices.error();
        if (choices->all.empty()) {
            return error(o_.schedule + " has no choices",
                         "sch.choose gives one of several values: tile = sch.choose([2, 4, 8])");
        }
        tuning_.combinations = 1;
        for (const ScheduleChoice& c : choices->all) {
            tuning_.combinations *= c.values.size();
            if (tuning_.combinations > kMostCombinations) {
                return error("the choices of " + o_.schedule + " have more than " +
                                 std::to_string(kMostCombinations) + " combinations",
                             "leave out values, or tune some of the choices first");
            }
        }
        const Result<std::string> machine = backend::emitted_for("native");
        if (!machine) return machine.error();
        tuning_.cpu = o_.cpu.empty() ? "native" : o_.cpu;
        if (const auto known = backend::emitted_for(tuning_.cpu); !known) return known.error();
        tuning_.function = f_.name;
        tuning_.program = ir::content_hash(f_);
        tuning_.schedule = choices->hash;
        tuning_.machine = *machine;
        tuning_.seed = o_.seed;
        tuning_.choices = choices->all;
        return outputs();
    }

    Status can_be_measured() const {
        if (!f_.scalar_params().empty()) {
            return error(f_.name + " takes scalars, so there is no one time",
                         "write their values into the program");
        }
        double bytes = 0;
        for (ir::Buffer b : f_.buffer_params()) {
            const auto shape = constant_shape(b);
            if (!shape) {
                return error("the size of " + b->name + " is not constant, so there is no one time",
                             "write the size into the program");
            }
            double cells = b->type.bytes();
            for (const std::int64_t extent : *shape) cells *= static_cast<double>(extent);
            bytes += cells;
        }
        if (bytes > static_cast<double>(machine_memory()) / 4) {
            return error("the buffers of " + f_.name + " need more than a quarter of the memory",
                         "tune a smaller program");
        }
        return Unit{};
    }

    // Where results go, and those to go on with.
    Status outputs() {
        file_ = o_.out.empty() ? std::filesystem::path(o_.program).stem().string() + ".tuned.json"
                               : o_.out;
        Status ok = may_write({{"--out", file_}, {"--svg", o_.svg}}, {o_.program, o_.schedule}, "");
        if (!ok) return ok;
        if (!o_.resume) {
            if (!std::filesystem::exists(file_)) return Unit{};
            return error(file_ + " is there already",
                         "--resume goes on with it; remove it, or give another --out");
        }
        const Result<std::string> text = read_file(file_);
        if (!text) return text.error();
        Result<Tuning> before = read_tuning(*text, file_);
        if (!before) return before.error();
        const Status same = fits(*before, file_, tuning_.program, tuning_.schedule);
        if (!same) return same;
        if (before->machine != tuning_.machine || before->cpu != tuning_.cpu) {
            return error(file_ + " was measured on " + before->machine + ", for " + before->cpu +
                             "; this is " + tuning_.machine + ", for " + tuning_.cpu,
                         "times of two machines do not compare: tune anew");
        }
        before->choices = tuning_.choices;
        tuning_ = *std::move(before);
        told_ = tuning_.tried.size();
        return Unit{};
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    Status first_round() {
        std::set<ChosenValues> known;
        for (std::size_t k = 0; k < tuning_.tried.size(); ++k) {
            known.insert(tuning_.tried[k].chosen);
            if (!tuning_.tried[k].result.empty()) results_.emplace(tuning_.tried[k].result, k);
        }
        for (const std::size_t number : order_of(tuning_.combinations, tuning_.seed)) {
            if (interrupted != 0) break;
            if (o_.limit != 0 && tuning_.tried.size() >= o_.limit) break;
            if (o_.time > 0 && seconds() >= o_.time) break;
            Candidate c;
            c.chosen = combination(tuning_.choices, number);
            if (known.count(c.chosen) != 0) continue;
            attempt(c);
            if (interrupted != 0) break;  // a solver may have heard of it, too
            tuning_.tried.push_back(std::move(c));
            keep_the_fastest();
            progress();
            if (const Status ok = write(false); !ok) return ok;
        }
        return Unit{};
    }

    // Proves the candidate, compiles it and measures it for the first time.
    void attempt(Candidate& c) {
        std::optional<Built> built = build(c);
        if (!built) return;
        const auto [same, fresh] = results_.emplace(c.result, tuning_.tried.size());
        if (!fresh) {
            c.same_as = same->second;
            return;
        }
        measure(c, *built, kFirstRound);
        if (c.measured()) built_.emplace(tuning_.tried.size(), std::move(*built));
    }

    struct Built {
        backend::CpuModule module;
        ir::Function function;
    };

    // Nothing where it is refused; the candidate says why.
    std::optional<Built> build(Candidate& c) {
        const auto wrong = [&](const Diagnostic& d) {
            c.verdict = "ERROR";
            c.reason = d.message;
            return std::nullopt;
        };
        Result<Derivation> derivation = Derivation::start(f_, *prover_);
        if (!derivation) return wrong(derivation.error());
        Proposer proposer(*derivation, *prover_);
        const Result<ScheduleReport> done =
            run_schedule(proposer, text_, o_.schedule, nullptr, c.chosen);
        if (!done) return wrong(done.error());
        if (done->refusal) {
            Diagnostic d;
            json told;
            const int code = tell_refusal(ctx_, *done, derivation->current(), 0, d, told);
            c.verdict = code == kRefuted ? "REFUTED" : "UNKNOWN";
            c.reason = d.message;
            return std::nullopt;
        }
        Result<backend::CpuModule> module = compiled(*derivation, *prover_, tuning_.cpu);
        if (!module) return wrong(module.error());
        c.verdict = "PROVED";
        c.result = ir::content_hash(derivation->current());
        return Built{std::move(module).value(), derivation->current()};
    }

    static void measure(Candidate& c, const Built& built, const TimingLimits& limits) {
        const Result<KernelTime> took = kernel_time(built.module, built.function, limits);
        if (!took) {
            c.verdict = "ERROR";
            c.reason = took.error().message;
            c.nanoseconds = 0;
            return;
        }
        c.nanoseconds = c.measured() ? std::min(c.nanoseconds, took->fastest) : took->fastest;
        ++c.rounds;
    }

    // Numbers of the candidates that were measured, the fastest first.
    std::vector<std::size_t> leaders() const {
        std::vector<std::size_t> out;
        for (std::size_t k = 0; k < tuning_.tried.size(); ++k) {
            if (tuning_.tried[k].measured()) out.push_back(k);
        }
        std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
            return tuning_.tried[a].nanoseconds < tuning_.tried[b].nanoseconds;
        });
        return out;
    }

    // Code of the others is given back.
    void keep_the_fastest() {
        if (built_.size() <= kMostSurvivors) return;
        auto slowest = built_.begin();
        for (auto it = built_.begin(); it != built_.end(); ++it) {
            if (tuning_.tried[it->first].nanoseconds > tuning_.tried[slowest->first].nanoseconds) {
                slowest = it;
            }
        }
        built_.erase(slowest);
    }

    // The better half again, until one is left (Karnin, Koren, Somekh: Almost optimal exploration
    // in multi-armed bandits, 2013).
    void later_rounds() {
        std::vector<std::size_t> left = leaders();
        left.resize(std::min(left.size(), std::max<std::size_t>(kMostSurvivors / 2, 1)));
        while (left.size() > 1) {
            int rounds = 0;
            for (const Candidate& c : tuning_.tried) rounds = std::max(rounds, c.rounds);
            for (const std::size_t k : left) {
                Candidate& c = tuning_.tried[k];
                if (built_.count(k) == 0) {
                    std::optional<Built> again = build(c);
                    if (again) built_.emplace(k, std::move(*again));
                }
                if (interrupted != 0 || built_.count(k) == 0) return;
                measure(c, built_.at(k), kLaterRounds);
                if (c.measured()) c.rounds = rounds + 1;
            }
            std::stable_sort(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
                return tuning_.tried[a].nanoseconds < tuning_.tried[b].nanoseconds;
            });
            left.resize(left.size() / 2);
            progress();
        }
    }

    void progress() {
        if (o_.quiet || o_.json || tuning_.tried.empty()) return;
        std::size_t refused = 0;
        for (const Candidate& c : tuning_.tried) refused += c.reason.empty() ? 0 : 1;
        const Candidate* best = tuning_.best();
        std::string line = std::to_string(tuning_.tried.size()) + " of " +
                           std::to_string(tuning_.combinations) + " candidates, " +
                           std::to_string(refused) + " refused";
        if (best != nullptr) {
            line += ", fastest " + time_text(best->nanoseconds) + " (" +
                    chosen_text(*best, tuning_.choices) + ")";
        }
        if (!o_.verbose) {
            line_.show(line);
            return;
        }
        if (told_ == tuning_.tried.size()) return;
        const Candidate& c = tuning_.tried.back();
        told_ = tuning_.tried.size();
        const std::string what = c.measured() ? time_text(c.nanoseconds)
                                 : c.same_as  ? "as candidate " + std::to_string(*c.same_as + 1)
                                              : c.verdict;
        std::fprintf(stderr, "  %4zu  %-10s %s\n", told_, what.c_str(),
                     chosen_text(c, tuning_.choices).c_str());
    }

    // At most once a second, but at the end: what is lost is a second's work.
    Status write(bool now) {
        if (!now && seconds() < next_write_) return Unit{};
        next_write_ = seconds() + 1;
        return write_file(file_, text_of(tuning_));
    }

    void tell() const {
        if (o_.json) {
            json out = to_json(tuning_);
            out["file"] = file_;
            out["interrupted"] = interrupted != 0;
            if (const Candidate* best = tuning_.best()) {
                out["best"] = {{"choices", best->chosen}, {"nanoseconds", best->nanoseconds}};
            }
            print_json(out);
            return;
        }
        std::fputs(tuning_text(tuning_, o_.verbose).c_str(), stdout);
        if (o_.quiet) return;
        if (interrupted != 0) std::fprintf(stderr, "interrupted: --resume goes on\n");
        std::fprintf(stderr, "wrote %s\n", file_.c_str());
        if (!o_.svg.empty()) std::fprintf(stderr, "wrote %s\n", o_.svg.c_str());
    }

    int exit_code() const {
        if (interrupted != 0) return kUnknown;
        if (tuning_.best() != nullptr) return kFine;
        const auto any = [&](const char* verdict) {
            return std::any_of(tuning_.tried.begin(), tuning_.tried.end(),
                               [&](const Candidate& c) { return c.verdict == verdict; });
        };
        return any("REFUTED") ? kRefuted : any("UNKNOWN") ? kUnknown : kBadInput;
    }

    const TuneOptions& o_;
    const Clock::time_point start_ = Clock::now();
    ir::Context ctx_;
    ir::Function f_;
    std::string text_;  // of the schedule
    std::string file_;  // of results
    Tuning tuning_;
    analysis::Prover* prover_ = nullptr;
    std::map<std::string, std::size_t> results_;  // lowered programs: the first candidate
    std::map<std::size_t, Built> built_;          // code of candidates that are still in the race
    ProgressLine line_;
    std::size_t told_ = 0;  // candidates, with --verbose
    double next_write_ = 1;
};

}  // namespace

int run_tune(const TuneOptions& options) {
    return Tuner(options).run();
}

}  // namespace proviso::tools
