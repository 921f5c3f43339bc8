#include "tools/run_gpu.h"

#include "analysis/proof_cache.h"
#include "backend/gpu/gpu_host.h"
#include "backend/gpu/opencl.h"
#include "rewrite/passes/passes.h"

namespace proviso::tools {

using namespace ir;
namespace gpu = backend::gpu;

namespace {

// Where compiled kernels are kept between runs; empty: in the folder for temporary files.
std::string kernel_cache() {
    const std::string base = analysis::default_cache_folder();
    return base.empty() ? "" : base + "/gpu-host";
}

}  // namespace

Status runs_on_gpu(const std::string& name) {
    const Result<gpu::Target> target = gpu::find_target(name);
    if (!target) return target.error();
    if (target->language != gpu::Language::Cuda) return Unit{};
    return error("kernels are not run through CUDA",
                 "--target gpu-host runs the same text on this machine");
}

Result<GpuRun> run_on_gpu(Context& ctx, const Function& f, const std::string& name,
                          const Inputs& inputs, std::uint64_t seed) {
    const Result<gpu::Target> target = gpu::find_target(name);
    if (!target) return target.error();
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, f);
    if (!d) return d.error();
    analysis::Prover prover(ctx, {});
    rewrite::Proposer proposer(*d, prover);
    const rewrite::PassResult lowered = rewrite::lower(proposer);
    if (lowered.wrong) return *lowered.wrong;
    rewrite::place_barriers(proposer);
    gpu::Built built = gpu::build(*d, *target, prover);
    if (const auto* wrong = std::get_if<Diagnostic>(&built)) return *wrong;
    if (const auto* no = std::get_if<gpu::Refusal>(&built)) {
        return GpuRun{no->diagnostic.str(), {}, {}};
    }
    const gpu::Module& module = std::get<gpu::Module>(built);
    gpu::GpuHostOptions options;
    options.cache = kernel_cache();
    options.seed = seed;
    Result<gpu::DeviceRun> run = target->language == gpu::Language::Host
                                     ? gpu::run_on_gpu_host(module, d->current(), inputs, options)
                                     : gpu::run_on_opencl(module, d->current(), inputs, seed);
    if (!run) return run.error();
    return GpuRun{run->finding, std::move(run->run), name + " (" + run->device + ")"};
}

}  // namespace proviso::tools
