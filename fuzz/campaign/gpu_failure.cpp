#include "fuzz/campaign/gpu_failure.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "backend/gpu/drivers/oclgrind.h"
#include "fuzz/campaign/failure_files.h"

namespace proviso::fuzz {

using namespace ir;
namespace fs = std::filesystem;

namespace {

constexpr const char* kComplains = "complains";  // see GpuTiers of oracle/gpu.cpp

GpuTiers only(const std::string& tier) {
    GpuTiers out;
    out.cpu = tier == "cpu";
    out.gpu_host = tier == "gpu-host";
    out.nvptx = tier == "nvptx-host";
    out.nvrtc = tier == "nvrtc";
    out.cuda = tier == "cuda";
    out.opencl = tier == "opencl";
    out.oclgrind = tier == "oclgrind";
    return out;
}

struct Asked {
    std::optional<Finding> finding;
    bool has_kernels = false;
};

// `given`: on the failure's own inputs.
Asked ask_tier(Context& ctx, const Failure& failure, int runs, bool given, analysis::Prover& prover,
               const GpuAsk& ask) {
    Asked out;
    std::vector<StepGuess> accepted;
    Result<rewrite::Derivation> d = replay(ctx, failure.source, failure.steps, prover, accepted);
    if (!d) return out;
    rewrite::Proposer proposer(*d, prover);
    while (const auto step = next_lowering(proposer.current())) {
        if (!proposer.try_apply(step->rule, step->site, nlohmann::json::object())) return out;
    }
    const Finding& was = failure.finding;
    GpuSetup setup;
    setup.tiers = only(tier_of(was.oracle));
    setup.runs = runs;
    setup.seed = was.setup.series;
    setup.cache = ask.folder;
    setup.cuda = ask.cuda;
    if (given) setup.given = GivenRun{was.inputs, was.setup};
    if (!ask.proviso.empty()) {
        setup.under_oclgrind = oclgrind_on_files(ctx, prover, ask, was.signature == kComplains);
    }
    GpuCounts counts;
    out.finding = check_gpu(proposer, failure.ranges, setup, counts);
    out.has_kernels = counts.compiled > 0;
    return out;
}

}  // namespace

analysis::ProverOptions gpu_prover() {
    analysis::ProverOptions out = campaign_prover();
    out.use_certificates = false;
    out.rlimit = 100'000;
    return out;
}

GpuFolder::GpuFolder() {
    path_ = (fs::temp_directory_path() / "proviso-gpu-fuzz-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), "no folder " + path_);
    }
}
GpuFolder::~GpuFolder() {
    std::error_code code;
    fs::remove_all(path_, code);
}

Oclgrind oclgrind_on_files(Context& ctx, analysis::Prover& prover, const GpuAsk& ask,
                           bool uninitialised) {
    return [&ctx, &prover, ask, uninitialised](const Function& f,
                                               const GivenRun& run) -> Result<std::string> {
        Failure asked{f, {}, {}, "", {}};
        asked.finding = Finding{gpu_oracle("opencl"), "", "", run.inputs, run.setup};
        const std::string folder = ask.folder + "/oclgrind";
        const Status written = write_failure(ctx, folder, asked, prover);
        if (!written) return written.error();
        return backend::gpu::under_oclgrind({ask.proviso, "fuzz", "--reproduce", folder},
                                            uninitialised);
    };
}

std::optional<Finding> ask_gpu_again(Context& ctx, const Failure& failure, int runs,
                                     analysis::Prover& prover, const GpuAsk& ask) {
    return ask_tier(ctx, failure, runs, false, prover, ask).finding;
}

Result<std::optional<Finding>> ask_gpu_on_inputs(Context& ctx, const Failure& failure,
                                                 analysis::Prover& prover, const GpuAsk& ask) {
    Asked out = ask_tier(ctx, failure, 1, true, prover, ask);
    if (!out.has_kernels) return error("there are no kernels to run: they are refused");
    return std::move(out.finding);
}

Failure shrink_gpu(Context& ctx, Failure failure, int budget, analysis::Prover& prover,
                   const GpuAsk& ask) {
    constexpr int runs = 4;
    if (failure.finding.signature == kComplains) return failure;
    Asker asker;
    asker.steps_kept = 0;
    asker.again = [&](const Failure& candidate) {
        return ask_gpu_again(ctx, candidate, runs, prover, ask);
    };
    asker.on_inputs = [&](const Failure& found) -> Asker::OnInputs {
        return [&, found](const Inputs& inputs) {
            Failure candidate = found;
            candidate.finding.inputs = inputs;
            return ask_tier(ctx, candidate, 1, true, prover, ask).finding;
        };
    };
    return shrink_by(asker, ctx, std::move(failure), budget, prover);
}

}  // namespace proviso::fuzz
