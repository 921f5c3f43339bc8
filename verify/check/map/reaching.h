// Which instance of a store is the last one to the cell that a leaf loads. A guess, as all here.
#pragma once

#include <optional>
#include <vector>

#include "verify/check/map/instances.h"
#include "verify/check/map/leaves.h"

namespace proviso::verify {

// Loops around both leaves of a text, outermost first.
std::vector<Binder> common_loops(ir::Stmt text, const Leaf& a, const Leaf& b);

// Loops around a store whose iterations store to one cell, outermost first, but for those that are
// around the other leaf as well (null: none).
std::vector<Binder> loops_again(ir::Stmt text, const Leaf& store, const Leaf* other);

// The iteration before the end of a loop.
ir::Expr last_iteration(ir::Context& ctx, const Binder& loop);

// The last instance of the store to the cell that `here` loads, as far as both stand in the same
// iteration of what is around both: over the variables around `here`. And where it is one that
// runs, and stores to that cell.
std::optional<ir::Substitution> last_instance(ir::Context& ctx, InstanceSolver& solver,
                                              ir::Stmt text, const Leaf& store, const Leaf& here,
                                              ir::Expr load);
ir::Expr runs_for(ir::Context& ctx, InstanceSolver& solver, const Leaf& store,
                  const ir::Substitution& at, const Leaf& here, ir::Expr load);

}  // namespace proviso::verify
