#include "backend/gpu/drivers/cuda_driver.h"

#include <dlfcn.h>

namespace proviso::backend::gpu {

namespace {

constexpr const char* kLibrary = "libcuda.so.1";

// The names that the library exports; "_v2" is part of them.
class Finder {
  public:
    explicit Finder(void* library) : library_(library) {}

    template <typename Function>
    void find(const char* name, Function& out) {
        out = reinterpret_cast<Function>(::dlsym(library_, name));
        if (out == nullptr && missing_.empty()) missing_ = name;
    }
    const std::string& missing() const { return missing_; }

  private:
    void* library_;
    std::string missing_;
};

}  // namespace

Diagnostic CudaDriver::failed(const std::string& call, int code) const {
    const char* name = nullptr;
    const char* text = nullptr;
    if (error_name(code, &name) != 0) name = nullptr;
    if (error_text(code, &text) != 0) text = nullptr;
    std::string out = call + " failed: ";
    out += name != nullptr ? std::string(name) : "code " + std::to_string(code);
    if (text != nullptr) out += " (" + std::string(text) + ")";
    return error(out);
}

Status CudaDriver::status(const std::string& call, int code) const {
    return code == 0 ? Status(Unit{}) : Status(failed(call, code));
}

Result<CudaDriver> load_cuda_driver(const std::string& file) {
    const std::string path = file.empty() ? kLibrary : file;
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* why = ::dlerror();
        Diagnostic d = error("there is no CUDA driver here: " + path + " was not found",
                             "install the driver of an NVIDIA device, or run the same kernels on "
                             "this machine: --target gpu-host");
        if (!file.empty() && why != nullptr) d.notes.emplace_back(why);
        return d;
    }
    CudaDriver d;
    Finder in(library);
    in.find("cuInit", d.init);
    in.find("cuGetErrorName", d.error_name);
    in.find("cuGetErrorString", d.error_text);
    in.find("cuDeviceGetCount", d.device_count);
    in.find("cuDeviceGet", d.device);
    in.find("cuDeviceGetName", d.device_name);
    in.find("cuDeviceGetAttribute", d.device_attribute);
    in.find("cuDevicePrimaryCtxRetain", d.retain_context);
    in.find("cuDevicePrimaryCtxRelease_v2", d.release_context);
    in.find("cuCtxSetCurrent", d.set_context);
    in.find("cuCtxSynchronize", d.synchronize);
    in.find("cuModuleLoadDataEx", d.load_module);
    in.find("cuModuleUnload", d.unload_module);
    in.find("cuModuleGetFunction", d.function);
    in.find("cuFuncGetAttribute", d.function_attribute);
    in.find("cuMemAlloc_v2", d.allocate);
    in.find("cuMemFree_v2", d.release);
    in.find("cuMemcpyHtoD_v2", d.write);
    in.find("cuMemcpyDtoH_v2", d.read);
    in.find("cuMemsetD8_v2", d.fill);
    in.find("cuLaunchKernel", d.launch);
    if (in.missing().empty()) return d;
    return error(path + " is no CUDA driver that can be used: it has no " + in.missing(),
                 "a driver of CUDA 12 or later");
}

}  // namespace proviso::backend::gpu
