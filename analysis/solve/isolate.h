// A condition taken apart around one variable: cases, each of which bounds it. Only a search: what
// comes out is proved by those who use it.
//
//   2 * x + 1 < n and x // 4 != 3     gives     x <= (n - 2) // 2, x <= 11
//                                     or        x <= (n - 2) // 2, x >= 16
#pragma once

#include "analysis/solve/cases.h"

namespace proviso::analysis::solve {

struct Isolated {
    std::vector<Case> cases;  // their disjunction
    // A part of the condition was not understood and counts as true, or as false.
    bool dropped = false;
};

struct IsolateOptions {
    bool unknown_as = true;    // what a part that is not understood counts as
    bool split_signs = false;  // a symbolic factor whose sign is not known makes three cases
};

// `x` is a variable of exact integer type. `facts` settle signs of symbolic factors, and drop cases
// that contradict them and bounds that others imply.
Isolated isolate(Prover& prover, const std::vector<ir::Expr>& facts, ir::Expr x, ir::Expr condition,
                 const IsolateOptions& options = {});

}  // namespace proviso::analysis::solve
