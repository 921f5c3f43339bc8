// A quick way to see that two programs compute the same terms. Each is run at concrete sizes on
// numbers of terms (terms.h) instead of terms: loops, branches, indices and claims are computed as
// integers, and a cell holds the number of what was stored to it. Where every cell that the caller
// sees ends with the number that it has in the other program, and the program after evaluates
// nothing that the one before does not evaluate, the step is right at these sizes, without a
// question to a prover. Of two that differ nothing is said: symbolic execution simplifies, and
// asks.
//
// Given up: control and indices that depend on cells, asserts that may fail, opaque calls, and
// values that are indeterminate other than in copies.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verify/tv/numbering/terms.h"
#include "verify/tv/runs.h"

namespace proviso::verify {

struct NumberedRun {
    std::string given_up;                     // not empty: why there is no run
    std::vector<std::vector<TermId>> before;  // by parameter and cell
    std::vector<std::vector<TermId>> after;
    // By number. That a run has no fault depends on these alone.
    std::vector<bool> evaluated;  // whatever the data are
    std::vector<bool> observed;   // stored, or bound to a name: in its type's range
    std::vector<bool> assumed;    // holds
};

class Numbering {
  public:
    struct Limits {
        std::uint64_t steps;     // statements and expression nodes of a run
        std::size_t allocation;  // cells of one buffer that is allocated
        std::size_t terms;       // of all runs that are kept
    };
    Numbering(ir::Context& ctx, const Limits& limits);
    ~Numbering();
    Numbering(const Numbering&) = delete;
    Numbering& operator=(const Numbering&) = delete;

    // How many cells the caller sees, where both programs leave the same in each and the one after
    // has no fault that the one before has not.
    std::optional<std::size_t> same(const ir::Function& before, const Start& from,
                                    const ir::Function& after, const Start& to, const Sizes& sizes);

    std::shared_ptr<const NumberedRun> run(const ir::Function& f, const Sizes& sizes,
                                           const Start& start);

    void keep_only(const ir::Function& f);

  private:
    struct Known {
        ir::Function f;
        Sizes sizes;
        std::shared_ptr<const NumberedRun> run;
    };
    std::optional<std::size_t> compare(const Start& from, const NumberedRun& before,
                                       const Start& to, const NumberedRun& after) const;
    void forget();
    std::vector<SymbolicTensor> tensors(const Start& start, const NumberedRun& run) const;

    ir::Context& ctx_;
    Limits limits_;
    std::unique_ptr<Terms> terms_;
    std::vector<Known> runs_;
};

}  // namespace proviso::verify
