// What would make a refused step hold, in words: the reverse of the obligation that failed.
#pragma once

#include <string>

#include "analysis/prover/prover.h"
#include "ir/context.h"
#include "ir/domains/value.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::rewrite {

// One sentence; empty when there is nothing better to say than the obligation itself. `seen`: the
// fault that a run of the refused program ended in, if one did.
std::string advice(ir::Context& ctx, const Rejection& rejection, const ir::Function& current,
                   ir::FaultKind seen = ir::FaultKind::None);

// The values of a counterexample: "i = 4, A[0, 3] = -0.0"; empty without one.
std::string model_text(const std::vector<analysis::ModelValue>& model);

}  // namespace proviso::rewrite
