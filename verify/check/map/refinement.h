// The second program as what a derivation of the first one ends in: the proof for all sizes and
// inputs. Looking for it decides nothing; a ProvedRefinement is made of a derivation, whose steps
// the kernel has accepted, and of nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::verify {

class ProvedRefinement {
  public:
    // The derivation ends in `after`: the same parameters, the same statements, pointer for
    // pointer, no licence more, and the same attributes that Proviso gives a meaning to. (Declared
    // bounds may be wider.) None: `why` says what differs.
    static std::optional<ProvedRefinement> of(rewrite::Derivation derivation,
                                              const ir::Function& after, std::string& why);

    const rewrite::Derivation& derivation() const { return derivation_; }
    std::size_t steps() const { return derivation_.steps().size(); }

  private:
    explicit ProvedRefinement(rewrite::Derivation derivation)
        : derivation_(std::move(derivation)) {}
    rewrite::Derivation derivation_;
};

struct RefinementSearch {
    std::optional<ProvedRefinement> found;
    std::vector<std::string> tried;  // none found: each attempt, and what blocked it
};

// Both are well-formed and of one interface. A function of its arguments: budgets are units of
// work.
RefinementSearch find_refinement(const ir::Function& before, const ir::Function& after,
                                 analysis::Prover& prover);

}  // namespace proviso::verify
