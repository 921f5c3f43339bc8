// The loops of conversion code: an index that a layout takes apart, `i // 8` and `i % 8`, becomes
// two loops over whole groups of 8 and loops over the rest, so that no cell needs a division or a
// guard, and neighbours are copied together. Only proposes: each step is proved, and one that is
// refused is left out.
#pragma once

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

void copy_in_runs(Proposer& p);

}  // namespace proviso::rewrite
