// Conditions on remainders solved for one variable: nested quotients and remainders as one, factors
// turned round where they have an inverse, residues one by one where they have none.
//
//   x // 3 % 4 == 2           (x - 6) % 12 <= 2
//   (5 * x + n) % 16 == 3     x % 16 == ((3 - n) * 13) % 16
//   (2 * x + 1) % 8 <= 3      x % 4 == 0 or x % 4 == 1
#pragma once

#include "analysis/solve/cases.h"

namespace proviso::analysis::solve {

// (u - first) % k <= width for k > 0 without x, where first >= 0 or first + width == k - 1; and
// width >= 0, which is among the conditions of what comes out. Null in, not understood.
Cases remainder_within(ir::Context& ctx, ir::Expr x, ir::Expr u, ir::Expr k, ir::Expr first,
                       ir::Expr width);

}  // namespace proviso::analysis::solve
