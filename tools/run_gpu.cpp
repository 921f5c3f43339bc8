#include "tools/run_gpu.h"

#include <cstdlib>

#include "analysis/prover/proof_cache.h"
#include "backend/gpu/drivers/gpu_host.h"
#include "backend/gpu/drivers/nvptx_host.h"
#include "backend/gpu/drivers/opencl.h"
#include "ir/c_names.h"
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

Result<gpu::DeviceRun> run_module(const gpu::Module& module, const Function& f,
                                  const Inputs& inputs, std::uint64_t seed) {
    switch (module.target.language) {
        case gpu::Language::Cuda:
            return gpu::run_on_cuda(module, f, inputs, seed, cuda_libraries());
        case gpu::Language::OpenCl: return gpu::run_on_opencl(module, f, inputs, seed);
        case gpu::Language::Host: break;
    }
    gpu::GpuHostOptions options;
    options.cache = kernel_cache();
    options.seed = seed;
    return module.target.by_llvm ? gpu::run_on_nvptx_host(module, f, inputs, options)
                                 : gpu::run_on_gpu_host(module, f, inputs, options);
}

}  // namespace

gpu::CudaLibraries cuda_libraries() {
    const auto told = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    return {told("PROVISO_CUDA_DRIVER"), told("PROVISO_NVRTC")};
}

Result<GpuRun> run_on_gpu(Context& ctx, const Function& f, const std::string& name,
                          const Inputs& inputs, std::uint64_t seed,
                          const analysis::ProverOptions& solvers) {
    const Result<gpu::Target> target = gpu::find_target(name);
    if (!target) return target.error();
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, f);
    if (!d) return d.error();
    analysis::Prover prover(ctx, solvers);
    rewrite::Proposer proposer(*d, prover);
    const rewrite::PassResult lowered = rewrite::lower(proposer);
    if (lowered.wrong) return *lowered.wrong;
    rewrite::place_barriers(proposer);
    gpu::Built built = gpu::build(*d, *target, prover, ir::symbol_for(f.name, "program"));
    if (const auto* wrong = std::get_if<Diagnostic>(&built)) return *wrong;
    if (const auto* no = std::get_if<gpu::Refusal>(&built)) {
        return GpuRun{no->diagnostic.str(), {}, {}};
    }
    const gpu::Module& module = std::get<gpu::Module>(built);
    const Result<gpu::DeviceRun> run = run_module(module, d->current(), inputs, seed);
    if (!run) return run.error();
    return GpuRun{run->finding, run->run, name + " (" + run->device + ")"};
}

}  // namespace proviso::tools
