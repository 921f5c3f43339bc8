// Vectorized loops of kernels whose accesses are printed as wide ones.
#pragma once

#include <set>

#include "analysis/prover/prover.h"
#include "backend/gpu/plan/plan.h"

namespace proviso::backend::gpu {

// The vectorized loops of the plan's kernels whose lanes share nothing and are neighbours, as
// proved of the program as it is lowered (rewrite/rules/race_free.h,
// rewrite/derived/loops/wide_access.h): all others are printed as serial loops.
std::set<ir::Stmt> wide_loops(ir::Context& ctx, const Plan& plan, analysis::Prover& prover);

}  // namespace proviso::backend::gpu
