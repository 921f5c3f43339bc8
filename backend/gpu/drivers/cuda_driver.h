// The part of CUDA's driver interface that running kernels needs, declared here and found at run
// time: nothing of CUDA is needed to build. (NVIDIA, "CUDA Driver API", 12 and 13.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ir/result.h"

namespace proviso::backend::gpu {

// Handles are opaque; memory of the device is an address that only the device can read. Every
// function gives 0 where it succeeded.
struct CudaDriver {
    using Object = void*;
    using Address = std::uint64_t;

    int (*init)(unsigned flags) = nullptr;
    int (*error_name)(int code, const char** text) = nullptr;
    int (*error_text)(int code, const char** text) = nullptr;
    int (*device_count)(int* count) = nullptr;
    int (*device)(int* device, int ordinal) = nullptr;
    int (*device_name)(char* name, int length, int device) = nullptr;
    int (*device_attribute)(int* value, int attribute, int device) = nullptr;
    int (*retain_context)(Object* context, int device) = nullptr;
    int (*release_context)(int device) = nullptr;
    int (*set_context)(Object context) = nullptr;
    int (*synchronize)() = nullptr;
    int (*load_module)(Object* module, const void* image, unsigned count, int* options,
                       void** values) = nullptr;
    int (*unload_module)(Object module) = nullptr;
    int (*function)(Object* function, Object module, const char* name) = nullptr;
    int (*function_attribute)(int* value, int attribute, Object function) = nullptr;
    int (*allocate)(Address* memory, std::size_t bytes) = nullptr;
    int (*release)(Address memory) = nullptr;
    int (*write)(Address to, const void* from, std::size_t bytes) = nullptr;
    int (*read)(void* to, Address from, std::size_t bytes) = nullptr;
    int (*fill)(Address memory, unsigned char value, std::size_t bytes) = nullptr;
    int (*launch)(Object function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                  unsigned bz, unsigned shared_bytes, Object stream, void** arguments,
                  void** extra) = nullptr;

    // "cuMemAlloc_v2 failed: CUDA_ERROR_OUT_OF_MEMORY (out of memory)", in the driver's own words.
    Diagnostic failed(const std::string& call, int code) const;
    Status status(const std::string& call, int code) const;
};

// `file`: the driver's library; empty: libcuda.so.1, wherever the system keeps it. Fails where
// there is none, and where it lacks a function.
Result<CudaDriver> load_cuda_driver(const std::string& file);

}  // namespace proviso::backend::gpu
