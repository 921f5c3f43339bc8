#include "fuzz/campaign/gpu_campaign.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/failure_files.h"
#include "fuzz/campaign/gpu_failure.h"
#include "fuzz/gen/gpu/bound_programs.h"
#include "fuzz/gen/gpu/gpu_schedules.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::fuzz {

using namespace ir;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFolders = 50;
constexpr std::uint64_t kFoldersOfAKind = 2;
// Of so many cases, in one may schedules and simplification ask Z3; barriers and launches in all.
constexpr std::uint64_t kSolverEvery = 16;
constexpr std::uint64_t kRare = 20;  // a feature made more often should have been accepted

class Case {
  public:
    // `answers`: a folder for what Z3 has said, the same for all cases.
    Case(const GpuCampaign& options, bool cuda, std::uint64_t index, const std::string& folder,
         const std::string& answers, GpuReport& report)
        : o_(options),
          cuda_(cuda),
          index_(index),
          seed_(mix(options.seed, index)),
          ask_{folder, options.proviso, options.cuda},
          report_(report),
          choice_(seed_),
          answers_(answers),
          prover_(ctx_, remembering(gpu_prover())) {}

    std::optional<Failure> run() {
        {
            const GpuPart part(report_.counts, "program");
            kind_ = static_cast<Kind>(choice_.weighted({50, 30, 20}));
            switch (kind_) {
                case Kind::Written: source_ = written_bound(); break;
                case Kind::Scheduled: source_ = with_schedule(); break;
                case Kind::Generated: source_ = generated(); break;
            }
        }
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx_, source_);
        PROVISO_CHECK(d.ok(), "a generated program is not well-formed");
        const std::uint64_t compiled = report_.counts.compiled;
        std::optional<Failure> out = check(*d);
        for (const std::string& name : features_) {
            GpuFeature& f = report_.features[name];
            ++f.made;
            f.kernels += report_.counts.compiled - compiled;
        }
        return out;
    }

    bool wanted(const Failure& failure) { return o_.wanted(failure, ctx_, prover_); }

    // Made smaller, and written.
    Status write(const std::string& folder, Failure failure) {
        failure = shrink_gpu(ctx_, std::move(failure), o_.shrink_budget, prover_, ask_);
        if (o_.found) return o_.found(failure, index_, ctx_, prover_);
        return write_failure(ctx_, folder, failure, prover_);
    }

  private:
    enum class Kind : std::uint8_t { Written, Scheduled, Generated };

    analysis::ProverOptions remembering(analysis::ProverOptions options) const {
        options.cache_dir = answers_;
        return options;
    }

    std::optional<Failure> check(rewrite::Derivation& d) {
        rewrite::Proposer proposer(d, prover_);
        if (kind_ == Kind::Scheduled) run_schedule(d);
        if (!lowered(d)) {
            ++report_.not_lowered;
            return std::nullopt;
        }
        if (kind_ == Kind::Generated) {
            const GpuPart part(report_.counts, "binding");
            bind_loops(proposer, choice_, report_.counts);
        }
        std::vector<StepGuess> steps;
        for (const rewrite::Step& s : d.steps()) steps.push_back({s.rule, s.site, s.args});
        std::optional<Finding> finding = check_gpu(proposer, ranges_, setup(), report_.counts);
        if (!finding) return std::nullopt;
        return Failure{source_, ranges_, std::move(steps), schedule_, *std::move(finding)};
    }

    void run_schedule(rewrite::Derivation& d) {
        const GpuPart part(report_.counts, "schedule");
        analysis::ProverOptions limits = remembering(gpu_prover());
        limits.use_z3 = index_ % kSolverEvery == 0;
        analysis::Prover prover(ctx_, limits);
        rewrite::Proposer proposer(d, prover);
        const Result<rewrite::ScheduleReport> said = rewrite::run_schedule(
            proposer, schedule_, "schedule.py", [&](const rewrite::ScheduleReport::Done& done) {
                const std::uint64_t idle = done.steps + done.inner_steps == 0 ? 1 : 0;
                count_call(report_.by_primitive, done.primitive, schedule_, 0, {1, 0, idle});
            });
        PROVISO_CHECK(said.ok(), "a generated schedule does not read: " +
                                     (said.ok() ? "" : said.error().str()) + "\n" + schedule_);
        ++report_.scheduled;
        if (!said->refusal) return;
        ++report_.schedules_refused;
        count_call(report_.by_primitive, said->refused_primitive, schedule_, 0, {1, 1, 0});
    }

    GpuSetup setup() {
        GpuSetup out;
        out.runs = o_.runs;
        out.seed = seed_;
        out.cache = ask_.folder;
        out.tiers.gpu_host = index_ % o_.host_every == 0;
        out.tiers.nvptx = out.tiers.gpu_host;
        out.tiers.nvrtc = out.tiers.gpu_host;
        out.tiers.cuda = cuda_;
        out.cuda = ask_.cuda;
        out.tiers.opencl = index_ % o_.opencl_every == 0;
        out.tiers.oclgrind = out.tiers.opencl;
        if (!o_.proviso.empty()) {
            out.under_oclgrind = oclgrind_on_files(ctx_, prover_, ask_, initialised_);
        }
        return out;
    }

    // Mostly by the steps that are needed alone; the whole pass also simplifies.
    bool lowered(rewrite::Derivation& d) {
        const GpuPart part(report_.counts, "lowering");
        analysis::ProverOptions limits = remembering(gpu_prover());
        limits.use_z3 = index_ % kSolverEvery == 0;
        analysis::Prover prover(ctx_, limits);
        rewrite::Proposer p(d, prover);
        if (choice_.chance(4)) {
            features_.emplace_back("simplified");
            return !rewrite::lower(p).wrong.has_value();
        }
        while (const auto step = next_lowering(p.current())) {
            if (!p.try_apply(step->rule, step->site, nlohmann::json::object())) return false;
        }
        return true;
    }

    Function read(const std::string& text) {
        Result<Function> f = parse_function(ctx_, text, "program.py");
        PROVISO_CHECK(f.ok(), "a generated program does not read: " +
                                  (f.ok() ? "" : f.error().str()) + "\n" + text);
        return *std::move(f);
    }

    Function written_bound() {
        ++report_.written_bound;
        BoundProgram program = generate_bound_program(choice_);
        ranges_ = std::move(program.ranges);
        features_ = std::move(program.features);
        initialised_ = program.initialised;
        return read(program.text);
    }

    Function with_schedule() {
        ScheduledProgram program = generate_gpu_schedule(choice_);
        ranges_ = std::move(program.ranges);
        features_ = std::move(program.features);
        schedule_ = std::move(program.schedule);
        return read(program.text);
    }

    Function generated() {
        GeneratedProgram program = generate_program(ctx_, choice_);
        ranges_ = std::move(program.ranges);
        features_ = std::move(program.features);
        for (std::string& name : features_) name = "bound by steps: " + name;
        return std::move(program.function);
    }

    const GpuCampaign& o_;
    bool cuda_;  // there is a device
    std::uint64_t index_;
    std::uint64_t seed_;
    GpuAsk ask_;
    GpuReport& report_;
    Choice choice_;
    std::string answers_;
    Context ctx_;
    analysis::Prover prover_;
    Kind kind_ = Kind::Written;
    Function source_;
    std::string schedule_;
    std::map<std::string, CellRange> ranges_;
    std::vector<std::string> features_;
    bool initialised_ = false;
};

// A failure of a kind that is not known well yet is written.
Status record(Case& one, const Failure& failure, const GpuCampaign& o, std::uint64_t index,
              GpuReport& report) {
    const std::string kind = failure.finding.oracle + ": " + failure.finding.signature;
    const bool is_new = report.kinds[kind]++ < kFoldersOfAKind;
    if (o.wanted ? !one.wanted(failure) : !is_new) return Unit{};
    if (o.found) return one.write("", failure);
    if (o.out.empty() || report.folders.size() >= kMostFolders) return Unit{};
    report.folders.push_back(fmt::format("{}/gpu-{}", o.out, index));
    return one.write(report.folders.back(), failure);
}

}  // namespace

Result<GpuReport> run_gpu_campaign(const GpuCampaign& o) {
    const Clock::time_point start = Clock::now();
    GpuReport report;
    report.seed = o.seed;
    const GpuFolder answers;
    std::error_code code;
    if (!o.out.empty()) fs::create_directories(o.out, code);
    if (code) return error("cannot make " + o.out + ": " + code.message());
    const bool cuda = !backend::gpu::cuda_device_name(o.cuda).empty();
    for (std::uint64_t k = o.first; k < o.first + o.cases; ++k) {
        const GpuFolder folder;  // every program is another one: nothing compiled is used again
        Case one(o, cuda, k, folder.path(), answers.path(), report);
        const std::optional<Failure> found = one.run();
        ++report.cases;
        if (found) {
            const Status ok = record(one, *found, o, k, report);
            if (!ok) return ok.error();
        }
        report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (o.progress) o.progress(report);
        if (o.stop_at_first && found) break;
        if (o.seconds > 0 && report.seconds >= o.seconds) break;
    }
    if (!o.out.empty()) {
        std::ofstream out(o.out + "/gpu.json");
        out << report.json().dump(1) << "\n";
        if (!out.flush()) return error("cannot write " + o.out + "/gpu.json");
    }
    return report;
}

double GpuFeature::share() const {
    return made == 0 ? 0.0 : 100.0 * static_cast<double>(kernels) / static_cast<double>(made);
}

std::uint64_t GpuReport::findings() const {
    std::uint64_t out = 0;
    for (const auto& [name, n] : kinds) out += n;
    return out;
}

nlohmann::json GpuReport::json() const {
    nlohmann::json tiers = nlohmann::json::object();
    for (const auto& [name, t] : counts.tiers) {
        tiers[name] = {{"programs", t.programs}, {"runs", t.runs}, {"findings", t.findings}};
    }
    nlohmann::json made_of = nlohmann::json::object();
    for (const auto& [name, f] : features) {
        made_of[name] = {{"made", f.made}, {"with_kernels", f.kernels}};
    }
    return {{"seed", seed},
            {"cases", cases},
            {"bound_in_their_text", written_bound},
            {"schedules",
             {{"run", scheduled},
              {"refused", schedules_refused},
              {"by_primitive", json_of(by_primitive)},
              {"never_accepted", fuzz::never_accepted(by_primitive)}}},
            {"loops", {{"bound", counts.bound}, {"refused", counts.not_bound}}},
            {"with_kernels", counts.compiled},
            {"with_wide_accesses", counts.wide},
            {"refused_for_a_race", counts.racy},
            {"race_seen", counts.races_seen},
            {"undecided", counts.undecided},
            {"not_lowered", not_lowered},
            {"no_form", counts.no_form},
            {"runs_with_a_fault", counts.faults},
            {"barriers",
             {{"placed", counts.barriers},
              {"after_every_phase", counts.all_barriers},
              {"programs_with_fewer", counts.fewer}}},
            {"tiers", tiers},
            {"features", made_of},
            {"never_accepted", never_accepted()},
            {"kinds", kinds},
            {"findings", findings()},
            {"time", {{"seconds", seconds}, {"parts", counts.parts}}}};
}

std::string GpuReport::line() const {
    return fmt::format("{} GPU programs, {} with kernels, {} findings, {:.1f} a second", cases,
                       counts.compiled, findings(),
                       seconds > 0 ? static_cast<double>(cases) / seconds : 0.0);
}

std::string GpuReport::table() const {
    std::string out =
        fmt::format("  {:<12} {:>9} {:>9} {:>9}\n", "ran", "programs", "runs", "findings");
    for (const char* name :
         {"interpreter", "cpu", "gpu-host", "nvptx-host", "nvrtc", "cuda", "opencl", "oclgrind"}) {
        const auto found = counts.tiers.find(name);
        if (found == counts.tiers.end()) continue;
        const GpuTierCounts& t = found->second;
        out += fmt::format("  {:<12} {:>9} {:>9} {:>9}\n", name, t.programs, t.runs, t.findings);
    }
    out += fmt::format(
        "  no kernels: {} would race ({} seen to), {} not decided, {} have no form for a GPU, {} "
        "not "
        "lowered\n",
        counts.racy, counts.races_seen, counts.undecided, counts.no_form, not_lowered);
    out += fmt::format(
        "  barriers: {} of {} after phases are needed; {} programs have fewer\n"
        "  wide accesses: in {} programs\n",
        counts.barriers, counts.all_barriers, counts.fewer, counts.wide);
    return out;
}

std::string GpuReport::features_table() const {
    std::string out =
        fmt::format("  {:<38} {:>9} {:>14}\n", "in the program", "programs", "with kernels");
    for (const auto& [name, f] : features) {
        out += fmt::format("  {:<38} {:>9} {:>12.0f} %\n", name, f.made, f.share());
    }
    for (const std::string& name : never_accepted()) {
        out += fmt::format("  warning: no program with {} has kernels: nothing is tested of it\n",
                           name);
    }
    return out;
}

std::vector<std::string> GpuReport::never_accepted() const {
    std::vector<std::string> out;
    for (const auto& [name, f] : features) {
        const bool is_wrong = name.rfind("racing: ", 0) == 0;  // to be refused
        if (!is_wrong && f.made >= kRare && f.kernels == 0) out.push_back(name);
    }
    return out;
}

}  // namespace proviso::fuzz
