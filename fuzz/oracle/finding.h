// What an oracle reports: something that must never happen, with all that is needed to see it
// again.
#pragma once

#include <cstdint>
#include <string>

#include "fuzz/gen/inputs.h"
#include "verify/harness/compare.h"

namespace proviso::fuzz {

// How a program was run.
struct RunSetup {
    InputStyle style = InputStyle::Small;
    verify::OpenCells open = verify::OpenCells::Indet;
    ir::IterationOrder order = ir::IterationOrder::Forward;
    std::uint64_t seed = 0;    // of garbage, frozen values, the shuffled order
    bool optimise = false;     // CPU: O2 rather than O0
    std::uint64_t series = 0;  // seed of the inputs; CPU: chooses what fresh allocations hold
    std::uint64_t number = 0;  // of the inputs in their series
};

struct Finding {
    // "refinement", "cpu", "round-trip", "encoder", "domains", "rules", "monotone", "validation",
    // "adapters", "gpu/…" with the name of a tier (oracle/gpu.h)
    std::string oracle;
    std::string signature;  // what stays the same while the finding is made smaller
    std::string detail;     // values, in words
    ir::Inputs inputs;      // as the source's caller gives them
    RunSetup setup;
};

// Interpreter runs are cut short after this many nodes.
inline constexpr std::uint64_t kStepLimit = 2'000'000;

}  // namespace proviso::fuzz
