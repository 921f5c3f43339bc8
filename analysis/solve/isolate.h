// A condition taken apart around one variable: cases, each of which bounds it. Only a search: what
// comes out is proved by those who use it.
//
//   2 * x + 1 < n and x // 4 != 3     gives     x <= (n - 2) // 2, x <= 11
//                                     or        x <= (n - 2) // 2, x >= 16
#pragma once

#include <optional>
#include <vector>

#include "analysis/solve/checked.h"

namespace proviso::analysis::solve {

// lower <= x and x <= upper for all of them, x = remainder modulo `modulus`, and what the other
// variables must satisfy.
struct Case {
    std::vector<ir::Expr> lowers;
    std::vector<ir::Expr> uppers;
    ir::Expr modulus = nullptr;    // a positive constant, or none
    ir::Expr remainder = nullptr;  // without x
    std::vector<ir::Expr> others;  // conditions without x

    // As one condition.
    ir::Expr formula(ir::Context& ctx, ir::Expr x) const;
};

struct Isolated {
    std::vector<Case> cases;  // their disjunction
    // A part of the condition was not understood and counts as true, or as false.
    bool dropped = false;
};

// `x` is a variable of exact integer type. `unknown_as`: what a part that is not understood counts
// as. `facts` settle signs of symbolic factors, and drop cases that contradict them and bounds that
// others imply.
Isolated isolate(Prover& prover, const std::vector<ir::Expr>& facts, ir::Expr x, ir::Expr condition,
                 bool unknown_as);

}  // namespace proviso::analysis::solve
