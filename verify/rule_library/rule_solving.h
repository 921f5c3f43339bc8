// How the schema of a rule, and a law, are put to one solver: which form of the obligation, in
// which order. What is proved is the same whatever the way: the schema
// (rewrite/expression_rules/schema.h).
//
//   exact integers   with lemmas: products as opaque terms, the lemmas among the facts; then the
//                    prover's ladder; where bits occur, first as bit-vectors (exact_bits.h), and at
//                    last with the bits of a number as the low ones of 64
//   bits and floats  the ladder with a small budget; then in two steps, the equation of the sides
//                    by itself (Z3 turns it into a circuit; also with shifts as products), and the
//                    schema with that among its facts
#pragma once

#include "rewrite/expression_rules/rule_instance.h"
#include "verify/rule_library/rules_verify.h"

namespace proviso::verify {

// With products and divisions of unknowns as opaque terms: what is proved so is proved, nothing is
// refuted so.
bool proved_linearised(ir::Context& ctx, const analysis::Obligation& claim,
                       const RulesVerifyOptions& options, bool z3);

// By Z3, or by cvc5 alone.
analysis::Answer prove_schema(ir::Context& ctx, const rewrite::RuleInstance& rule,
                              const RulesVerifyOptions& options, bool z3);
analysis::Answer prove_law(ir::Context& ctx, const analysis::Obligation& law,
                           const RulesVerifyOptions& options, bool z3);

}  // namespace proviso::verify
