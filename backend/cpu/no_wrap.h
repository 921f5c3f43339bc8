// Where `nsw` is allowed: exact integer arithmetic that is proved, under the facts at each place
// where it stands, to stay in its type's range. Everything else is computed wrapping, which is
// right for ring operations (docs/semantics.md, "Values").
#pragma once

#include <set>

#include "analysis/prover/prover.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::backend {

// Ring operations (Add, Sub, Mul, Neg) of the derivation's current program whose value is in range
// at every evaluation: what CpuOptions::no_signed_wrap takes. Only cheap methods are tried; a miss
// costs a flag.
std::set<ir::Expr> proved_no_wrap(const rewrite::Derivation& derivation, analysis::Prover& prover);

}  // namespace proviso::backend
