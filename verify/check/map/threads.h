// Loops of the second program that are bound to threads, where the first one has none: serial loops
// on the way, bound in the end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::verify {

bool has_threads(const ir::Function& f);

// Steps that make the current program the text of `after`, by way of a program with serial loops,
// which `reach` makes of it. False: none were found, and the program may have changed.
bool reach_with_threads(rewrite::Proposer& p, const ir::Function& after,
                        const std::function<bool(const ir::Function&)>& reach,
                        std::vector<std::string>& tried);

}  // namespace proviso::verify
