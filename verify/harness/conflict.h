// Which assumptions of a program contradict each other. Nothing rests on the answer: it is for a
// person who wonders why no run reaches some place.
#pragma once

#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "ir/function.h"

namespace proviso::verify {

// Conditions of the program's assumptions, in the order of the text.
std::vector<ir::Expr> assumed_conditions(const ir::Function& f);

// Numbers (from 0) of conditions of which instances among `facts`, together with what is declared
// of the parameters of `f`, cannot all be true; none can be left out. Empty where there are none:
// the facts contradict each other for another reason, or not at all.
std::vector<std::size_t> conflicting(const ir::Function& f, const std::vector<ir::Expr>& facts,
                                     const std::vector<ir::Expr>& conditions,
                                     analysis::Prover& prover);

}  // namespace proviso::verify
