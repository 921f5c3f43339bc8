// The oracle of the CPU back end: compiled code gives bit for bit what the interpreter gives.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/oracle/input_series.h"

namespace proviso::fuzz {

struct CpuCounts {
    std::uint64_t compiled = 0;
    std::uint64_t refused = 0;  // programs that the code generator does not take
    std::uint64_t runs = 0;     // where the interpreter saw no fault
};

// `lowered`: what lowering made of a program. Every NaN is one value; cells that the interpreter
// leaves indeterminate may hold anything. `signature`: "differs", "ending differs". The inputs are
// those of check_refinement with the same seed; `ran` gets the runs on new ones that counted.
std::optional<Finding> check_cpu(ir::Context& ctx, const ir::Function& source,
                                 const ir::Function& lowered,
                                 const std::map<std::string, CellRange>& ranges, int runs,
                                 std::uint64_t seed, bool optimise, CpuCounts& counts,
                                 InputNumbers* ran = nullptr);

struct CpuRun {
    ir::Inputs inputs;
    RunSetup setup;
};
// Compiled once, as the first run says.
std::optional<Finding> check_cpu_on(ir::Context& ctx, const ir::Function& lowered,
                                    const std::vector<CpuRun>& runs, CpuCounts& counts);
std::optional<Finding> check_cpu_on(ir::Context& ctx, const ir::Function& lowered,
                                    const ir::Inputs& inputs, const RunSetup& setup,
                                    CpuCounts& counts);

}  // namespace proviso::fuzz
