// Cells of one buffer as cells of another one: cell x of `from` is cell map(x) of `to`, and the
// inverse takes that back (vars, map, physical_vars and inverse of analysis/layout/layout.h).
#pragma once

#include <vector>

#include "analysis/layout/layout.h"
#include "ir/context.h"
#include "ir/result.h"

namespace proviso::rewrite {

// map(cell). The indices have the types of the relation's variables.
std::vector<ir::Expr> image(ir::Context& ctx, const analysis::Layout& cells,
                            const std::vector<ir::Expr>& cell);

// Expressions of the type, over these variables and constants.
Status are_over(const std::vector<ir::Expr>& exprs, ir::ScalarType type,
                const std::vector<ir::Expr>& known);

// The relation is one of these buffers: they hold one type; there is a variable of its own and an
// expression for each dimension, of the extent's type; the map and the inverse are over these
// variables and `known`.
Status are_cells(const analysis::Layout& cells, ir::Buffer from, ir::Buffer to,
                 const std::vector<ir::Expr>& known);

// Every access of `from` in the statement, permission to read and claims of blocks included, has
// indices of the types of `vars`, which may be evaluated once for each dimension of `to`, or never.
Status can_move(ir::Context& ctx, ir::Stmt s, ir::Buffer from, const std::vector<ir::Expr>& vars);

// The statement with `to` in the place of `from`: loads, stores and allocations. Blocks that claim
// regions of `from` claim no regions any more. Takes what `can_move` accepts, or a map that takes
// each cell to itself.
ir::Stmt move_cells(ir::Context& ctx, ir::Stmt s, const analysis::Layout& cells, ir::Buffer from,
                    ir::Buffer to);

// The product of extents, with constants multiplied as far as their type goes.
ir::Expr number_of_cells(ir::Context& ctx, const std::vector<ir::Expr>& extents);

}  // namespace proviso::rewrite
