// Control flow that has become trivial: which statements `decide-branch` and `drop-empty` are worth
// proposing for.
#pragma once

#include <string>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

struct StructureOptions {
    bool unit_loops = false;    // replace loops of one iteration by their body
    bool drop_assumes = false;  // knowledge may go together with the loop around it
};

bool decided(ir::Stmt s, const StructureOptions& options);
bool without_effect(ir::Stmt s, const StructureOptions& options);
// Simplifies every expression of a statement and of what is below it; gives the number of steps.
std::size_t simplify_expressions(Proposer& p, const ir::Site& below);
// To a fixpoint; gives the number of steps.
std::size_t decide_structure(Proposer& p, const std::string& block,
                             const StructureOptions& options);

}  // namespace proviso::rewrite
