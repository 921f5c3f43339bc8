// The schema of a rule: one obligation that makes every application right, for all terms and
// constants. Trusted.
//
//   where ∧ needs ∧ no_fault(left)  ⇒  no_fault(right) ∧ (definite(left) ⇒ definite(right) ∧ same)
//
// That is refinement as formula.h has it, with the left side's faults as a hypothesis.
//
// A pattern variable stands for any term, and a term can do four things that a program variable
// cannot: fault, be indeterminate, have its value out of its type's range while nobody observes it,
// and not be evaluated at all (in an arm, or right of `and`). So each variable `x` brings
//   x            its value: any value of its type; in exact integers any integer (`unbounded`)
//   x_at         it evaluates without a fault where x_at = 0, a free variable
//   Defined(..)  it is definite, a free truth value
//   x_fits       exact integers: it is in range, and may be indeterminate; where x_fits is false it
//                is definite and of any size. (Nothing is both indeterminate and of any size.)
// and a right side that evaluates, observes or depends on `x` where the left side does not is
// refuted. The claims come from formula.h, asked about a stand-in that can do those four things: in
// exact integers a choice by x_fits of a load and a product (nothing bounds a product that was not
// observed), a load elsewhere. Afterwards each stand-in becomes the variable.
//
// Constants are variables in their type's range. A constant that the right side computes is a
// variable too, with its definition as a fact: it exists only where the definition gives a value of
// the type. `where` holds only where it can be evaluated; of bits, that is a fact of its own.
//
// Instances of the laws that the rule names (laws.h) stand among the facts.
//
// Under a licence, "same" is weaker:
//   no_signed_zero   or both are zeros
//   reassociate      both are sums, of the same terms in any order (decided by their form)
#pragma once

#include "analysis/obligation.h"
#include "rewrite/expression_rules/rule_instance.h"

namespace proviso::rewrite {

// The schema in `ctx`, which need not be the patterns' context.
analysis::Obligation rule_schema(ir::Context& ctx, const RuleInstance& rule);

// What follows from `where` being true beyond its formula, where bits occur in it: formulas leave
// the bits of a number beyond its type's range open, while a rule whose condition faults does not
// apply (where_holds). `true` elsewhere: other operators have one value in formulas.
ir::Expr where_evaluates(ir::Context& ctx, ir::Expr where);

// The schema in two steps, for types whose operators are hard for solvers beside anything else
// (bit-vectors, floats). Together they imply it.
struct RuleSteps {
    // The facts that speak of values only ⊢ the sides have the same value.
    analysis::Obligation agreement;
    // The schema, with that among its facts.
    analysis::Obligation rest;
};
RuleSteps rule_steps(ir::Context& ctx, const RuleInstance& rule);

}  // namespace proviso::rewrite
