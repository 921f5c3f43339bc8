// What fuse_reduction_epilogue (epilogue.cpp) looks at, and the steps that it takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// A nest with one block in it, an element of a list.
struct Nested {
    ir::Site site;    // of the element
    ir::Site inside;  // of the block, below the element
    std::vector<ir::For> loops;
    ir::Block block;
};

// Of a block that is the only thing in its loops; none: it stands in no loop or list.
std::optional<Nested> nested(Proposer& p, const std::string& block);

// Where the cells of a buffer are in a nest: for each dimension the iterator, and its loop; null:
// the iterator has one value.
struct Cells {
    std::vector<ir::Expr> iterators;
    std::vector<ir::Expr> loops;
};

// None: an index is no iterator, or an iterator no loop.
std::optional<Cells> cells_of(const Nested& n, const std::vector<ir::Expr>& indices);

// The load of the buffer that is an operand of `value`.
ir::Expr load_in(ir::Expr value, ir::Buffer buffer);

// The steps, once the initialisation of the sum is a block of its own. `before` and `after`: names
// of loops. Gives the refusal.
std::optional<Rejection> fuse_epilogue(Proposer& p, const std::string& init, const std::string& sum,
                                       const std::string& epilogue, const std::string& before,
                                       const std::string& after);

}  // namespace proviso::rewrite
