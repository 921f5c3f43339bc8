// Why a step of a simplification was allowed: each of its conditions, the method that proves it,
// and the facts that the proof needs. Found anew, by the prover, for people to read.
#pragma once

#include <string>
#include <vector>

#include "rewrite/simplify/simplifier.h"

namespace proviso::rewrite {

struct Why {
    ir::Expr condition = nullptr;
    std::string by;               // the prover's name for the method; "" when it does not know
    std::vector<ir::Expr> facts;  // none of them can be left out
};

std::vector<Why> explain(analysis::Prover& prover, const RuleApplication& step);

}  // namespace proviso::rewrite
