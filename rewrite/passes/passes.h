// Passes: compositions of kernel steps. Each proposes; none may change a program by itself. `block`
// limits a pass to the stage (outermost statement) that contains the block of that name; empty: the
// whole function.
#pragma once

#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

struct PassResult {
    std::size_t steps = 0;  // accepted
    std::vector<Rejection>
        refused;  // what could not be justified, one an attempt that a user would miss
};

// Simplifies every expression under the facts at its site, then removes control flow that is
// decided by it.
PassResult simplify(Proposer& p, const std::string& block = "");

// Simplifies the conditions of assumes only; gives the number of steps.
std::size_t simplify_assumptions(Proposer& p);

// Removes stores that nobody can tell were there, and statements left without effect.
PassResult remove_no_op(Proposer& p, const std::string& block = "");

// Removes guards where the extra work goes unnoticed (RFC 0077, RemoveBranchingThroughOvercompute).
// `refused` has an entry for every guard that stays.
PassResult remove_branching_through_overcompute(Proposer& p, const std::string& block = "");

// What the back ends need: no blocks, no assumes, no undef, no statement without effect, divisions
// in the machine's form where that is proved.
struct LoweringOptions {
    bool flatten = false;  // every buffer as one row-major dimension, parameters included
};
PassResult lower(Proposer& p, const LoweringOptions& options = {});

}  // namespace proviso::rewrite
