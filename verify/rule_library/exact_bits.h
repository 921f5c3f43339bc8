// Rules about the bits of exact integers, proved in bit-vectors (analysis/smt/bit_vectors.h).
#pragma once

#include "rewrite/expression_rules/rule_instance.h"
#include "verify/rule_library/rules_verify.h"

namespace proviso::verify {

// The schema of a rule for exact integers, in steps of which each is given to the solver:
//   1. the left side's faults bound every term
//   2. the conditions on values ⊢ the sides agree, in bit-vectors; where a constant is a power of
//      two, a mask of low bits or a shift count by its conditions (which is proved), once for each
//   3. the schema, with 2 among its facts
// Enough for a proof, not necessary: nothing is refuted so.
bool proved_by_exact_bits(ir::Context& ctx, const rewrite::RuleInstance& rule,
                          const RulesVerifyOptions& options, bool z3);

}  // namespace proviso::verify
