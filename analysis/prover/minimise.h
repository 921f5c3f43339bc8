// Counterexamples as people want them: small values first.
#pragma once

#include <vector>

#include "analysis/prover/prover.h"

namespace proviso::analysis {

// Makes the values of a counterexample smaller, one after the other, as long as the facts hold and
// the goal fails when they are evaluated: integers towards 0 and 1, non-negative before negative,
// truth values towards False, floats towards 0.0 and 1.0. In the end no single value can be made
// one smaller, unless the fixed number of tries ran out. A model that leaves something open, so
// that it cannot be evaluated, comes back as it was. The same model gives the same values.
std::vector<ModelValue> minimised(ir::Context& ctx, const Obligation& obligation,
                                  std::vector<ModelValue> model);

}  // namespace proviso::analysis
