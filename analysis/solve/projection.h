// One case projected: what must hold of the other variables for there to be an x in it, and values
// of x that show it. A search, like the cases themselves: who uses it proves what it says.
//
//   n <= x and x <= m and x % 4 == 3        n + (3 - n) % 4 <= m, x = n + (3 - n) % 4
#pragma once

#include <vector>

#include "analysis/solve/cases.h"

namespace proviso::analysis::solve {

struct ProjectedCase {
    ir::Expr formula = nullptr;       // without x
    std::vector<ir::Expr> witnesses;  // values of x, the one that reads best first
};

// x is a value of its type, which is added to the case where its bounds do not say it. Two windows
// that cannot be made one leave a formula that is necessary only.
ProjectedCase projected(Prover& prover, const std::vector<ir::Expr>& facts, ir::Expr x,
                        const Case& c);

}  // namespace proviso::analysis::solve
