// Assumptions that the first program has in front of a leaf, and the second one has not: they go
// where the leaf goes, say there what they know, and are dropped then.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "ir/function.h"
#include "rewrite/passes/proposer.h"
#include "verify/check/map/leaves.h"

namespace proviso::verify {

using Carried = std::map<std::size_t, std::vector<Leaf>>;  // by the number of the leaf

// Takes those out of `was`, whose leaves get new numbers. None where `now` has assumptions.
Carried take_carried(std::vector<Leaf>& was, const std::vector<Leaf>& now);

// Has assumptions, outside of what it allocates or not.
bool has_assumptions(const ir::Function& f);
// Steps that drop all of them, or those that are in front of no leaf.
bool drop_assumptions(rewrite::Proposer& p, bool all);

}  // namespace proviso::verify
