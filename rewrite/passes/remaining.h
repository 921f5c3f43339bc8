// What a program still has, and why: each branch, choice, store and division is tried once more,
// and the most telling refusal is kept. Reasons for people: nothing here is trusted or changes the
// program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rewrite/passes/passes.h"

namespace proviso::rewrite {

struct Remaining {
    std::string kind;                    // branch, choice, store, division
    ir::Site site;                       // of the current program
    std::string text;                    // "if i < 27", "B[i] = A[i]", "i // n"
    std::string why;                     // one sentence
    std::optional<Rejection> rejection;  // the attempt that failed; absent where none applies
    std::string hint;                    // what would remove it, where no obligation says so
};

// In the order of the program. Leaves the derivation as it is.
std::vector<Remaining> remaining(Proposer& p);
// The first branch or choice of these in the stage of the block, or in the function where that is
// empty: no other one is tried.
std::optional<Remaining> first_branch_that_remains(Proposer& p, const std::string& block);

}  // namespace proviso::rewrite
