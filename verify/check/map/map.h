// One text by another one, in steps: which leaf is which, at which instances, what is spelled in
// another way, and guards that are not needed.
//
//   for i in range(n): B[i] = A[i] * 2
//       restate      for io, ii: if io * 8 + ii < n: B[io * 8 + ii] = A[io * 8 + ii] * 2
//       replace      …                               B[io * 8 + ii] = 2 * A[ii + io * 8]
//
// Everything here is guessed; the kernel takes each step or refuses it.
#pragma once

#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::verify {

// Steps that put `target` in the place of the statement at `root`. False: none were found, and
// nothing has changed; `tried` has a line for each attempt, with what the kernel did not accept.
bool map_onto(rewrite::Proposer& p, const ir::Site& root, ir::Stmt target,
              std::vector<std::string>& tried);

}  // namespace proviso::verify
