// Generated programs on blocks and threads, against the interpreter and everything else that can
// run them; and planted slips, which the oracle must see.
#include <gtest/gtest.h>

#include <filesystem>

#include "backend/gpu/drivers/oclgrind.h"
#include "fuzz/campaign/failure_files.h"
#include "fuzz/campaign/gpu_campaign.h"
#include "fuzz/campaign/reproduce.h"
#include "fuzz/gen/shrink.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::fuzz {
namespace {

GpuCampaign campaign(std::uint64_t cases, std::uint64_t host_every) {
    GpuCampaign out;
    out.cases = cases;
    out.seed = 5;
    out.host_every = host_every;
    out.stop_at_first = true;
    return out;
}

std::string told(const GpuReport& report) {
    std::string out = report.line() + "\n" + report.table();
    for (const auto& [kind, n] : report.kinds) out += kind + "\n";
    return out;
}

TEST(GpuOracle, FindsNothingInGeneratedPrograms) {
    GpuCampaign o = campaign(32, 8);
    o.proviso = PROVISO_BINARY;
    const Result<GpuReport> report = run_gpu_campaign(o);
    ASSERT_TRUE(report.ok()) << report.error().str();
    EXPECT_EQ(report->findings(), 0U) << told(*report);
    const GpuCounts& counts = report->counts;
    EXPECT_GT(counts.bound, 5U) << told(*report);
    EXPECT_GT(counts.not_bound, 0U) << told(*report);
    EXPECT_GT(counts.compiled, 12U) << told(*report);
    EXPECT_GT(counts.racy, 0U) << told(*report);
    EXPECT_GT(counts.fewer, 0U) << told(*report);
    EXPECT_GT(counts.tiers.at("interpreter").runs, 30U) << told(*report);
    EXPECT_GT(counts.tiers.at("cpu").runs, 30U) << told(*report);
    EXPECT_GT(counts.tiers.at("gpu-host").runs, 3U) << told(*report);
    EXPECT_EQ(counts.tiers.at("nvptx-host").runs, counts.tiers.at("gpu-host").runs);
    EXPECT_GT(report->scheduled, 3U) << told(*report);
    ASSERT_EQ(report->by_primitive.count("bind"), 1U) << told(*report);
    EXPECT_GT(report->by_primitive.at("bind").effective(), 10U) << told(*report);
    for (const char* shape : {"shared", "loop of phases", "registers", "symbolic"}) {
        ASSERT_EQ(report->features.count(shape), 1U) << shape;
        EXPECT_GT(report->features.at(shape).kernels, 0U) << shape;
    }
}

// Where there is a CUDA device, every program runs on it; here a stand-in (tests/fake_cuda).
TEST(GpuOracle, RunsEveryProgramOnACudaDevice) {
    GpuCampaign o = campaign(8, 1000);
    o.first = 1;  // the case that every tier runs is left out
    o.opencl_every = 1000;
    o.runs = 1;
    o.cuda = {PROVISO_FAKE_CUDA, PROVISO_FAKE_CUDA};
    Result<GpuReport> report = run_gpu_campaign(o);
    ASSERT_TRUE(report.ok()) << report.error().str();
    EXPECT_EQ(report->findings(), 0U) << told(*report);
    EXPECT_GT(report->counts.tiers["cuda"].runs, 2U) << told(*report);
    ir::planted_fault() = "gpu:wrong-thread";
    o.cases = 40;
    Result<GpuReport> wrong = run_gpu_campaign(o);
    ir::planted_fault().clear();
    EXPECT_EQ(wrong->counts.tiers["cuda"].findings, 1U) << told(*wrong);
}

TEST(GpuOracle, IsAFunctionOfSeedAndCase) {
    GpuCampaign o = campaign(4, 1000);
    const Result<GpuReport> all = run_gpu_campaign(o);
    o.first = 2;
    o.cases = 2;
    const Result<GpuReport> second = run_gpu_campaign(o);
    o.first = 0;
    const Result<GpuReport> first = run_gpu_campaign(o);
    EXPECT_EQ(first->counts.compiled + second->counts.compiled, all->counts.compiled);
    EXPECT_EQ(first->counts.barriers + second->counts.barriers, all->counts.barriers);
}

// With a slip in the text or in what is proved, one of the tiers raises the alarm.
TEST(GpuOracle, SeesPlantedSlips) {
    for (const char* fault : {"gpu:wrong-thread", "gpu:no-barrier", "gpu:wrong-scope"}) {
        GpuCampaign o = campaign(40, 1);
        o.opencl_every = 1000;
        o.runs = 1;
        ir::planted_fault() = fault;
        const Result<GpuReport> report = run_gpu_campaign(o);
        ir::planted_fault().clear();
        EXPECT_GT(report->findings(), 0U) << fault << "\n" << told(*report);
    }
}

// A failure is made small, written, and seen again from its folder; gone with what caused it.
TEST(GpuOracle, FailuresAreMadeSmallAndReproduce) {
    const std::string out =
        (std::filesystem::path(PROVISO_BINARY).parent_path() / "gpu-small").string();
    GpuCampaign o = campaign(40, 1);
    o.opencl_every = 1000;
    o.runs = 1;
    o.out = out;
    ir::planted_fault() = "gpu:wrong-thread";
    const Result<GpuReport> report = run_gpu_campaign(o);
    ASSERT_TRUE(report.ok()) << report.error().str();
    ASSERT_EQ(report->folders.size(), 1U) << told(*report);
    ir::Context ctx;
    const Result<Failure> failure = read_failure(ctx, report->folders[0]);
    ASSERT_TRUE(failure.ok()) << failure.error().str();
    EXPECT_TRUE(failure->steps.empty());
    EXPECT_LE(size_of(failure->source).nodes, 24U) << ir::print(failure->source);
    const Result<Reproduction> again = reproduce(report->folders[0]);
    ir::planted_fault().clear();
    ASSERT_TRUE(again.ok()) << again.error().str();
    EXPECT_TRUE(again->reproduced) << again->text;
    const Result<Reproduction> mended = reproduce(report->folders[0]);
    ASSERT_TRUE(mended.ok()) << mended.error().str();
    EXPECT_FALSE(mended->reproduced) << mended->text;
    std::filesystem::remove_all(out);
}

}  // namespace
}  // namespace proviso::fuzz
