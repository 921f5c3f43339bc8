// How far the cells reach that stores touch, over sizes: to guess what a buffer needs.
#pragma once

#include "rewrite/passes/proposer.h"
#include "verify/check/map/leaves.h"

namespace proviso::verify {

class Extents {
  public:
    Extents(rewrite::Proposer& p, const ir::Function& f);

    // The index in the first or the last iteration of all loops around, where it counts up; null:
    // not over sizes.
    ir::Expr at_end(const Leaf& leaf, ir::Expr index, bool last);
    // As a sum of terms in their usual order; null where a number does not fit.
    ir::Expr sum(ir::Expr e);
    bool at_most(ir::Expr a, ir::Expr b);

  private:
    rewrite::Proposer& p_;
    ir::Context& ctx_;
    const ir::Function& f_;
    std::vector<ir::Expr> facts_;
};

}  // namespace proviso::verify
