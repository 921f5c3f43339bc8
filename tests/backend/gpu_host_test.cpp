// Kernels run on this machine: what must be seen to go wrong is seen.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>

#include "backend/gpu/drivers/gpu_host.h"
#include "backend/gpu/drivers/opencl.h"
#include "backend/gpu/text/prelude.h"
#include "ir/text.h"

namespace proviso::backend::gpu {
namespace {

std::string cache_folder() {
    return (std::filesystem::path(PROVISO_BINARY).parent_path() / "gpu-host").string();
}

TEST(Children, GiveWhatTheWorkGives) {
    const ChildResult out = in_child({}, [] { return std::string(200000, 'x'); });
    EXPECT_TRUE(out.finished) << out.death;
    EXPECT_EQ(out.bytes.size(), 200000U);
}

TEST(Children, CrashAlone) {
    const ChildResult out = in_child({}, [] {
        std::raise(SIGKILL);
        return std::string();
    });
    EXPECT_FALSE(out.finished);
    EXPECT_NE(out.death.find("signal 9"), std::string::npos) << out.death;
}

// What waits is stopped by the clock, what computes by the processor time that it takes: on a busy
// machine, too, a program that ends in time does so.
TEST(Children, EndInTime) {
    ChildLimits limits;
    limits.wall_seconds = 1;
    ChildResult out = in_child(limits, []() -> std::string {
        while (true) ::pause();
    });
    EXPECT_FALSE(out.finished);
    EXPECT_EQ(out.death, "stopped after 1 seconds");
    limits = {};
    limits.seconds = 1;
    out = in_child(limits, []() -> std::string {
        for (std::atomic<int> k = 0;;) ++k;
    });
    EXPECT_FALSE(out.finished);
    EXPECT_EQ(out.death, "stopped after 1 seconds of processor time");
}

// One kernel `k` of two blocks of four threads over a buffer of eight int32, from raw text: what
// the printer would never write.
class RawKernels : public testing::Test {
  protected:
    std::string run(const std::string& body, bool barriers) {
        const Result<ir::Function> f =
            ir::parse_function(ctx_,
                               "@T.prim_func\ndef f(B: T.Buffer((8,), \"int32\")):\n"
                               "    for b in T.thread_binding(2, thread=\"blockIdx.x\"):\n"
                               "        for t in T.thread_binding(4, thread=\"threadIdx.x\"):\n"
                               "            B[b * 4 + t] = 0\n",
                               "f.py");
        Result<Plan> plan = make_plan(ctx_, *f);
        EXPECT_TRUE(plan.ok()) << plan.error().str();
        if (barriers) plan->kernels[0].barriers.insert(ir::Site{});
        plan->kernels[0].shared_bytes = 16;
        Module module{*find_target("gpu-host"), *plan, {}, {}};
        module.kernels =
            "\nPV_KERNEL f_kernel0(i32* B) {\n    const int b = PV_BLOCK_X;\n"
            "    const int t = PV_THREAD_X;\n" +
            body + "}\n";
        const ir::Inputs inputs = {
            {"B", ir::Tensor::of(ir::kInt32, {8}, {0, 0, 0, 0, 0, 0, 0, 0})}};
        GpuHostOptions options;
        options.cache = cache_folder();
        options.limits.seconds = 20;
        const Result<DeviceRun> out = run_on_gpu_host(module, *f, inputs, options);
        EXPECT_TRUE(out.ok()) << out.error().str();
        if (!out.ok()) return "";
        if (out->finding) return *out->finding;
        std::string cells;
        for (std::size_t k = 0; k < 8; ++k) {
            cells += out->run.tensors.at("B").at(k).str(ir::kInt32) + " ";
        }
        return cells;
    }

    ir::Context ctx_;
};

TEST_F(RawKernels, RunEveryThreadOfEveryBlock) {
    EXPECT_EQ(run("    B[b * 4 + t] = b * 10 + t;\n", false), "0 1 2 3 10 11 12 13 ");
}

TEST_F(RawKernels, SeeWhatOthersStoredBeforeABarrier) {
    EXPECT_EQ(run("    PV_SHARED(i32, tile, 4, 0);\n    tile[t] = b * 10 + t;\n    PV_BARRIER();\n"
                  "    B[b * 4 + t] = tile[3 - t];\n",
                  true),
              "3 2 1 0 13 12 11 10 ");
}

TEST_F(RawKernels, DependOnTheOrderWithoutTheBarrier) {
    const std::string seen =
        run("    PV_SHARED(i32, tile, 4, 0);\n    tile[t] = b * 10 + t;\n"
            "    B[b * 4 + t] = tile[3 - t];\n",
            true);
    EXPECT_NE(seen.find("depends on the order of threads"), std::string::npos) << seen;
}

TEST_F(RawKernels, ReadPoisonWhereNothingWasStored) {
    EXPECT_EQ(run("    PV_SHARED(i32, tile, 4, 0);\n    B[b * 4 + t] = tile[t];\n", false),
              "-1 -1 -1 -1 -1 -1 -1 -1 ");
}

TEST_F(RawKernels, DivergeAtABarrier) {
    const std::string seen = run("    if (t < 3) PV_BARRIER();\n    B[b * 4 + t] = t;\n", true);
    EXPECT_NE(seen.find("1 threads have finished, 3 wait at the barrier"), std::string::npos)
        << seen;
}

TEST_F(RawKernels, DivergeBetweenBarriers) {
    const std::string seen =
        run("    if (t < 3) {\n        PV_BARRIER();\n    } else {\n        PV_BARRIER();\n    }\n",
            true);
    EXPECT_NE(seen.find("not all threads of a block reach a barrier"), std::string::npos) << seen;
}

TEST_F(RawKernels, StoreOutside) {
    const std::string seen = run("    B[b * 4 + t + 1] = t;\n", false);
    EXPECT_NE(seen.find("stores outside of a buffer"), std::string::npos) << seen;
}

TEST_F(RawKernels, Crash) {
    const std::string seen = run("    if (t == 3) __builtin_trap();\n", false);
    EXPECT_NE(seen.find("killed by signal"), std::string::npos) << seen;
}

TEST(GpuHost, KeepsWhatItCompiledByContent) {
    const std::string source = prelude(Language::Host, {}) + "\n// of this test\n";
    const Result<std::string> first = compile_for_host(source, cache_folder());
    ASSERT_TRUE(first.ok()) << first.error().str();
    const auto made = std::filesystem::last_write_time(*first);
    const Result<std::string> second = compile_for_host(source, cache_folder());
    EXPECT_EQ(*first, *second);
    EXPECT_EQ(std::filesystem::last_write_time(*second), made);
    EXPECT_NE(*compile_for_host(source + "\n", cache_folder()), *first);
}

TEST(GpuHost, SaysWhatTheCompilerSaid) {
    const Result<std::string> out = compile_for_host("no C++ at all", cache_folder());
    ASSERT_FALSE(out.ok());
    EXPECT_NE(out.error().str().find("error"), std::string::npos) << out.error().str();
}

}  // namespace
}  // namespace proviso::backend::gpu
