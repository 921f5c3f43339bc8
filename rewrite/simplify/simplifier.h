// The simplifier: drives the expression rules bottom-up to a fixpoint. It is untrusted: what it
// finds is proposed as one `replace` step, whose obligation says that the result is equal and
// faults only where the expression does. Its strategy, its memo and its own arrangement of sums may
// be wrong without harm.
//
//   simplify((x * 8 + 3) // 4, {0 <= x})  =  x * 2
//
// It folds constants by the operators' meaning on values, spells sums of exact integers canonically
// (linear_form.h), splits the numerators of divisions and the sides of comparisons so that rules
// see them, uses the facts for what rules need and for deciding comparisons, and assumes a
// condition where it guards: in the arms of T.if_then_else and right of `and` and `or`. Not in the
// arms of T.Select: both are evaluated.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/prover.h"
#include "rewrite/rules/rule_book.h"

namespace proviso::rewrite {

// One link of the chain from an expression to its simplification: a rule's name, or
// "fold-constants", "linear-form", "known-fact", "inline-let".
struct RuleApplication {
    std::string rule;
    ir::Expr before = nullptr;
    ir::Expr after = nullptr;
};

struct Simplified {
    ir::Expr result = nullptr;
    std::vector<RuleApplication> chain;  // in order of application, on subexpressions
    bool fixpoint = true;  // false: the step limit cut it short; the result is still equal
};

struct SimplifyOptions {
    std::uint64_t step_limit = 20'000;  // changes of a node, per call
    bool keep_chain = true;             // false: faster, `chain` stays empty
};

class Simplifier {
  public:
    // Expressions and facts are of the prover's context.
    explicit Simplifier(analysis::Prover& prover, const RuleBook& book = RuleBook::standard(),
                        SimplifyOptions options = {});
    ~Simplifier();
    Simplifier(const Simplifier&) = delete;
    Simplifier& operator=(const Simplifier&) = delete;

    // `facts` hold where the expression stands. Remembers answers by handle and facts.
    Simplified simplify(ir::Expr e, const std::vector<ir::Expr>& facts = {});

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace proviso::rewrite
