// A buffer that is updated by what it holds, and copied out in the end: its values are kept where
// they are copied to from the start, and the buffer goes.
//
//   s[0] = 0; for r: s[0] = s[0] + A[r];  B[i] = s[0]      B[i] = 0; for r: B[i] = B[i] + A[r]
//
// In steps, as in the primitive fuse_reduction_epilogue: copies of the last store, under False
// (restate), become stores after each store to the buffer that run, as they are overwritten
// (drop-guard). What reads the buffer reads the copies then (replace, by claims of last writes).
#pragma once

#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::verify {

// False: not possible; the program may have changed.
bool keep_where_copied(rewrite::Proposer& p, ir::Buffer buffer, std::vector<std::string>& tried);

}  // namespace proviso::verify
