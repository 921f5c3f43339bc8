// Guesses at the lemmas that a proof of a mutant needs: instances of laws
// (rewrite/expression_rules/laws.h), true whatever their terms, so that a bad guess costs time and
// nothing else.
#pragma once

#include "verify/rule_library/rule_mutants.h"

namespace proviso::verify {

// The patterns of a mutant and of its rule: where divisions and products are looked for.
struct MutantParts {
    const rewrite::RuleInstance& rule;
    const rewrite::RuleInstance& mutant;
    std::vector<ir::Expr> patterns;
    std::vector<ir::Expr> divisors;   // variables that are divided by, in order of occurrence
    std::vector<ir::Expr> truncated;  // divisions that round toward zero

    MutantParts(const rewrite::RuleInstance& rule, const rewrite::RuleInstance& mutant);
};

// Sets of lemmas, to be tried in this order, for the case that the variables `negative` are below
// zero: the rule's own; with what the laws say of the divisions that occur; the rule's for negated
// terms; both and more; the same spelled otherwise.
struct LemmaSet {
    std::vector<rewrite::LawUse> lemmas;
    bool signs_outside = true;  // the claim is to be put with_signs_outside
};
std::vector<LemmaSet> lemma_sets(ir::Context& ctx, const MutantParts& parts,
                                 const std::vector<ir::Expr>& negative);

// The term with the signs of factors outside of products, and of exact quotients of constants: the
// same integer where quotients are exact.
ir::Expr with_signs_outside(ir::Context& ctx, ir::Expr e, bool exact_quotients);

}  // namespace proviso::verify
