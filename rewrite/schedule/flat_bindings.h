// Sums in the bindings of blocks as TVM writes them.
#pragma once

#include <string>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// In the bindings and predicates of the blocks in a loop: `a * 32 + (b * 8 + c)` as
// `a * 32 + b * 8 + c`. Form only: what is not proved stays.
void write_bindings_flat(Proposer& p, const std::string& loop);

}  // namespace proviso::rewrite
