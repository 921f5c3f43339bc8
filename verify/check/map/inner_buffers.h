// Buffers that the second program allocates within loops: first as buffers that have a part for
// each iteration, then as copies of these parts.
//
//   for i: B[i] = 2 * A[i] + 1
//       filled         T = alloc; for io, ii: T[io, ii] = 2 * A[io * 8 + ii];  for i: …
//       mapped         …;  for io: for ii: B[io * 8 + ii] = T[io, ii] + 1
//       staged         for io: t = alloc; for ii: t[ii] = 2 * A[io * 8 + ii]; for ii: B[…] = t[ii]
//       + 1
#pragma once

#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"
#include "verify/check/map/temporaries.h"

namespace proviso::verify {

// Whether the program allocates within loops, branches or lists.
bool has_inner_buffers(const ir::Function& f);

// Steps that make the current program the text of `after`, also where no buffer is allocated so.
// False: none were found, and the program may have changed.
bool reach_with_inner_buffers(rewrite::Proposer& p, const ir::Function& after, Temporaries what,
                              std::vector<std::string>& tried);

}  // namespace proviso::verify
