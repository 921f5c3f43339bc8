// Chains of inequalities. A constraint P - N + c >= 0, with P and N sums of terms with positive
// factors, is an edge N <= P + c between two sums; a cycle of negative length is a contradiction.
// So  a < b, b < 8 * i + j, 8 * i + j <= n  refute  n <= a,  however long the chain.
#pragma once

#include <vector>

#include "analysis/cheap/linear_form.h"

namespace proviso::analysis::cheap {

// Whether a cycle of negative length goes through one of the `fresh` constraints (each >= 0). Time
// and memory near-linear in the constraints; false when the search becomes longer than that.
bool contradictory_differences(const std::vector<Form>& constraints,
                               const std::vector<char>& fresh);

}  // namespace proviso::analysis::cheap
