// Running a program with bound loops: its kernels on this machine, or through OpenCL.
#pragma once

#include <optional>
#include <string>

#include "backend/tensor.h"
#include "ir/context.h"

namespace proviso::tools {

// What compiled code did.
struct GpuRun {
    std::optional<std::string> wrong;  // refused, or seen to go wrong; nothing else counts then
    backend::TensorRun run;
    std::string label;  // where it ran: "gpu-host (this machine, threads in 4 orders)"
};

// Fails for a target that is none, or that nothing here can run.
Status runs_on_gpu(const std::string& target);

// Lowers `f` through the kernel, makes its code for the target, and runs it on inputs by name.
Result<GpuRun> run_on_gpu(ir::Context& ctx, const ir::Function& f, const std::string& target,
                          const ir::Inputs& inputs, std::uint64_t seed);

}  // namespace proviso::tools
