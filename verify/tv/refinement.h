// Which values may stand in the place of which, under the licences that a function grants.
#pragma once

#include "verify/tv/state.h"

namespace proviso::verify {

class Refinement {
  public:
    Refinement(ir::Context& ctx, Simplifier& simplifier, const ir::Function& f);

    // Where `was` is definite, `is` is definite and the same.
    ir::Expr of(const SymbolicValue& was, const SymbolicValue& is) const;
    // Why values that float terms speak of may differ and both be right, where a licence leaves a
    // choice; else null.
    const char* doubt() const;

  private:
    ir::Context& ctx_;
    Simplifier& s_;
    bool signs_of_zero_ = true;  // no licence says that they do not matter
    bool exact_sums_ = true;
    bool floats_are_chosen_ = false;
};

}  // namespace proviso::verify
