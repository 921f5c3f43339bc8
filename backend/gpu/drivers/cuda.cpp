#include "backend/gpu/drivers/cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "backend/gpu/drivers/cuda_driver.h"
#include "backend/gpu/drivers/nvrtc.h"
#include "backend/gpu/llvm/nvptx.h"
#include "backend/gpu/text/prelude.h"

namespace proviso::backend::gpu {

namespace {

constexpr std::size_t kMargin = 4096;  // bytes before and after each buffer; keeps alignment
constexpr unsigned char kMarginByte = 0xa5;
constexpr unsigned char kPoison = 0xff;
constexpr std::size_t kLogBytes = 8192;

// Numbers of CUdevice_attribute, CUfunction_attribute and CUjit_option.
constexpr int kMaxThreads = 1;
constexpr int kMaxBlockX = 2;  // y and z follow
constexpr int kMaxGridX = 5;
constexpr int kMaxShared = 8;
constexpr int kMajor = 75;
constexpr int kMinor = 76;
constexpr int kFunctionMaxThreads = 0;
constexpr int kErrorLog = 5;
constexpr int kErrorLogBytes = 6;

// After the prelude: memory of blocks and of threads starts with all bits set. All threads of a
// block come by where its memory is declared.
constexpr const char* kPoisoned = R"(
static __device__ void pv_poison(void* memory, u64 bytes, u64 first, u64 step) {
    for (u64 k = first; k < bytes; k += step) ((u8*)memory)[k] = 0xff;
}
#undef PV_SHARED
#define PV_SHARED(type, name, count, offset) \
    __shared__ __align__(16) type name[count]; \
    pv_poison(name, sizeof name, \
              threadIdx.x + blockDim.x * (threadIdx.y + (u64)blockDim.y * threadIdx.z), \
              (u64)blockDim.x * blockDim.y * blockDim.z); \
    __syncthreads()
#undef PV_LOCAL
#define PV_LOCAL(type, name, count) type name[count]; pv_poison(name, sizeof name, 0, 1)
)";

int number_of(const std::string& architecture) {
    return std::stoi(architecture.substr(architecture.find('_') + 1));
}

class CudaDevice final : public Device {
  public:
    CudaDevice() = default;
    CudaDevice(const CudaDevice&) = delete;
    CudaDevice& operator=(const CudaDevice&) = delete;
    // Gives everything back that it still holds, in whatever state a failure has left it.
    ~CudaDevice() override {
        for (const Memory& m : buffers_) {
            if (m.at != 0) cuda_.release(m.at);
        }
        if (module_ != nullptr) cuda_.unload_module(module_);
        if (context_ != nullptr) cuda_.release_context(device_);
    }

    // Finds the device, compares its limits with the target's, and loads the kernels.
    static Result<std::unique_ptr<Device>> make(const Module& module,
                                                const CudaLibraries& libraries, bool poisoned) {
        auto out = std::make_unique<CudaDevice>();
        if (const Status ok = out->open(libraries.driver); !ok) return ok.error();
        if (const Status ok = out->check_limits(module.target); !ok) return ok.error();
        const Result<std::string> image = out->compile(module, libraries.nvrtc, poisoned);
        if (!image) return image.error();
        if (const Status ok = out->load(*image); !ok) return ok.error();
        return std::unique_ptr<Device>(std::move(out));
    }

    Status open(const std::string& file) {
        const Result<CudaDriver> driver = load_cuda_driver(file);
        if (!driver) return driver.error();
        cuda_ = *driver;
        if (const Status ok = cuda_.status("cuInit", cuda_.init(0)); !ok) return ok;
        int count = 0;
        if (const Status ok = cuda_.status("cuDeviceGetCount", cuda_.device_count(&count)); !ok) {
            return ok;
        }
        if (count == 0) {
            return error("the CUDA driver knows of no device", "--target gpu-host needs none");
        }
        if (const Status ok = cuda_.status("cuDeviceGet", cuda_.device(&device_, 0)); !ok) {
            return ok;
        }
        std::array<char, 256> text{};
        const int code = cuda_.device_name(text.data(), static_cast<int>(text.size()) - 1, device_);
        if (code != 0) return cuda_.failed("cuDeviceGetName", code);
        name_ = text.data();
        const Result<int> major = attribute(kMajor);
        if (!major) return major.error();
        const Result<int> minor = attribute(kMinor);
        if (!minor) return minor.error();
        architecture_ = *major * 10 + *minor;
        return Unit{};
    }

    std::string name() const override { return fmt::format("{}, sm_{}", name_, architecture_); }

    Result<Handle> allocate(std::size_t bytes) override {
        Memory m{0, bytes};
        const int code = cuda_.allocate(&m.at, bytes + 2 * kMargin);
        if (code != 0) {
            Diagnostic d = cuda_.failed("cuMemAlloc_v2", code);
            d.message += fmt::format(", for {} bytes", bytes);
            return d;
        }
        buffers_.push_back(m);
        const Handle out = buffers_.size() - 1;
        for (const auto& [at, value, size] :
             {std::tuple(m.at, kMarginByte, kMargin), std::tuple(data(out), kPoison, bytes),
              std::tuple(data(out) + bytes, kMarginByte, kMargin)}) {
            const Status ok = cuda_.status("cuMemsetD8_v2", cuda_.fill(at, value, size));
            if (!ok) return ok.error();
        }
        return out;
    }
    void release(Handle buffer) override {
        cuda_.release(buffers_[buffer].at);
        buffers_[buffer].at = 0;
    }

    Status write(Handle buffer, std::span<const std::byte> bytes) override {
        if (bytes.empty()) return Unit{};
        return cuda_.status("cuMemcpyHtoD_v2",
                            cuda_.write(data(buffer), bytes.data(), bytes.size()));
    }
    Status read(Handle buffer, std::span<std::byte> bytes) override {
        if (bytes.empty()) return Unit{};
        return cuda_.status("cuMemcpyDtoH_v2",
                            cuda_.read(bytes.data(), data(buffer), bytes.size()));
    }

    Status launch(const Kernel& kernel, const Grid& grid, const Grid& block,
                  const std::vector<LaunchArgument>& arguments) override {
        CudaDriver::Object function = nullptr;
        int code = cuda_.function(&function, module_, kernel.name.c_str());
        if (code != 0) return cuda_.failed("cuModuleGetFunction of " + kernel.name, code);
        if (const Status ok = fits(kernel, function, block); !ok) return ok;
        std::vector<std::uint64_t> values;
        for (const LaunchArgument& a : arguments) {  // little-endian: the low bytes come first
            values.push_back(a.is_buffer ? data(a.buffer) : a.scalar.bits);
        }
        std::vector<void*> pointers;
        for (std::uint64_t& value : values) pointers.push_back(&value);
        const auto extent = [](std::uint64_t n) { return static_cast<unsigned>(n); };
        code = cuda_.launch(function, extent(grid[0]), extent(grid[1]), extent(grid[2]),
                            extent(block[0]), extent(block[1]), extent(block[2]), 0, nullptr,
                            pointers.data(), nullptr);
        if (code != 0) return cuda_.failed("cuLaunchKernel of " + kernel.name, code);
        code = cuda_.synchronize();
        if (code != 0) return cuda_.failed("cuCtxSynchronize after " + kernel.name, code);
        return margins(kernel);
    }

  private:
    struct Memory {
        CudaDriver::Address at = 0;  // 0: released
        std::size_t bytes = 0;       // between the margins
    };

    CudaDriver::Address data(Handle buffer) const { return buffers_[buffer].at + kMargin; }

    Result<int> attribute(int which) const {
        int value = 0;
        const int code = cuda_.device_attribute(&value, which, device_);
        if (code != 0) return cuda_.failed("cuDeviceGetAttribute", code);
        return value;
    }

    Status at_least(const Target& target, int which, std::int64_t needed, const char* what) const {
        const Result<int> value = attribute(which);
        if (!value) return value.error();
        if (*value >= needed) return Unit{};
        return error(fmt::format("{} allows {} {}; the launches were proved for {}, which has {}",
                                 name(), *value, what, target.name, needed));
    }

    // What the launches were proved against holds of this device.
    Status check_limits(const Target& target) const {
        const int wanted = number_of(target.architecture);
        if (wanted > architecture_) {
            return error(
                fmt::format("{} is older than the target {}", name(), target.name),
                fmt::format("--target {}:sm_{}", target.by_llvm ? "nvptx" : "cuda", architecture_));
        }
        const std::array<const char*, kAxes> block = {
            "threads along threadIdx.x", "threads along threadIdx.y", "threads along threadIdx.z"};
        const std::array<const char*, kAxes> grid = {
            "blocks along blockIdx.x", "blocks along blockIdx.y", "blocks along blockIdx.z"};
        Status ok = at_least(target, kMaxThreads, target.threads, "threads of a block");
        for (std::size_t a = 0; a < kAxes && ok; ++a) {
            const int axis = static_cast<int>(a);
            ok = at_least(target, kMaxBlockX + axis, target.block[a], block[a]);
            if (ok) ok = at_least(target, kMaxGridX + axis, target.grid[a], grid[a]);
        }
        if (!ok) return ok;
        return at_least(target, kMaxShared, target.shared_bytes, "bytes of shared memory");
    }

    // Machine code where the device is the target; else PTX, which its driver compiles. LLVM gives
    // PTX only.
    Result<std::string> compile(const Module& module, const std::string& nvrtc,
                                bool poisoned) const {
        if (module.target.by_llvm) return llvm_ptx(module, module.target.architecture);
        std::string text = prelude(Language::Cuda, module.plan.uses);
        if (poisoned) text += kPoisoned;
        text += module.kernels;
        const bool same = number_of(module.target.architecture) == architecture_;
        return compile_cuda(text, module.target.architecture,
                            same ? CudaArtefact::Cubin : CudaArtefact::Ptx, nvrtc);
    }

    Status load(const std::string& image) {
        int code = cuda_.retain_context(&context_, device_);
        if (code != 0) {
            context_ = nullptr;
            return cuda_.failed("cuDevicePrimaryCtxRetain", code);
        }
        code = cuda_.set_context(context_);
        if (code != 0) return cuda_.failed("cuCtxSetCurrent", code);
        std::string log(kLogBytes, '\0');
        std::array<int, 2> options = {kErrorLog, kErrorLogBytes};
        // A number goes by value in the place of a pointer.
        std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(kLogBytes)};
        code = cuda_.load_module(&module_, image.c_str(), 2, options.data(), values.data());
        if (code == 0) return Unit{};
        module_ = nullptr;
        Diagnostic d = cuda_.failed("cuModuleLoadDataEx", code);
        const std::string said = log.c_str();
        if (!said.empty()) d.notes.push_back(said);
        return d;
    }

    // A kernel that needs many registers can have fewer threads than the device has.
    Status fits(const Kernel& kernel, CudaDriver::Object function, const Grid& block) const {
        int most = 0;
        const int code = cuda_.function_attribute(&most, kFunctionMaxThreads, function);
        if (code != 0) return cuda_.failed("cuFuncGetAttribute of " + kernel.name, code);
        const std::uint64_t threads = block[0] * block[1] * block[2];
        if (threads <= static_cast<std::uint64_t>(std::max(most, 0))) return Unit{};
        return error(
            fmt::format("{} needs so many registers that {} runs only {} threads of a "
                        "block, not {}",
                        kernel.name, name(), most, threads));
    }

    Status margins(const Kernel& kernel) const {
        std::array<unsigned char, kMargin> seen{};
        for (const Memory& m : buffers_) {
            if (m.at == 0) continue;
            for (const CudaDriver::Address at : {m.at, m.at + kMargin + m.bytes}) {
                const int code = cuda_.read(seen.data(), at, kMargin);
                if (code != 0) return cuda_.failed("cuMemcpyDtoH_v2", code);
                const bool whole = std::all_of(seen.begin(), seen.end(),
                                               [](unsigned char b) { return b == kMarginByte; });
                if (!whole) return error(kernel.name + " stores outside of a buffer");
            }
        }
        return Unit{};
    }

    CudaDriver cuda_;
    int device_ = 0;
    std::string name_;
    int architecture_ = 0;  // 90 for sm_90
    CudaDriver::Object context_ = nullptr;
    CudaDriver::Object module_ = nullptr;
    std::vector<Memory> buffers_;
};

}  // namespace

Result<DeviceRun> run_on_cuda(const Module& module, const ir::Function& f, const ir::Inputs& inputs,
                              std::uint64_t seed, const CudaLibraries& libraries,
                              const ChildLimits& limits) {
    const MakeDevice make = [&](std::size_t order) {
        return CudaDevice::make(module, libraries, order == 1);
    };
    std::vector<std::string> orders = {"as the device likes"};
    if (!module.target.by_llvm) orders.emplace_back("as the device likes, in poisoned memory");
    return run_in_child(module, f, inputs, seed, orders, make, limits);
}

std::string cuda_device_name(const CudaLibraries& libraries) {
    const ChildResult found = in_child(kCudaLimits, [&] {
        CudaDevice device;
        return device.open(libraries.driver) ? device.name() : std::string();
    });
    return found.finished ? found.bytes : "";
}

}  // namespace proviso::backend::gpu
