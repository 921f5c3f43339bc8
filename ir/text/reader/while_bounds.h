// How many iterations a `while` can have at most, where that is seen in its condition and its body.
// docs/tvmscript.md has the forms; while_bounds.cpp says why each bound holds.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "ir/children.h"

namespace proviso::ir {

struct WhileLoop {
    Expr cond;
    Stmt body;
    std::set<Buffer> flags;  // a store to one of them ends the loop
    // The memory that an access of this buffer reaches; null where that is not known.
    std::function<Buffer(Buffer)> memory;
    // What a cell holds before the loop, as a term of variables; null where that is not known.
    std::function<Expr(Buffer, const std::vector<Expr>& indices)> known;
};

// At most as many iterations as there are numbers lo, lo + step, … below hi.
struct WhileBound {
    Expr lo;
    Expr hi;
    Int128 step = 1;
    // As many as that, whatever happens: the condition says the same as the count.
    bool exact = false;
    // `lo` and `hi` have a value wherever the loop begins; else only where `cond` holds there.
    bool anywhere = false;
};
std::optional<WhileBound> bound_of(Context& ctx, const WhileLoop& loop);

}  // namespace proviso::ir
