#include "backend/gpu/drivers/opencl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "ir/check.h"

namespace proviso::backend::gpu {

namespace {

// The part of OpenCL 1.2's interface that is used (Khronos, "The OpenCL Specification", 1.2).
// Handles are pointers to us; every function gives 0 or writes 0 where it succeeded.
using Object = void*;
constexpr std::uint64_t kAllDevices = 0xffffffff;
constexpr std::uint32_t kDeviceName = 0x102b;
constexpr std::uint32_t kSingleConfig = 0x101b;
constexpr std::uint32_t kDoubleConfig = 0x1032;
constexpr std::uint64_t kHasSubnormals = 1U << 0;
constexpr std::uint64_t kRoundsDivision = 1U << 7;
constexpr std::uint32_t kBuildLog = 0x1183;
constexpr std::uint64_t kReadWrite = 1;

struct Interface {
    int (*platforms)(std::uint32_t, Object*, std::uint32_t*) = nullptr;
    int (*devices)(Object, std::uint64_t, std::uint32_t, Object*, std::uint32_t*) = nullptr;
    int (*device_info)(Object, std::uint32_t, std::size_t, void*, std::size_t*) = nullptr;
    Object (*context)(const std::intptr_t*, std::uint32_t, const Object*, void*, void*,
                      int*) = nullptr;
    Object (*queue)(Object, Object, std::uint64_t, int*) = nullptr;
    Object (*program)(Object, std::uint32_t, const char**, const std::size_t*, int*) = nullptr;
    int (*build)(Object, std::uint32_t, const Object*, const char*, void*, void*) = nullptr;
    int (*build_info)(Object, Object, std::uint32_t, std::size_t, void*, std::size_t*) = nullptr;
    Object (*kernel)(Object, const char*, int*) = nullptr;
    int (*argument)(Object, std::uint32_t, std::size_t, const void*) = nullptr;
    Object (*buffer)(Object, std::uint64_t, std::size_t, void*, int*) = nullptr;
    int (*release)(Object) = nullptr;
    int (*write)(Object, Object, std::uint32_t, std::size_t, std::size_t, const void*,
                 std::uint32_t, const void*, void*) = nullptr;
    int (*read)(Object, Object, std::uint32_t, std::size_t, std::size_t, void*, std::uint32_t,
                const void*, void*) = nullptr;
    int (*launch)(Object, Object, std::uint32_t, const std::size_t*, const std::size_t*,
                  const std::size_t*, std::uint32_t, const void*, void*) = nullptr;
    int (*finish)(Object) = nullptr;
};

template <typename Function>
bool find(void* library, const char* name, Function& out) {
    out = reinterpret_cast<Function>(::dlsym(library, name));
    return out != nullptr;
}

Result<Interface> load_interface() {
    // What is in the process already comes first: a checker such as Oclgrind puts itself there.
    void* library = RTLD_DEFAULT;
    const bool preloaded = ::dlsym(RTLD_DEFAULT, "clGetPlatformIDs") != nullptr;
    if (!preloaded) library = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr && !preloaded) {
        return error(
            "there is no OpenCL here: libOpenCL.so.1 was not found; install "
            "pocl-opencl-icd, or a device's driver");
    }
    Interface cl;
    const bool all = find(library, "clGetPlatformIDs", cl.platforms) &&
                     find(library, "clGetDeviceIDs", cl.devices) &&
                     find(library, "clGetDeviceInfo", cl.device_info) &&
                     find(library, "clCreateContext", cl.context) &&
                     find(library, "clCreateCommandQueue", cl.queue) &&
                     find(library, "clCreateProgramWithSource", cl.program) &&
                     find(library, "clBuildProgram", cl.build) &&
                     find(library, "clGetProgramBuildInfo", cl.build_info) &&
                     find(library, "clCreateKernel", cl.kernel) &&
                     find(library, "clSetKernelArg", cl.argument) &&
                     find(library, "clCreateBuffer", cl.buffer) &&
                     find(library, "clReleaseMemObject", cl.release) &&
                     find(library, "clEnqueueWriteBuffer", cl.write) &&
                     find(library, "clEnqueueReadBuffer", cl.read) &&
                     find(library, "clEnqueueNDRangeKernel", cl.launch) &&
                     find(library, "clFinish", cl.finish);
    if (!all) return error("libOpenCL.so.1 lacks functions of OpenCL 1.2");
    return cl;
}

class OpenClDevice final : public Device {
  public:
    // Finds the device and builds the kernels.
    static Result<std::unique_ptr<Device>> make(const Module& module) {
        auto out = std::make_unique<OpenClDevice>();
        if (const Status ok = out->open(); !ok) return ok.error();
        if (const Status ok = out->check_floats(module); !ok) return ok.error();
        if (const Status ok = out->compile(module); !ok) return ok.error();
        return std::unique_ptr<Device>(std::move(out));
    }

    Status open() {
        Result<Interface> loaded = load_interface();
        if (!loaded) return loaded.error();
        cl_ = *loaded;
        std::uint32_t count = 0;
        std::array<Object, 8> platforms{};
        if (cl_.platforms(8, platforms.data(), &count) != 0 || count == 0) {
            return error("there is no OpenCL platform here; install pocl-opencl-icd");
        }
        for (std::uint32_t i = 0; i < std::min<std::uint32_t>(count, 8); ++i) {
            std::uint32_t devices = 0;
            if (cl_.devices(platforms[i], kAllDevices, 1, &device_, &devices) == 0 && devices > 0) {
                return Unit{};
            }
        }
        return error("no OpenCL platform has a device");
    }

    std::string name() const override {
        std::array<char, 256> text{};
        cl_.device_info(device_, kDeviceName, text.size() - 1, text.data(), nullptr);
        return text.data();
    }

    Result<Handle> allocate(std::size_t bytes) override {
        int code = 0;
        Object memory = cl_.buffer(context_, kReadWrite, bytes, nullptr, &code);
        if (code != 0) return failed("clCreateBuffer", code);
        buffers_.push_back(memory);
        return buffers_.size() - 1;
    }
    void release(Handle buffer) override { cl_.release(buffers_[buffer]); }

    Status write(Handle buffer, std::span<const std::byte> bytes) override {
        if (bytes.empty()) return Unit{};
        return status("clEnqueueWriteBuffer",
                      cl_.write(queue_, buffers_[buffer], 1, 0, bytes.size(), bytes.data(), 0,
                                nullptr, nullptr));
    }
    Status read(Handle buffer, std::span<std::byte> bytes) override {
        if (bytes.empty()) return Unit{};
        return status("clEnqueueReadBuffer", cl_.read(queue_, buffers_[buffer], 1, 0, bytes.size(),
                                                      bytes.data(), 0, nullptr, nullptr));
    }

    Status launch(const Kernel& kernel, const Grid& grid, const Grid& block,
                  const std::vector<LaunchArgument>& arguments) override {
        int code = 0;
        Object function = cl_.kernel(program_, kernel.name.c_str(), &code);
        if (code != 0) return failed("clCreateKernel", code);
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const LaunchArgument& a = arguments[i];
            const auto n = static_cast<std::uint32_t>(i);
            code = a.is_buffer
                       ? cl_.argument(function, n, sizeof(Object),
                                      static_cast<const void*>(&buffers_[a.buffer]))
                       : cl_.argument(function, n, static_cast<std::size_t>(a.scalar.type.bytes()),
                                      &a.scalar.bits);
            if (code != 0) return failed("clSetKernelArg", code);
        }
        std::array<std::size_t, kAxes> global{};
        std::array<std::size_t, kAxes> local{};
        for (std::size_t a = 0; a < kAxes; ++a) {
            local[a] = block[a];
            global[a] = block[a] * grid[a];
        }
        code = cl_.launch(queue_, function, kAxes, nullptr, global.data(), local.data(), 0, nullptr,
                          nullptr);
        if (code != 0) return failed("clEnqueueNDRangeKernel of " + kernel.name, code);
        return status("clFinish", cl_.finish(queue_));
    }

  private:
    static Diagnostic failed(const std::string& what, int code) {
        return error(fmt::format("{} failed with code {}", what, code));
    }
    static Status status(const std::string& what, int code) {
        return code == 0 ? Status(Unit{}) : Status(failed(what, code));
    }

    std::uint64_t config(std::uint32_t which) const {
        std::uint64_t bits = 0;
        cl_.device_info(device_, which, sizeof bits, &bits, nullptr);
        return bits;
    }

    Status check_floats(const Module& module) {
        const std::uint64_t single = config(kSingleConfig);
        const auto has = [&](const char* part) {
            return module.kernels.find(part) != std::string::npos;
        };
        const bool floats = has("f32") || module.plan.uses.small_floats;  // computed in float32
        if (floats && (single & kHasSubnormals) == 0) {
            return error(name() + " flushes subnormal float32 numbers to zero");
        }
        rounds_division_ = (single & kRoundsDivision) != 0;
        const bool divides = has("pv_div_f32") || has("pv_sqrt_f32") || has("pv_div_f16") ||
                             has("pv_sqrt_f16") || has("pv_div_bf16") || has("pv_sqrt_bf16");
        if (divides && !rounds_division_) {
            return error(name() + " does not round float32 quotients and roots correctly");
        }
        if (module.plan.uses.doubles && config(kDoubleConfig) == 0) {
            return error(name() + " has no float64");
        }
        return Unit{};
    }

    Status compile(const Module& module) {
        int code = 0;
        context_ = cl_.context(nullptr, 1, &device_, nullptr, nullptr, &code);
        if (code != 0) return failed("clCreateContext", code);
        queue_ = cl_.queue(context_, device_, 0, &code);
        if (code != 0) return failed("clCreateCommandQueue", code);
        const std::string source = module.source(Language::OpenCl);
        const char* text = source.c_str();
        program_ = cl_.program(context_, 1, &text, nullptr, &code);
        if (code != 0) return failed("clCreateProgramWithSource", code);
        std::string options = "-cl-std=CL1.2";
        if (rounds_division_) options += " -cl-fp32-correctly-rounded-divide-sqrt";
        code = cl_.build(program_, 1, &device_, options.c_str(), nullptr, nullptr);
        if (code == 0) return Unit{};
        std::string log(4000, '\0');
        cl_.build_info(program_, device_, kBuildLog, log.size() - 1, log.data(), nullptr);
        return error(fmt::format("{} does not compile the kernels (code {}): {}", name(), code,
                                 log.c_str()));
    }

    Interface cl_;
    Object device_ = nullptr;
    Object context_ = nullptr;
    Object queue_ = nullptr;
    Object program_ = nullptr;
    bool rounds_division_ = false;
    std::vector<Object> buffers_;
};

}  // namespace

Result<DeviceRun> run_on_opencl(const Module& module, const ir::Function& f,
                                const ir::Inputs& inputs, std::uint64_t seed,
                                const ChildLimits& limits) {
    const MakeDevice make = [&](std::size_t) { return OpenClDevice::make(module); };
    return run_in_child(module, f, inputs, seed, {"as the device likes"}, make, limits);
}

std::string opencl_device_name() {
    const ChildResult found = in_child({}, [] {
        OpenClDevice device;
        return device.open() ? device.name() : std::string();
    });
    return found.finished ? found.bytes : "";
}

}  // namespace proviso::backend::gpu
