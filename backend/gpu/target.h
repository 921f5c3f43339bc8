// What is known of a device that code is made for: the language of its kernels and the limits of
// its launches. The limits are facts that obligations are proved against (launches.h).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "ir/result.h"

namespace proviso::backend::gpu {

inline constexpr std::size_t kAxes = 3;  // x, y, z

enum class Language : std::uint8_t { Cuda, OpenCl, Host };

struct Target {
    std::string name;          // "cuda:sm_90"
    std::string architecture;  // "sm_90"
    Language language = Language::Cuda;
    bool by_llvm = false;      // code by way of LLVM (nvptx.h) in the place of the kernels' text
    std::int64_t threads = 0;  // of a block, in all
    std::array<std::int64_t, kAxes> block{};  // threads of a block, by axis
    std::array<std::int64_t, kAxes> grid{};   // blocks, by axis
    std::int64_t shared_bytes = 0;            // of a block, declared in the kernel
};

// True for a name of this family, right or wrong: "cuda", "nvptx:sm_90", "opencl".
bool is_gpu_target(const std::string& name);

// "cuda" or "cuda:sm_NN" (NN from 75; sm_90 where not told), "opencl" or "opencl:generic", and
// "gpu-host": the kernels' text compiled as C++ for this machine, with the limits of cuda:sm_90.
// "nvptx", "nvptx:sm_NN" and "nvptx-host" are cuda and gpu-host with code by way of LLVM.
//
// Sources of the limits: CUDA C++ Programming Guide 13, "Technical Specifications per Compute
// Capability" (static shared memory: 48 KiB); OpenCL 3.0 specification, clGetDeviceInfo
// (CL_DEVICE_LOCAL_MEM_SIZE: at least 32 KiB). OpenCL guarantees no more than one work item a
// group; "generic" stands for a device with 256, which GPUs and PoCL have.
Result<Target> find_target(const std::string& name);

}  // namespace proviso::backend::gpu
