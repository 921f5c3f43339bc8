// A campaign of GPU programs: generated with their loops bound, or generated without and bound
// where the kernel allows it; each asked of the oracle in fuzz/oracle/gpu.h, in tiers by cost. Case
// k of seed s is a function of s and k alone.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fuzz/campaign/failure.h"
#include "fuzz/campaign/summary.h"
#include "fuzz/oracle/gpu.h"

namespace proviso::fuzz {

// Programs that have something in them: a barrier, a tail. One that is made and never accepted
// tests nothing.
struct GpuFeature {
    std::uint64_t made = 0;
    std::uint64_t kernels = 0;  // of those, with kernels that were proved and run
    double share() const;       // in percent
};

struct GpuReport {
    std::uint64_t seed = 0;
    std::uint64_t cases = 0;
    std::uint64_t written_bound = 0;  // loops bound in their text
    std::uint64_t scheduled = 0;      // by a schedule; the others were bound where it was possible
    std::uint64_t schedules_refused = 0;  // of those, ended by a refusal
    PrimitiveTable by_primitive;
    GpuCounts counts;
    std::uint64_t not_lowered = 0;
    std::map<std::string, GpuFeature> features;
    std::map<std::string, std::uint64_t> kinds;  // findings by "oracle: signature"
    std::vector<std::string> folders;            // of findings that were written
    double seconds = 0;                          // of this run; no part of what is compared

    std::uint64_t findings() const;
    nlohmann::json json() const;
    // "1000 GPU programs, 812 with kernels, 0 findings, 21 a second"
    std::string line() const;
    // What ran, by tier; then what programs were made of, and how many of them had kernels.
    std::string table() const;
    std::string features_table() const;
    std::string primitives_table() const { return table_of(by_primitive); }
    std::vector<std::string> never_accepted() const;  // features, by name
};

struct GpuCampaign {
    std::uint64_t cases = 1000;
    std::uint64_t first = 0;
    std::uint64_t seed = 1;
    double seconds = 0;   // stop after about so long; 0: never
    std::string out;      // folder for failures and gpu.json; empty: nothing is written
    std::string proviso;  // the program, for Oclgrind; empty: it is not asked
    backend::gpu::CudaLibraries cuda;  // where there is a device, every case runs on it
    std::uint64_t host_every =
        8;  // of so many cases one runs on this machine and is compiled by NVRTC
    std::uint64_t opencl_every = 64;  // of so many cases one runs through OpenCL and Oclgrind
    int runs = 3;
    int shrink_budget = 400;  // how often a failure that is written is asked about to make it small
    bool stop_at_first = false;
    // Whether a failure is made smaller and told; null: two of each kind are.
    std::function<bool(const Failure&, ir::Context&, analysis::Prover&)> wanted;
    // Called with failures instead of writing them, and the number of their cases.
    std::function<Status(const Failure&, std::uint64_t, ir::Context&, analysis::Prover&)> found;
    std::function<void(const GpuReport&)> progress;  // called after each case
};

// Fails when `out` cannot be written.
Result<GpuReport> run_gpu_campaign(const GpuCampaign& options);

}  // namespace proviso::fuzz
