// A module run through OpenCL, whose loader is looked for at run time: nothing of OpenCL is needed
// to build. Runs in a child process, as an implementation may crash (PoCL does on a barrier that
// not all threads reach).
#pragma once

#include "backend/gpu/drivers/run.h"

namespace proviso::backend::gpu {

// On the first device of the first platform. Fails when there is no loader or no device, when the
// device's floats are not strict enough (subnormals flushed; quotients or roots not correctly
// rounded where the kernels have some), and when the inputs do not fit.
Result<DeviceRun> run_on_opencl(const Module& module, const ir::Function& f,
                                const ir::Inputs& inputs, std::uint64_t seed = 0,
                                const ChildLimits& limits = {});

// The name of the device that would be used; empty when there is none.
std::string opencl_device_name();

}  // namespace proviso::backend::gpu
