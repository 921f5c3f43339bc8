// proviso graph --measure: how long variants and conversions take on this machine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "rewrite/graph/decision.h"

namespace proviso::tools {

struct Measured {
    rewrite::CostFile costs;
    std::vector<std::string> untimed;  // what has no entry, and why
};
// Each candidate of each kind, and each conversion that a decision may need, lowered, compiled for
// `cpu` (support/kernel_time.h) and run by itself: the fastest of some runs, in nanoseconds.
// `progress` is told what has been measured.
Measured measured(ir::Context& ctx, const rewrite::Network& network,
                  const rewrite::GraphChoices& choices, analysis::Prover& prover,
                  const std::string& cpu,
                  const std::function<void(const std::string& what)>& progress);

// The file that says so.
std::string costs_text(const rewrite::CostFile& costs);

}  // namespace proviso::tools
