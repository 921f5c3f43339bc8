// What validating a sequence of steps does again and again, done once: a program that is the result
// of one step and the source of the next is executed once, and the tables of its parameters'
// layouts are made once for all programs with those parameters. Nothing here is an answer: the same
// terms come out as without it.
#pragma once

#include <memory>
#include <vector>

#include "verify/tv/executor.h"

namespace proviso::verify {

// A program's parameters at some sizes, and the tensors that it starts from.
struct Start {
    std::vector<ConcreteParameter> parameters;
    std::vector<SymbolicTensor> tensors;
};

class Runs {
  public:
    // `cell_limit`: of one parameter; `allocation_limit`: of one buffer that is allocated inside.
    Runs(ir::Context& ctx, std::size_t cell_limit, std::size_t allocation_limit,
         std::uint64_t step_limit)
        : ctx_(ctx),
          cell_limit_(cell_limit),
          allocation_limit_(allocation_limit),
          step_limit_(step_limit) {}

    // Terms are made by this simplifier, to which these symbols are promised to be finite. Where
    // the promise changes, all runs so far are forgotten.
    Simplifier& simplifier(const std::vector<ir::Expr>& finite);

    Result<std::shared_ptr<const Start>> start(const ir::Function& f, const Sizes& sizes);
    // As `execute` says; a program that surely takes more than the limit of steps is given up
    // before any of them. After simplifier().
    std::shared_ptr<const SymbolicRun> run(const ir::Function& f, const Sizes& sizes,
                                           const Start& start);

    // Forgets the runs of all other programs.
    void keep_only(const ir::Function& f);

    std::size_t executed() const { return executed_; }

  private:
    struct Known {
        ir::Function f;
        Sizes sizes;
        std::shared_ptr<const SymbolicRun> run;
    };
    struct KnownStart {
        ir::Function f;  // another body may start the same
        Sizes sizes;
        std::shared_ptr<const Start> start;
    };

    ir::Context& ctx_;
    std::size_t cell_limit_;
    std::size_t allocation_limit_;
    std::uint64_t step_limit_;
    std::vector<ir::Expr> finite_;
    std::unique_ptr<Simplifier> simplifier_;
    std::vector<Known> runs_;
    std::vector<KnownStart> starts_;
    std::size_t executed_ = 0;
};

}  // namespace proviso::verify
