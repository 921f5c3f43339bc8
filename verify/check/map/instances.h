// Which instance of one leaf an instance of another one is: index equations solved for the
// variables around it. A guess; the kernel checks what is made of it.
//
//   B[i] and B[io * 8 + ii]     i = io * 8 + ii, or io = i // 8, ii = i % 8
#pragma once

#include <optional>
#include <vector>

#include "rewrite/simplify/simplifier.h"
#include "verify/check/map/leaves.h"

namespace proviso::verify {

class InstanceSolver {
  public:
    // `facts`: of the parameters.
    InstanceSolver(analysis::Prover& prover, std::vector<ir::Expr> facts)
        : prover_(prover),
          ctx_(prover.context()),
          simplifier_(prover, rewrite::RuleBook::standard(),
                      {rewrite::SimplifyOptions{}.step_limit, false}),
          facts_(std::move(facts)) {}

    // A value for each variable around `unknown`, over those around `known`, such that both do the
    // same; the best guesses first.
    std::vector<ir::Substitution> values(const Leaf& unknown, const Leaf& known);

    // Where an instance of `at` is one of `of` that runs: the conditions of that one, and that
    // `back`, over its variables, gives the instance of `at` again. Without what is known there.
    ir::Expr condition(const Leaf& of, const ir::Substitution& instance, const Leaf& at,
                       const ir::Substitution& back);

    ir::Expr simplified(ir::Expr e, const Leaf& at);

  private:
    using Pairs = std::vector<std::pair<ir::Expr, ir::Expr>>;
    std::optional<ir::Substitution> solve(const Leaf& unknown, const Leaf& known,
                                          const Pairs& pairs);

    analysis::Prover& prover_;
    ir::Context& ctx_;
    rewrite::Simplifier simplifier_;
    std::vector<ir::Expr> facts_;
};

}  // namespace proviso::verify
