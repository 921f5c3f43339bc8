// Buffers of the second program that keep the last few of what comes one after another, each in the
// place of the oldest: on the way one with a place for each.
//
//   t[i % 2] = …; B[i] = t[i % 2] + t[(i - 1) % 2]   by way of   t[i] = …; B[i] = t[i] + t[i - 1]
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::verify {

bool has_rolling_buffers(const ir::Function& f);

// Steps that make the current program the text of `after`, by way of a program in which one such
// buffer is longer, which `reach` makes of it. False: none were found, and the program may have
// changed; with `any` false there is none whose length is known.
bool reach_with_rolling_buffers(rewrite::Proposer& p, const ir::Function& after,
                                const std::function<bool(const ir::Function&)>& reach, bool& any,
                                std::vector<std::string>& tried);

}  // namespace proviso::verify
