// Vectorized loops of kernels whose accesses are printed as wide ones.
#pragma once

#include <set>

#include "analysis/prover.h"
#include "backend/gpu/plan.h"

namespace proviso::backend::gpu {

// The vectorized loops of the plan's kernels of which lanes_are_neighbours
// (rewrite/rules/wide_access.h) is proved, in the program as it is lowered: all others are printed
// as serial loops.
std::set<ir::Stmt> wide_loops(ir::Context& ctx, const Plan& plan, analysis::Prover& prover);

}  // namespace proviso::backend::gpu
