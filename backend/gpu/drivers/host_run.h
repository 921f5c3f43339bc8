// The host's part of a plan, run statement by statement: allocations, loops and branches around
// kernels, their launches. The device is whatever implements Device.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backend/gpu/plan/plan.h"
#include "backend/host_value.h"
#include "backend/tensor.h"
#include "ir/interp/memory.h"

namespace proviso::backend::gpu {

using Handle = std::size_t;  // of a buffer on the device
using Grid = std::array<std::uint64_t, kAxes>;

// One argument of a launch, in the order of Kernel::buffers, then Kernel::scalars.
struct LaunchArgument {
    bool is_buffer = false;
    Handle buffer = 0;
    HostScalar scalar;
};

class Device {
  public:
    virtual ~Device() = default;
    virtual std::string name() const = 0;
    // A buffer of so many bytes (at least one).
    virtual Result<Handle> allocate(std::size_t bytes) = 0;
    virtual void release(Handle buffer) = 0;
    virtual Status write(Handle buffer, std::span<const std::byte> bytes) = 0;
    virtual Status read(Handle buffer, std::span<std::byte> bytes) = 0;
    // All extents are 1 or more. Kernels run one after the other.
    virtual Status launch(const Kernel& kernel, const Grid& grid, const Grid& block,
                          const std::vector<LaunchArgument>& arguments) = 0;
};

// The arguments of a run, in the order of the parameters of Plan::function.
struct DeviceInputs {
    std::vector<HostBuffer> buffers;  // of the buffer parameters
    std::vector<HostScalar> scalars;  // of the scalar parameters
};

// Inputs by name as bytes; cells that are not definite get values of `seed`. Fails on missing
// inputs, and on tensors of another type or shape than the function's for these scalars.
Result<DeviceInputs> device_inputs(const Plan& plan, const ir::Function& f,
                                   const ir::Inputs& inputs, std::uint64_t seed);

// Runs the plan on the device; buffers are changed in place. A launch of no block or no thread does
// nothing. Fails with what the device failed with.
Result<RunOutcome> run_host(const Plan& plan, DeviceInputs& inputs, Device& device);

}  // namespace proviso::backend::gpu
