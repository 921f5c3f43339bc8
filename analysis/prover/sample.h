// Counterexamples by trying: about two hundred assignments are evaluated before a solver is asked
// for a model. First small values, then values that heed what the facts say of single cells and
// variables (`0 <= i or A[i] == 0`). Most wrong claims are wrong in such a place.
#pragma once

#include <optional>
#include <vector>

#include "analysis/prover/prover.h"

namespace proviso::analysis {

// Values of the variables and of the cells that were looked at, under which every fact is true and
// the goal false, read as obligation.h says; none where a fixed number of tries finds none, or
// something has no value that can be computed (calls, elementary functions, undef). The same
// obligation gives the same values.
std::optional<std::vector<ModelValue>> sampled_counterexample(ir::Context& ctx,
                                                              const Obligation& obligation);

// There are such values. Looked for longer, and where half of the floats are zero: for claims that
// presume much of what memory holds, such as guesses at what all values of a buffer have in common.
bool refuted_by_trying(ir::Context& ctx, const Obligation& obligation);

}  // namespace proviso::analysis
