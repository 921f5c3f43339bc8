// The simplifier: brings expressions into a normal form. It is untrusted: what it finds is proposed
// as one `replace` step, whose obligation says that the result is equal and faults only where the
// expression does. Its strategy, its memory and its arrangements may be wrong without harm.
//
//   simplify((x * 8 + 3) // 4, {0 <= x})  =  x * 2
//
// Bottom-up, at each node until nothing changes: constants are folded by the operators' meaning on
// values; sums of exact integers are spelled canonically, their digits joined (linear_form.h,
// digits.h); divisions and comparisons are arranged on linear forms (arrange.h); the rules of the
// library are tried (by_rules.h); claims are decided by the facts (surroundings.h). A condition is
// a fact where it guards: in the arms of T.if_then_else and right of `and` and `or`. Not in the
// arms of T.Select: both are evaluated.
//
// The size of an expression is the number of nodes of its tree (ir::ExprNode::size): each operator,
// call, load, variable and literal counts one. The result is never larger than the expression:
// where a chain of rules ends in something larger, the smallest form on the way, the latest of
// equals, is the result. So simplifying a result changes nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/prover/prover.h"
#include "rewrite/expression_rules/rule_book.h"

namespace proviso::rewrite {

// One link of the chain from an expression to its simplification: a rule of the library, or one of
// the simplifier's own ("fold-constants", "linear-form", "join-digits", "scaled-comparison",
// "whole-tiles", "known-arm", "known-fact", "known-value", "order-operands", "floordiv-of-digit",
// "constant-into-division", "floordiv-into-extremum", "floormod-of-quotient", "sum-into-extremum",
// "split-extremum", "common-part", "common-factor", "min-of-operands", "max-of-operands",
// "quotient-at-end", "quotient-of-two", "positive-factor", "bits-of-chain", "narrow-under-cast",
// "as-exact-integers", "sum-into-choice", "product-into-choice", "division-into-choice",
// "pair-of-extrema", "implied-claim", "one-claim", "regroup", "rest-to-multiple",
// "rest-of-wrapping", "cast-through-float", "inline-let", "drop-let").
struct RuleApplication {
    std::string rule;
    ir::Expr before = nullptr;
    ir::Expr after = nullptr;
    std::vector<std::pair<std::string, ir::Expr>> bindings;  // the rule's variables
    std::vector<ir::Expr> conditions;  // what had to hold, besides what constants decide
    std::vector<ir::Expr> facts;       // those in scope there
};

struct Simplified {
    ir::Expr result = nullptr;
    std::vector<RuleApplication> chain;  // in order of application, on subexpressions, each once
    bool fixpoint = true;                // false: a limit cut it short; the result is still equal
    bool contradictory = false;          // no values satisfy the facts: they were not used
};

struct SimplifyOptions {
    std::uint64_t step_limit = 200'000;  // changes of a node, per call
    bool keep_chain = true;              // false: faster, `chain` stays empty
};

struct SimplifyStats {
    std::uint64_t steps = 0;         // changes of a node
    std::uint64_t prover_asked = 0;  // questions that ranges could not answer
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

    SimplifyStats stats() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace proviso::rewrite
