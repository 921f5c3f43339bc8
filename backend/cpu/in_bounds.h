// Whether a program stores to its buffers only. What cannot be shown is compiled with checks where
// nobody has run the program before.
#pragma once

#include "analysis/prover/prover.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::backend {

// Each store of the derivation's current program is proved to be in bounds, under the facts where
// it stands. Only cheap methods are tried.
bool stores_in_bounds(const rewrite::Derivation& derivation, analysis::Prover& prover);

}  // namespace proviso::backend
