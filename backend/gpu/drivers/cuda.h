// A module run on a CUDA device through its driver's interface (cuda_driver.h), in a child process.
#pragma once

#include "backend/gpu/drivers/run.h"

namespace proviso::backend::gpu {

// Files to load in the place of what the system has; empty: what the system has.
struct CudaLibraries {
    std::string driver;  // libcuda.so.1
    std::string nvrtc;   // libnvrtc.so.13 or .12
};

// Without a limit on address space: the driver reserves far more than it uses.
inline constexpr ChildLimits kCudaLimits = {60, 0};

// On the first device, twice: the kernels as they are, and with shared memory and the buffers of
// threads poisoned (all bits set) when a block starts; both must leave equal bits. Memory of the
// device starts poisoned, with margins around each buffer that no kernel may store to. Kernels of a
// target by way of LLVM run once, as they are.
//
// Fails where there is no driver, no device or no compiler; where the device is older than the
// target, or allows less than the target's limits, which the launches were proved for; and when the
// inputs do not fit. A call of the driver that fails later is a finding.
Result<DeviceRun> run_on_cuda(const Module& module, const ir::Function& f, const ir::Inputs& inputs,
                              std::uint64_t seed = 0, const CudaLibraries& libraries = {},
                              const ChildLimits& limits = kCudaLimits);

// The name of the device that would be used; empty when there is none.
std::string cuda_device_name(const CudaLibraries& libraries = {});

}  // namespace proviso::backend::gpu
