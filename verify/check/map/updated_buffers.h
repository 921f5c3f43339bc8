// Buffers of the second program that are updated by what they hold, sums for the most part, where
// the first program keeps such values elsewhere: in the cell that they are copied to in the end, or
// in a buffer that has them for all iterations.
//
//   for i: B[i] = 0; for r: B[i] = B[i] + A[i, r]
//       staged       for i: s = alloc; s[0] = 0; for r: s[0] = s[0] + A[i, r]; B[i] = s[0]
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::verify {

// Steps that make the current program the text of `after`, by way of a program without one such
// buffer, which `reach` makes of it. False: none were found, and the program may have changed; with
// `any` false there is no such buffer.
bool reach_with_updated_buffers(rewrite::Proposer& p, const ir::Function& after,
                                const std::function<bool(const ir::Function&)>& reach, bool& any,
                                std::vector<std::string>& tried);

}  // namespace proviso::verify
