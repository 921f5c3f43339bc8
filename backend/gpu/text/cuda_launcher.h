// The host's part of a plan as CUDA C++: a function that launches the kernels, for programs that
// are built with nvcc. (Running a plan from here goes through host_run.h and needs no such text.)
#pragma once

#include <string>

#include "backend/gpu/text/kernel_text.h"

namespace proviso::backend::gpu {

// `extern "C" int NAME(…)` with one parameter each, in order (implied sizes last): a buffer is a
// pointer to device memory, row-major, overlapping no other; a scalar goes by value. It returns 0;
// k > 0 where the k-th assert in textual order failed; -1 where the device failed. Left out when
// NVRTC compiles the file.
std::string cuda_launcher(const Plan& plan, const TextOptions& options);

}  // namespace proviso::backend::gpu
