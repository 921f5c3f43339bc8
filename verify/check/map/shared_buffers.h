// Buffers of the second program that hold one thing after another, or several side by side, such as
// a workspace: each of them has a buffer of its own on the way.
//
//   w[i] = …; … = w[i]; w[j] = …; … = w[j]       by way of    w[i] = …; … = w[i]; u[j] = …; … =
//   u[j] w[i] = …; w[n + j] = …; … = w[k] + w[n + k]               w[i] = …; u[j] = …; … = w[k] +
//   u[k]
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::verify {

bool has_shared_buffers(analysis::Prover& prover, const ir::Function& f);

// Steps that make the current program the text of `after`, by way of a program in which one such
// buffer is several, which `reach` makes of it. False: none were found, and the program may have
// changed; with `any` false there is no such buffer.
bool reach_with_shared_buffers(rewrite::Proposer& p, const ir::Function& after,
                               const std::function<bool(const ir::Function&)>& reach, bool& any,
                               std::vector<std::string>& tried);

}  // namespace proviso::verify
