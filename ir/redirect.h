// A buffer in the place of another one.
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "ir/context.h"

namespace proviso::ir {

using Box = std::vector<std::pair<Expr, Expr>>;  // a half-open range for each dimension

// Which cells of one buffer those of another one are.
struct CellMap {
    std::function<std::vector<Expr>(std::span<const Expr>)> cell;
    // A box with all cells of a box, and maybe more.
    std::function<Box(const Box&)> box;
};
// `s` with every load, store and region of `from` as one of `to`.
Stmt redirect_buffer(Context& ctx, Stmt s, Buffer from, Buffer to, const CellMap& map);

}  // namespace proviso::ir
