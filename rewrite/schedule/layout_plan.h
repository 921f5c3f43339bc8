// From an index map to a relayout plan: the physical shape, an inverse (the witness of
// injectivity), and the boxes that are exactly the padding. Guesses only; `relayout` proves them.
#pragma once

#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "ir/context.h"
#include "ir/result.h"

namespace proviso::rewrite {

struct Box {
    std::vector<std::pair<ir::Expr, ir::Expr>> ranges;  // half-open, one a physical dimension
};

struct LayoutPlan {
    std::vector<ir::Expr> shape;  // physical extents
    std::vector<ir::Expr> physical_vars;
    std::vector<ir::Expr> inverse;  // one a logical dimension, over physical_vars
    std::vector<Box> padding;       // disjoint boxes
    bool guarded = false;           // `padding` is one box that also holds other cells
    bool padded = false;            // some physical cell is not an image, as far as is known
};

// `map`: physical indices over `vars` (the logical indices, of the buffer's index type). Constant
// shapes are enumerated (so any map works whose inverse can be guessed); symbolic ones need maps
// made of `//` and `%` by constants. `facts`: what holds of the sizes.
Result<LayoutPlan> plan_layout(analysis::Prover& prover, const std::vector<ir::Expr>& facts,
                               ir::Buffer buffer, const std::vector<ir::Expr>& vars,
                               const std::vector<ir::Expr>& map,
                               const std::vector<std::string>& physical_names);

}  // namespace proviso::rewrite
