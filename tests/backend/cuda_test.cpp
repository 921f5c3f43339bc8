// Kernels through CUDA's driver interface, with a stand-in for the driver and the compiler
// (tests/fake_cuda): what runs, what fails and how that is told, and that everything is given back.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "backend/gpu/drivers/cuda.h"
#include "backend/gpu/drivers/nvrtc.h"
#include "ir/interp/interpreter.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::backend::gpu {
namespace {

using namespace ir;

constexpr const char* kProgram = R"(
@T.prim_func
def chain(A: T.Buffer((37,), "float32"), B: T.Buffer((37,), "float64"), k: T.int32):
    M = T.alloc_buffer((40,), "float32")
    for b in T.thread_binding(5, thread="blockIdx.x"):
        tile = T.alloc_buffer((8,), "float32", scope="shared")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            if b * 8 + t < 37:
                tile[t] = A[b * 8 + t] / T.float32(3) + T.float32(0.1)
            else:
                tile[t] = T.float32(-1)
        for u in T.thread_binding(8, thread="threadIdx.x"):
            M[b * 8 + u] = T.sqrt(tile[7 - u]) * T.float32(1.1)
    for b2 in T.thread_binding(37, thread="blockIdx.x"):
        B[b2] = T.Cast("float64", M[b2]) + T.Cast("float64", k)
)";

// Variables of the environment for as long as a scope lasts.
class Told {
  public:
    Told(std::string name, const std::string& value) : name_(std::move(name)) {
        ::setenv(name_.c_str(), value.c_str(), 1);
    }
    ~Told() { ::unsetenv(name_.c_str()); }
    Told(const Told&) = delete;
    Told& operator=(const Told&) = delete;

  private:
    std::string name_;
};

class Cuda : public testing::Test {
  protected:
    Module module(const std::string& target = "cuda") {
        const Result<Function> f = parse_function(ctx_, kProgram, "chain.py");
        EXPECT_TRUE(f.ok()) << f.error().str();
        f_ = *f;
        Built built = unverified::build(ctx_, f_, *find_target(target), prover_);
        if (const auto* no = std::get_if<Diagnostic>(&built)) ADD_FAILURE() << no->str();
        if (const auto* no = std::get_if<Refusal>(&built)) ADD_FAILURE() << no->diagnostic.str();
        return std::get<Module>(std::move(built));
    }

    static Inputs inputs() {
        std::vector<double> cells;
        for (int k = 0; k < 37; ++k) cells.push_back(0.7 * k);
        return {{"A", Tensor::of(kFloat32, {37}, cells)},
                {"B", Tensor::of(kFloat64, {37}, std::vector<double>(37, 0.0))},
                {"k", Value::of_int(5)}};
    }

    Result<DeviceRun> run(const Module& m) {
        return run_on_cuda(m, f_, inputs(), 1, {PROVISO_FAKE_CUDA, PROVISO_FAKE_CUDA});
    }

    // What was taken and never given back, by kind; and that something was taken at all.
    static std::map<std::string, int> kept(const std::string& journal) {
        std::map<std::string, int> out;
        std::ifstream in(journal);
        std::string sign;
        for (std::string kind; in >> sign >> kind;) out[kind] += sign == "+" ? 1 : -1;
        return out;
    }

    static std::string journal_file() {
        const std::string out = testing::TempDir() + "proviso_cuda_" + std::to_string(::getpid());
        std::filesystem::remove(out);
        return out;
    }

    Context ctx_;
    analysis::Prover prover_{ctx_, {}};
    Function f_;
};

TEST_F(Cuda, GivesTheInterpretersBits) {
    const Module m = module();
    const Result<DeviceRun> got = run(m);
    ASSERT_TRUE(got.ok()) << got.error().str();
    ASSERT_FALSE(got->finding.has_value()) << *got->finding;
    EXPECT_EQ(got->device, "a stand-in, sm_90");
    const Result<Outcome> wanted = ir::run(f_, inputs());
    ASSERT_TRUE(wanted.ok()) << wanted.error().str();
    const auto difference = run_difference(f_, *wanted, got->run);
    EXPECT_FALSE(difference.has_value()) << *difference;
    EXPECT_EQ(cuda_device_name({PROVISO_FAKE_CUDA, ""}), "a stand-in, sm_90");
}

TEST_F(Cuda, GivesEverythingBack) {
    const std::string file = journal_file();
    const Told journal("FAKE_CUDA_JOURNAL", file);
    ASSERT_TRUE(run(module()).ok());
    EXPECT_EQ(kept(file),
              (std::map<std::string, int>{{"context", 0}, {"memory", 0}, {"module", 0}}));
}

TEST_F(Cuda, SaysThatThereIsNoDriver) {
    const Result<DeviceRun> got = run_on_cuda(module(), f_, inputs(), 1, {"no/driver.so", ""});
    ASSERT_FALSE(got.ok());
    EXPECT_EQ(got.error().message, "there is no CUDA driver here: no/driver.so was not found");
    EXPECT_NE(got.error().hint.find("--target gpu-host"), std::string::npos);
    EXPECT_EQ(cuda_device_name({"no/driver.so", ""}), "");
    // A library that is none.
    const Result<DeviceRun> other = run_on_cuda(module(), f_, inputs(), 1, {"libm.so.6", ""});
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().message,
              "libm.so.6 is no CUDA driver that can be used: it has no cuInit");
}

TEST_F(Cuda, SaysThatThereIsNoCompiler) {
    const Result<DeviceRun> got =
        run_on_cuda(module(), f_, inputs(), 1, {PROVISO_FAKE_CUDA, "no/nvrtc.so"});
    ASSERT_FALSE(got.ok());
    EXPECT_EQ(got.error().message, "NVRTC was not found (no/nvrtc.so)");
}

// Every call that can fail, failing: an error before the kernels run, a finding afterwards; in the
// driver's words, and with everything given back.
TEST_F(Cuda, TellsOfEveryCallThatFails) {
    struct Call {
        const char* plan;
        bool runs;  // the kernels' turn has come
        const char* words;
    };
    const Call calls[] = {
        {"cuInit:1=100", false, "CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)"},
        {"cuDeviceGetCount:1=1", false, "CUDA_ERROR_INVALID_VALUE (invalid argument)"},
        {"cuDeviceGet:1=1", false, "CUDA_ERROR_INVALID_VALUE (invalid argument)"},
        {"cuDeviceGetName:1=1", false, "CUDA_ERROR_INVALID_VALUE (invalid argument)"},
        {"cuDeviceGetAttribute:1=1", false, "CUDA_ERROR_INVALID_VALUE (invalid argument)"},
        {"cuDeviceGetAttribute:2=1", false, "CUDA_ERROR_INVALID_VALUE (invalid argument)"},
        {"cuDeviceGetAttribute:5=1", false, "CUDA_ERROR_INVALID_VALUE (invalid argument)"},
        {"cuDevicePrimaryCtxRetain:1=2", false, "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"},
        {"cuCtxSetCurrent:1=1", false, "CUDA_ERROR_INVALID_VALUE (invalid argument)"},
        {"nvrtcCreateProgram:1=1", false, "NVRTC makes no program"},
        {"nvrtcCompileProgram:1=6", false, "NVRTC does not compile the kernels for sm_90 (code 6)"},
        {"cuModuleLoadDataEx:1=200", false,
         "CUDA_ERROR_INVALID_IMAGE (device kernel image is invalid)"},
        {"cuModuleLoadDataEx:2=200", false,
         "CUDA_ERROR_INVALID_IMAGE (device kernel image is invalid)"},
        {"cuMemAlloc_v2:1=2", true, "CUDA_ERROR_OUT_OF_MEMORY (out of memory), for 148 bytes"},
        {"cuMemAlloc_v2:3=2", true, "CUDA_ERROR_OUT_OF_MEMORY (out of memory), for 160 bytes"},
        {"cuMemsetD8_v2:2=1", true, "CUDA_ERROR_INVALID_VALUE (invalid argument)"},
        {"cuMemcpyHtoD_v2:2=1", true, "CUDA_ERROR_INVALID_VALUE (invalid argument)"},
        {"cuModuleGetFunction:2=500", true, "of chain_kernel1 failed: CUDA_ERROR_NOT_FOUND"},
        {"cuFuncGetAttribute:1=1", true, "of chain_kernel0 failed: CUDA_ERROR_INVALID_VALUE"},
        {"cuLaunchKernel:1=719", true, "of chain_kernel0 failed: CUDA_ERROR_LAUNCH_FAILED"},
        {"cuCtxSynchronize:2=700", true, "after chain_kernel1 failed: CUDA_ERROR_ILLEGAL_ADDRESS"},
        {"cuMemcpyDtoH_v2:1=700", true, "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access"},
        {"cuMemcpyDtoH_v2:13=999", true, "cuMemcpyDtoH_v2 failed: code 999"},
    };
    const Module m = module();
    for (const Call& call : calls) {
        const std::string file = journal_file();
        const Told journal("FAKE_CUDA_JOURNAL", file);
        const Told plan("FAKE_CUDA_FAIL", call.plan);
        const Result<DeviceRun> got = run(m);
        std::string said;
        if (got.ok()) {
            EXPECT_TRUE(call.runs) << call.plan;
            said = got->finding.value_or("nothing was found");
        } else {
            EXPECT_FALSE(call.runs) << call.plan << ": " << got.error().str();
            said = got.error().message;
        }
        EXPECT_NE(said.find(call.words), std::string::npos) << call.plan << ": " << said;
        const std::string function =
            std::string(call.plan).substr(0, std::string(call.plan).find(':'));
        if (function.rfind("cu", 0) == 0) {
            EXPECT_NE(said.find(function), std::string::npos) << call.plan << ": " << said;
        }
        for (const auto& [kind, n] : kept(file)) EXPECT_EQ(n, 0) << call.plan << ": " << kind;
    }
}

// The launches were proved for what the target says; a device that has less is refused.
TEST_F(Cuda, ComparesTheDeviceWithTheTarget) {
    struct Device {
        const char* attributes;
        const char* message;
        const char* hint;
    };
    const Device devices[] = {
        {"0=0", "the CUDA driver knows of no device", "--target gpu-host needs none"},
        {"75=8:76=6", "a stand-in, sm_86 is older than the target cuda:sm_90",
         "--target cuda:sm_86"},
        {"1=512",
         "a stand-in, sm_90 allows 512 threads of a block; the launches were proved for "
         "cuda:sm_90, which has 1024",
         ""},
        {"4=32",
         "a stand-in, sm_90 allows 32 threads along threadIdx.z; the launches were proved for "
         "cuda:sm_90, which has 64",
         ""},
        {"6=100",
         "a stand-in, sm_90 allows 100 blocks along blockIdx.y; the launches were proved for "
         "cuda:sm_90, which has 65535",
         ""},
        {"8=16384",
         "a stand-in, sm_90 allows 16384 bytes of shared memory; the launches were proved for "
         "cuda:sm_90, which has 49152",
         ""},
    };
    const Module m = module();
    for (const Device& d : devices) {
        const Told device("FAKE_CUDA_DEVICE", d.attributes);
        const Result<DeviceRun> got = run(m);
        ASSERT_FALSE(got.ok()) << d.attributes;
        EXPECT_EQ(got.error().message, d.message);
        EXPECT_EQ(got.error().hint, d.hint);
    }
    // A newer device gets PTX; one that has more is as good.
    const Told device("FAKE_CUDA_DEVICE", "75=12:8=101376");
    const Result<DeviceRun> got = run(m);
    ASSERT_TRUE(got.ok()) << got.error().str();
    EXPECT_FALSE(got->finding.has_value()) << *got->finding;
    EXPECT_EQ(got->device, "a stand-in, sm_120");
}

TEST_F(Cuda, SaysThatAKernelNeedsTooManyRegisters) {
    const Told device("FAKE_CUDA_DEVICE", "1000=4");
    const Result<DeviceRun> got = run(module());
    ASSERT_TRUE(got.ok()) << got.error().str();
    EXPECT_NE(got->finding.value_or("").find("runs only 4 threads of a block, not 8"),
              std::string::npos);
}

// Slips in the text show in what comes back: a store outside of a buffer, memory that nobody has
// written, a barrier that only some threads reach.
class CudaText : public Cuda {
  protected:
    std::string seen(const std::string& kernels) {
        const Result<Function> f =
            parse_function(ctx_,
                           "@T.prim_func\ndef f(B: T.Buffer((8,), \"int32\")):\n"
                           "    for b in T.thread_binding(2, thread=\"blockIdx.x\"):\n"
                           "        for t in T.thread_binding(4, thread=\"threadIdx.x\"):\n"
                           "            B[b * 4 + t] = 0\n",
                           "f.py");
        Result<Plan> plan = make_plan(ctx_, *f);
        EXPECT_TRUE(plan.ok()) << plan.error().str();
        Module m{*find_target("cuda"), *std::move(plan), {}, {}};
        m.kernels = "\nPV_KERNEL f_kernel0(i32* B) {\n" + kernels + "}\n";
        const Inputs given = {{"B", Tensor::of(kInt32, {8}, std::vector<double>(8, 0.0))}};
        const auto got = run_on_cuda(m, *f, given, 1, {PROVISO_FAKE_CUDA, PROVISO_FAKE_CUDA});
        EXPECT_TRUE(got.ok()) << got.error().str();
        return got.ok() ? got->finding.value_or("") : "";
    }
};

TEST_F(CudaText, ThatIsRightHasNoFinding) {
    EXPECT_EQ(seen("    B[blockIdx.x * 4 + threadIdx.x] = 7;\n"), "");
}

TEST_F(CudaText, StoresOutsideOfABuffer) {
    EXPECT_NE(seen("    B[blockIdx.x * 4 + threadIdx.x + 1] = 7;\n").find("outside of a buffer"),
              std::string::npos);
}

TEST_F(CudaText, ReadsWhatNobodyHasWritten) {
    EXPECT_NE(seen("    PV_SHARED(i32, tile, 4, 0);\n"
                   "    B[blockIdx.x * 4 + threadIdx.x] = tile[threadIdx.x];\n")
                  .find("differs between as the device likes and as the device likes, in poisoned"),
              std::string::npos);
}

TEST_F(CudaText, DoesNotCompile) {
    const auto out = compile_cuda("undeclared = 1;", "sm_90", CudaArtefact::Ptx, PROVISO_FAKE_CUDA);
    ASSERT_FALSE(out.ok());
    EXPECT_NE(out.error().str().find("undeclared"), std::string::npos) << out.error().str();
}

}  // namespace
}  // namespace proviso::backend::gpu
