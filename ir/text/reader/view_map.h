// Views: other index spaces over the cells of a buffer. A program says them with `data=A.data` and
// `T.match_buffer(A[…], …)`; here a view is an index map, and every access through it becomes an
// access of the buffer itself:
//     X = T.decl_buffer((16,), "float32", data=A.data)        A of shape (4, 4)
//     X[i] = 0                                                A[i // 4, i % 4] = 0
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "ir/redirect.h"
#include "ir/result.h"

namespace proviso::ir {

// A view of the cells at `offset` + sum of index * stride, counted row-major in the buffer below.
struct FlatView {
    std::vector<Expr> shape;
    std::vector<Expr> strides;  // none: compact, row-major
    Expr offset = nullptr;      // null: 0
};

// `zero`: variables that are 0 wherever they are in scope; it must outlive the map. Fails where the
// view has cells that the buffer has not, as far as that is constant. The one cell of a buffer
// without dimensions has no index that could be out of bounds: whoever asks for a view of it checks
// the indices of the view.
Result<CellMap> flat_map(Context& ctx, const FlatView& view, std::span<const Expr> base_shape,
                         const std::set<Expr>& zero);

// The extent of a view of all cells of a buffer, where the others are given: their product times it
// is the number of the buffer's cells. Null where that is seen to be no whole number.
Expr extent_left(Context& ctx, std::span<const Expr> base_shape, std::span<const Expr> others);
// The number of cells where all extents are constant.
std::optional<Int128> number_of_cells(std::span<const Expr> shape);

// The view whose cell (i, j) is (starts…, start + i, start + j): leading dimensions are fixed.
CellMap window_map(Context& ctx, const std::vector<Expr>& starts, std::size_t rank);

}  // namespace proviso::ir
