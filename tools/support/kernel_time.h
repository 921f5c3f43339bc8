// How long a compiled function takes on this machine: what `proviso graph --measure` compares.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/prover/prover.h"
#include "backend/cpu/jit.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::tools {

// How often a function runs: so many samples at least, then until they took so long together. A
// sample is one call, or as many as take `kShortestSample`.
struct TimingLimits {
    int least_samples = 5;
    int most_samples = 500;
    std::int64_t nanoseconds = 20'000'000;
};
inline constexpr std::int64_t kShortestSample = 2'000;  // nanoseconds

// Nanoseconds of one call, without the checks of its arguments; rounded up, so never 0.
struct KernelTime {
    std::int64_t fastest = 0;
    std::int64_t median = 0;
    int samples = 0;
};

// Runs `f`, which the module was compiled from, on memory of its own: numbers from -1 to 1 in
// float32 and float64, zeros of other types. The thread stays on one core, but for a function with
// parallel loops.
// Fails where a size is not constant, there are scalar parameters, or a run stops.
Result<KernelTime> kernel_time(const backend::CpuModule& module, const ir::Function& f,
                               const TimingLimits& limits = {});

// What the derivation has come to, lowered (which adds its steps) and compiled for `cpu` (empty:
// the CPU that libraries are for).
Result<backend::CpuModule> compiled(rewrite::Derivation& derivation, analysis::Prover& prover,
                                    const std::string& cpu = "");

// The time of that.
Result<KernelTime> kernel_time(rewrite::Derivation& derivation, analysis::Prover& prover,
                               const std::string& cpu = "", const TimingLimits& limits = {});

// The same for a function with a schedule; fails where that is refused.
Result<KernelTime> kernel_time(const ir::Function& f, const std::string& schedule,
                               analysis::Prover& prover, const std::string& cpu = "",
                               const TimingLimits& limits = {});

}  // namespace proviso::tools
