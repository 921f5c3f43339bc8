// Mutants that a solver does not decide at once: a guard that was not needed, the other family of
// divisions under a remainder, a product of constants.
//
// A right one is proved as rules are, case by case of the signs of what is divided by, with lemmas
// that a person would try (mutant_lemmas.h). Where the rule itself applies nothing is left to show.
// A wrong one is refuted at values of its constants: with these it is linear.
#pragma once

#include <optional>

#include "verify/rule_library/rule_mutants.h"
#include "verify/rule_library/rule_samples.h"
#include "verify/rule_library/rules_verify.h"

namespace proviso::verify {

// The mutant of `rule` is right, by Z3 within the limits of `options` for each attempt. False: not
// known.
bool proved_by_cases(ir::Context& ctx, const rewrite::RuleInstance& rule, const RuleMutant& mutant,
                     const RulesVerifyOptions& options);

// A counterexample to the mutant at the values that one of a few samples has for its constants.
struct RefutedAtConstants {
    std::string at;     // the mutant with these constants
    NamedValues model;  // of its schema
    std::string by;
    bool replayed = false;
};
std::optional<RefutedAtConstants> refuted_at_constants(ir::Context& ctx, const RuleMutant& mutant,
                                                       RuleSampler& sampler,
                                                       const RulesVerifyOptions& options);

// What `where` and `needs` claim, as mathematics over the pattern variables.
std::vector<ir::Expr> conditions_of(ir::Context& ctx, const rewrite::RuleInstance& rule);

}  // namespace proviso::verify
