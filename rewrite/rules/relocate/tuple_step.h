// A statement that computes cells of several buffers together from what they held, and what makes
// it right to compute them in parts (docs/refinement.md, "Steps of several cells").
#pragma once

#include <vector>

#include "rewrite/rules/relocate/relocate.h"

namespace proviso::rewrite {

// What a step computes, over `left`, what cells of the buffers held, and what is around it. An
// error: it is no step (1 and 2 below).
struct StepValues {
    std::vector<ir::Expr> after;      // what the cells hold then
    std::vector<ir::Expr> evaluated;  // all of it
    std::vector<ir::Expr> cell;
};
Result<StepValues> step_values(ir::Context& ctx, ir::Stmt step,
                               const std::vector<ir::Buffer>& buffers,
                               const std::vector<ir::Expr>& left);

// Reads the step of `proposed`, which has one. Checks that
//   1. it consists of lists, lets and stores, to these buffers only; loads and stores of these are
//   of
//      one cell, over variables around the step;
//   2. what it evaluates makes no call, and binds and holds nothing undefined; other memory that it
//      reads is stored to neither in S nor beside it;
//   3. the start is a constant, and what combines is over variables of its own.
// Owes, with c(a, b) for what combines, z for the start, s(a) for what the step makes of cells that
// hold a, and for all tuples a and b that c(a, z) = a and c(b, z) = b hold of:
//   4. c(z, z) = z; and c(s(a), z) = s(a);
//   5. the step evaluates nothing but definite values, without a fault; so does c(a, b);
//   6. s(c(a, b)) = c(a, s(b));
//   7. of two iterations with one cell, of which the later one has an earlier place: the steps give
//      the same in either order.
// Gives the cell.
Result<std::vector<ir::Expr>> tuple_step(ir::Context& ctx, const ir::Function& before,
                                         const ir::Site& site, const Partials& proposed,
                                         Proposal& out);

// What two partial results make.
std::vector<ir::Expr> combined(ir::Context& ctx, const TupleStep& step,
                               const std::vector<ir::Expr>& left,
                               const std::vector<ir::Expr>& right);

}  // namespace proviso::rewrite
