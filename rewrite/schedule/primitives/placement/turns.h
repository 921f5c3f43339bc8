// In which iteration of the loops around its place a part of a stage has its turn: with compute_at
// the first one that reads a cell, with reverse_compute_at the last one that computes what is read.
// A guess: the rule compute-at proves it.
//
//   parts [i, i + 3)               x is computed in iteration max(x - 2, 0)
//   parts [i // 2, i // 2 + 2)     2 * (x - 1), or 0
//   cells i // 6, i % 6            6 * x + y
#pragma once

#include <utility>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// A loop of the stage, which walks one dimension of its result.
struct Dimension {
    ir::For loop;
    ir::Expr low = nullptr;  // of the loop's variable in one part, over the loops around the place
    ir::Expr extent = nullptr;
};

struct Placed {
    ir::Site nest;  // of the stage
    ir::Site loop;  // that it goes to
    bool reverse = false;
    std::vector<ir::For> around;  // loops from their common list to the place, its own last
    std::vector<Dimension> dims;
};

struct Turns {
    ir::Substitution owner;  // a loop around the place -> over the loops of the stage
    // Of a loop whose parts overlap: so many cells of a part are those of the iteration before.
    ir::Substitution windows;
};

Result<Turns> find_turns(Proposer& p, const Placed& placed);

}  // namespace proviso::rewrite
