// Fourier-Motzkin elimination with integer rounding, on few and small constraints. Sound, and
// complete over the rationals within its budget; see Schrijver, Theory of Linear and Integer
// Programming, 12.2.
#pragma once

#include <vector>

#include "analysis/cheap/atoms.h"

namespace proviso::analysis::cheap {

// Whether no integers satisfy all `constraints` (each >= 0) and the atoms' bounds. False when it
// does not know.
bool infeasible(std::vector<Form> constraints, const BoundsOf& bounds);

// What constraints say of multiples: 8 * p + t >= 8 * q with t <= 7 gives p >= q, which elimination
// in another order than t first would lose.
void add_rounded(const BoundsOf& bounds, std::vector<Form>& constraints);

}  // namespace proviso::analysis::cheap
