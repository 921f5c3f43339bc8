// A module run on a device that is not this process: what came of it, for every kind of device.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/gpu/drivers/host_run.h"
#include "backend/gpu/module.h"
#include "backend/runtime/child.h"

namespace proviso::backend::gpu {

struct DeviceRun {
    // What went wrong on the device: a crash, a barrier that not all threads reach, results that
    // depend on the order of threads. Nothing else is set then.
    std::optional<std::string> finding;
    TensorRun run;
    std::string device;  // "host, threads in 4 orders"; the name of an OpenCL device
};

// Runs with a device made in the child process by `make`, once for each of `orders`; all orders
// must leave equal bits. `make` gives the device for an order, or why there is none.
using MakeDevice = std::function<Result<std::unique_ptr<Device>>(std::size_t order)>;
Result<DeviceRun> run_in_child(const Module& module, const ir::Function& f,
                               const ir::Inputs& inputs, std::uint64_t seed,
                               const std::vector<std::string>& orders, const MakeDevice& make,
                               const ChildLimits& limits);

}  // namespace proviso::backend::gpu
