// The positive control of Oclgrind: on a kernel's text that races it complains, and on the same
// text with its barrier it does not. What it says of our kernels means something only then.
#include "backend/gpu/drivers/oclgrind.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "backend/gpu/drivers/opencl.h"
#include "ir/text.h"

namespace proviso::backend::gpu {
namespace {

// A block of eight threads on a text that the printer would not write. Run in a process of its own,
// with Oclgrind around it.
void run_raw(const std::string& body) {
    ir::Context ctx;
    const Result<ir::Function> f =
        ir::parse_function(ctx,
                           "@T.prim_func\ndef f(B: T.Buffer((8,), \"int32\")):\n"
                           "    for t in T.thread_binding(8, thread=\"threadIdx.x\"):\n"
                           "        B[t] = 0\n",
                           "f.py");
    const Result<Plan> plan = make_plan(ctx, *f);
    ASSERT_TRUE(plan.ok()) << plan.error().str();
    Module module{*find_target("opencl"), *plan, {}, {}};
    module.kernels =
        "\nPV_KERNEL f_kernel0(PV_GLOBAL i32* B) {\n    PV_SHARED(i32, tile, 8, 0);\n"
        "    const i32 t = (i32)PV_THREAD_X;\n" +
        body + "}\n";
    const ir::Inputs inputs = {{"B", ir::Tensor::of(ir::kInt32, {8}, {0, 0, 0, 0, 0, 0, 0, 0})}};
    const Result<DeviceRun> out = run_on_opencl(module, *f, inputs);
    ASSERT_TRUE(out.ok()) << out.error().str();
    EXPECT_FALSE(out->finding.has_value()) << *out->finding;
}

TEST(InOclgrind, DISABLED_Race) {
    run_raw("    tile[t] = t;\n    B[t] = tile[7 - t];\n");
}
TEST(InOclgrind, DISABLED_Barrier) {
    run_raw("    tile[t] = t;\n    PV_BARRIER();\n    B[t] = tile[7 - t];\n");
}
TEST(InOclgrind, DISABLED_Unwritten) {
    run_raw("    if (t < 4) tile[t] = t;\n    PV_BARRIER();\n    if (tile[t] > 2) B[t] = 1;\n");
}

Result<std::string> what_it_says(const std::string& test, bool uninitialised) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    return under_oclgrind(
        {self, "--gtest_also_run_disabled_tests", "--gtest_filter=InOclgrind.DISABLED_" + test},
        uninitialised);
}

TEST(Oclgrind, ComplainsOfARace) {
    if (!has_oclgrind()) GTEST_SKIP() << "there is no oclgrind here";
    const Result<std::string> said = what_it_says("Race", false);
    ASSERT_TRUE(said.ok()) << said.error().str();
    EXPECT_NE(said->find("data race"), std::string::npos) << *said;
}

TEST(Oclgrind, HasNothingToSayOfTheSameWithABarrier) {
    if (!has_oclgrind()) GTEST_SKIP() << "there is no oclgrind here";
    const Result<std::string> said = what_it_says("Barrier", true);
    ASSERT_TRUE(said.ok()) << said.error().str();
    EXPECT_EQ(*said, "");
}

TEST(Oclgrind, ComplainsOfWhatNobodyWrote) {
    if (!has_oclgrind()) GTEST_SKIP() << "there is no oclgrind here";
    const Result<std::string> said = what_it_says("Unwritten", true);
    ASSERT_TRUE(said.ok()) << said.error().str();
    EXPECT_NE(said->find("ninitialized"), std::string::npos) << *said;
}

}  // namespace
}  // namespace proviso::backend::gpu
