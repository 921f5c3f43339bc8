// The oracle of the kernel: whatever it accepts must refine the source, on any inputs.
#pragma once

#include <optional>

#include "fuzz/oracle/input_series.h"

namespace proviso::fuzz {

struct RefinementCounts {
    std::uint64_t runs = 0;       // pairs of runs
    std::uint64_t counted = 0;    // of those, where the source had no fault
    std::uint64_t undecided = 0;  // step limits, frozen values, events without an order
};

// Runs both on `runs` made-up inputs (input_series.h): small and adversarial ones, undefined
// padding indeterminate and garbage, concurrent loops in several orders. `signature` of the
// finding: "differs" or "new fault: KIND". `compared` gets the runs on new inputs on which the
// source had no fault.
std::optional<Finding> check_refinement(ir::Context& ctx, const ir::Function& source,
                                        const ir::Function& derived,
                                        const std::map<std::string, CellRange>& ranges, int runs,
                                        std::uint64_t seed, RefinementCounts& counts,
                                        std::uint64_t step_limit = kStepLimit,
                                        InputNumbers* compared = nullptr);

// The same on given inputs.
std::optional<Finding> check_refinement_on(ir::Context& ctx, const ir::Function& source,
                                           const ir::Function& derived, const ir::Inputs& inputs,
                                           const RunSetup& setup, RefinementCounts& counts);

}  // namespace proviso::fuzz
