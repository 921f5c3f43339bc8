// A module's own text run on this machine, without a GPU: compiled as C++ by the system's g++, its
// threads run one after the other, on fibers (Boost.Context) where there are barriers between them.
//
// Threads run forward, in reverse and in random orders; a result that depends on the order is a
// finding, and so are a barrier that not all threads of a block reach, a store outside of a buffer
// (each has a guarded margin), and a crash. Shared memory and the buffers of threads start poisoned
// (all bits set: NaN, -1).
#pragma once

#include "backend/gpu/drivers/run.h"

namespace proviso::backend::gpu {

struct GpuHostOptions {
    std::string cache;       // folder of compiled libraries, by content; empty: a temporary one
    std::uint64_t seed = 0;  // of cells that are not definite, and of random orders
    std::size_t random_orders = 2;  // beside forward and reverse
    ChildLimits limits = {};
};

// Fails when there is no compiler, or the inputs do not fit.
Result<DeviceRun> run_on_gpu_host(const Module& module, const ir::Function& f,
                                  const ir::Inputs& inputs, const GpuHostOptions& options = {});

// The text compiled as a shared library; its path. `folder` keeps libraries by the hash of what
// they were compiled from.
Result<std::string> compile_for_host(const std::string& source, const std::string& folder);

// Where compiled kernels have a symbol; null for one that they have not.
using KernelSymbols = std::function<void*(const std::string&)>;

// A device that runs compiled kernels. `order` 0 is forward, 1 reverse, others random with `seed`.
// To be used in a process that may crash.
Result<std::unique_ptr<Device>> make_fiber_device(const KernelSymbols& symbols, std::size_t order,
                                                  std::uint64_t seed);

// Runs in all orders that the options name.
Result<DeviceRun> run_in_orders(const Module& module, const ir::Function& f,
                                const ir::Inputs& inputs, const GpuHostOptions& options,
                                const MakeDevice& make);

}  // namespace proviso::backend::gpu
