// The lines of a derivation's steps, as a log has them.
#pragma once

#include <string>
#include <vector>

#include "ir/function.h"
#include "rewrite/kernel/step.h"

namespace proviso::verify {

// One a step, without the line feeds. Each starts from its own `before`, whatever the step before
// it gave.
std::vector<std::string> step_lines(const ir::Function& source,
                                    const std::vector<rewrite::Step>& steps);

}  // namespace proviso::verify
