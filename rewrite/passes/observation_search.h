// Which earlier statements may tell something of what an expression depends on: they divided by it,
// used it as an index, stored it plus one. For claims of the kind "observed".
#pragma once

#include <vector>

#include "analysis/prover/prover.h"
#include "ir/site.h"

namespace proviso::rewrite {

// A statement at an iteration, over the variables in scope where it is asked for.
struct Observation {
    ir::Site statement;
    ir::Substitution at;
    std::vector<ir::Buffer> reads;  // what it evaluated was read from these
};

// Of the statements around the one at `site` and a few before it, the nearest first: those that
// evaluate something which faults for some value of a scalar parameter, or of a cell, that `e`
// mentions. At most a handful.
std::vector<Observation> observations_of(ir::Context& ctx, const ir::Function& f,
                                         analysis::Prover& prover, ir::Expr e,
                                         const ir::Site& site);

}  // namespace proviso::rewrite
