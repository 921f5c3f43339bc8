#include "fuzz/campaign/gpu_campaign.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/failure.h"
#include "fuzz/gen/bound_programs.h"
#include "ir/interp/npy.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"

namespace proviso::fuzz {

using namespace ir;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFolders = 50;

struct Found {
    Finding finding;
    std::string program;  // as it ran
};

class Case {
  public:
    Case(const GpuCampaign& options, std::uint64_t index, GpuReport& report)
        : o_(options), index_(index), seed_(mix(options.seed, index)), report_(report) {}

    std::optional<Found> run() {
        Choice choice(seed_);
        const bool written = choice.chance(60);
        GpuSetup setup;
        setup.runs = o_.runs;
        setup.seed = seed_;
        setup.cache = o_.cache;
        setup.proviso = o_.proviso;
        setup.tiers.gpu_host = index_ % o_.host_every == 0;
        setup.tiers.nvrtc = setup.tiers.gpu_host;
        setup.tiers.opencl = index_ % o_.opencl_every == 0;
        setup.tiers.oclgrind = setup.tiers.opencl;
        std::map<std::string, CellRange> ranges;
        std::vector<std::string> features;
        const Function f = written ? written_bound(choice, ranges, features, setup)
                                   : generated(choice, ranges, features);
        for (const std::string& name : features) ++report_.features[name];
        report_.written_bound += written ? 1 : 0;
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx_, f);
        PROVISO_CHECK(d.ok(), "a generated program is not well-formed");
        // What is not proved soon is refused, or waits: certificates are searched elsewhere.
        analysis::ProverOptions limits = campaign_prover();
        limits.use_certificates = false;
        limits.rlimit = 100'000;
        analysis::Prover prover(ctx_, limits);
        rewrite::Proposer proposer(*d, prover);
        if (!lowered(choice, proposer)) return std::nullopt;
        if (!written) bind_loops(proposer, choice, report_.counts);
        std::optional<Finding> finding = check_gpu(proposer, ranges, setup, report_.counts);
        if (!finding) return std::nullopt;
        return Found{*std::move(finding), print(d->current())};
    }

  private:
    Function written_bound(Choice& choice, std::map<std::string, CellRange>& ranges,
                           std::vector<std::string>& features, GpuSetup& setup) {
        BoundProgram program = generate_bound_program(choice);
        Result<Function> f = parse_function(ctx_, program.text, "bound.py");
        PROVISO_CHECK(f.ok(), "a generated program does not read: " +
                                  (f.ok() ? "" : f.error().str()) + "\n" + program.text);
        ranges = std::move(program.ranges);
        features = std::move(program.features);
        setup.initialised = program.initialised;
        return *std::move(f);
    }

    // Mostly by the steps that are needed alone; the whole pass also simplifies, which takes long.
    static bool lowered(Choice& choice, rewrite::Proposer& p) {
        if (choice.chance(2)) return !rewrite::lower(p).wrong.has_value();
        while (const auto step = next_lowering(p.current())) {
            if (!p.try_apply(step->rule, step->site, nlohmann::json::object())) return false;
        }
        return true;
    }

    Function generated(Choice& choice, std::map<std::string, CellRange>& ranges,
                       std::vector<std::string>& features) {
        GeneratedProgram program = generate_program(ctx_, choice);
        ranges = std::move(program.ranges);
        features = std::move(program.features);
        return std::move(program.function);
    }

    const GpuCampaign& o_;
    std::uint64_t index_;
    std::uint64_t seed_;
    GpuReport& report_;
    Context ctx_;
};

// program.py, the inputs, and report.md with the command that shows it again.
Status write_folder(const std::string& folder, const Found& found, std::uint64_t seed,
                    std::uint64_t index) {
    std::error_code code;
    fs::create_directories(folder, code);
    std::string command = "proviso run program.py --target gpu-host";
    for (const auto& [name, value] : found.finding.inputs) {
        if (const Tensor* t = std::get_if<Tensor>(&value)) {
            const Status ok = write_npy(folder + "/" + name + ".npy", *t);
            if (!ok) return ok;
            command += fmt::format(" --in {0}={0}.npy", name);
        } else {
            command += fmt::format(" --set {}={}", name, std::get<Value>(value).str(kInt64));
        }
    }
    std::ofstream(folder + "/program.py") << found.program;
    std::ofstream report(folder + "/report.md");
    report << "# gpu: " << found.finding.signature << "\n\n```\n"
           << found.finding.detail << "\n```\n\nSeed " << seed << ", case " << index
           << ". In this folder:\n\n```\n"
           << command << "\n```\n";
    if (!report.flush()) return error("cannot write " + folder + "/report.md");
    return Unit{};
}

}  // namespace

Result<GpuReport> run_gpu_campaign(const GpuCampaign& o) {
    const Clock::time_point start = Clock::now();
    GpuReport report;
    report.seed = o.seed;
    std::error_code code;
    if (!o.out.empty()) fs::create_directories(o.out, code);
    if (code) return error("cannot make " + o.out + ": " + code.message());
    for (std::uint64_t k = o.first; k < o.first + o.cases; ++k) {
        const std::optional<Found> found = Case(o, k, report).run();
        ++report.cases;
        // Every program is another one: nothing is found there again.
        if (!o.cache.empty() && k % o.host_every == 0) fs::remove_all(o.cache, code);
        if (found) {
            const bool is_new = report.kinds[found->finding.signature]++ < 3;
            if (is_new && !o.out.empty() && report.folders.size() < kMostFolders) {
                report.folders.push_back(fmt::format("{}/gpu-{}", o.out, k));
                const Status ok = write_folder(report.folders.back(), *found, o.seed, k);
                if (!ok) return ok.error();
            }
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
    return {{"seed", seed},
            {"cases", cases},
            {"bound_in_their_text", written_bound},
            {"loops", {{"bound", counts.bound}, {"refused", counts.not_bound}}},
            {"with_kernels", counts.compiled},
            {"refused_for_a_race", counts.racy},
            {"race_seen", counts.races_seen},
            {"undecided", counts.undecided},
            {"no_form", counts.no_form},
            {"runs_with_a_fault", counts.faults},
            {"barriers",
             {{"placed", counts.barriers},
              {"after_every_phase", counts.all_barriers},
              {"programs_with_fewer", counts.fewer}}},
            {"tiers", tiers},
            {"features", features},
            {"kinds", kinds},
            {"findings", findings()},
            {"time", {{"seconds", seconds}}}};
}

std::string GpuReport::line() const {
    return fmt::format("{} GPU programs, {} with kernels, {} findings, {:.1f} a second", cases,
                       counts.compiled, findings(),
                       seconds > 0 ? static_cast<double>(cases) / seconds : 0.0);
}

std::string GpuReport::table() const {
    std::string out =
        fmt::format("  {:<12} {:>9} {:>9} {:>9}\n", "ran", "programs", "runs", "findings");
    for (const char* name : {"interpreter", "cpu", "gpu-host", "nvrtc", "opencl", "oclgrind"}) {
        const auto found = counts.tiers.find(name);
        if (found == counts.tiers.end()) continue;
        const GpuTierCounts& t = found->second;
        out += fmt::format("  {:<12} {:>9} {:>9} {:>9}\n", name, t.programs, t.runs, t.findings);
    }
    out += fmt::format(
        "  no kernels: {} would race ({} seen to), {} not decided, {} have no form for a GPU\n",
        counts.racy, counts.races_seen, counts.undecided, counts.no_form);
    out += fmt::format("  barriers: {} of {} after phases are needed; {} programs have fewer\n",
                       counts.barriers, counts.all_barriers, counts.fewer);
    return out;
}

}  // namespace proviso::fuzz
