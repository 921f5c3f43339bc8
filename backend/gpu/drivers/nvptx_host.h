// The kernels that LLVM makes PTX of, run on this machine: the same optimised LLVM IR (nvptx.h),
// with thread indices and barriers as calls of the scheduler that runs the kernels' text
// (gpu_host.h), too, compiled in this process. So the second way to code is executed, not only
// compiled.
#pragma once

#include <functional>

#include "backend/gpu/drivers/gpu_host.h"
#include "ir/op.h"

namespace proviso::backend::gpu {

// Threads forward, in reverse and in random orders, as run_on_gpu_host; findings are the same.
// `options.cache` is not used. Shared memory and the buffers of threads start as NaN and -1.
Result<DeviceRun> run_on_nvptx_host(const Module& module, const ir::Function& f,
                                    const ir::Inputs& inputs, const GpuHostOptions& options = {});

// An elementary function of kernels as the IR has it (llvm_functions.h), for tests.
Result<std::function<double(double)>> function_on_nvptx_host(ir::MathFn fn);

}  // namespace proviso::backend::gpu
