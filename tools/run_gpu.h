// Running a program with bound loops: its kernels on this machine, through OpenCL or through CUDA.
#pragma once

#include <optional>
#include <string>

#include "analysis/prover/prover.h"
#include "backend/gpu/drivers/cuda.h"
#include "backend/tensor.h"
#include "ir/context.h"

namespace proviso::tools {

// What compiled code did.
struct GpuRun {
    std::optional<std::string> wrong;  // refused, or seen to go wrong; nothing else counts then
    backend::TensorRun run;
    std::string label;  // where it ran: "gpu-host (this machine, threads in 4 orders)"
};

// The files that PROVISO_CUDA_DRIVER and PROVISO_NVRTC name, in the place of the system's own.
backend::gpu::CudaLibraries cuda_libraries();

// Lowers `f` through the kernel, makes its code for the target, and runs it on inputs by name.
Result<GpuRun> run_on_gpu(ir::Context& ctx, const ir::Function& f, const std::string& target,
                          const ir::Inputs& inputs, std::uint64_t seed,
                          const analysis::ProverOptions& solvers);

}  // namespace proviso::tools
