// Conditions solved: the bounds of one variable, and what must hold of the others when it is taken
// away. Each answer says in which direction it may differ from the condition, and carries the
// obligations of that direction with the prover's verdicts.
#pragma once

#include <string>
#include <vector>

#include "analysis/solve/isolate.h"
#include "ir/result.h"

namespace proviso::analysis::solve {

struct Solved {
    Direction direction = Direction::Exact;
    std::vector<Case> cases;      // bounds(): what `formula` says of x, case by case
    ir::Expr formula = nullptr;   // bounds(): over x and the others; project(): without x
    std::vector<Checked> checks;  // all of them proved
};

// The exact answer alone, where it was found and proved; else the proved ones of an over- and an
// under-approximation; none: nothing was found. What was tried in vain and why is in `failed`.
struct Solutions {
    std::vector<Solved> answers;
    std::vector<Checked> failed;
    bool exact() const { return answers.size() == 1 && answers[0].direction == Direction::Exact; }
};

// The condition as bounds of x:
//   2 * x + 1 < n          x <= (n - 2) // 2
// `facts` hold throughout and are not repeated. Fails when x is no variable of exact integer type.
Result<Solutions> bounds(Prover& prover, const std::vector<ir::Expr>& facts, ir::Expr x,
                         ir::Expr condition);

// Where is there an x (a value of its type) with the condition? Facts that speak of x are taken
// into the condition.
//   0 <= x and 4 * x <= n and x % 3 == 2      8 <= n
Result<Solutions> project(Prover& prover, const std::vector<ir::Expr>& facts, ir::Expr x,
                          ir::Expr condition);

}  // namespace proviso::analysis::solve
