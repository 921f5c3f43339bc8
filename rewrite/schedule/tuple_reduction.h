// Reductions with several results: what a block updates in cells of several buffers, by a sum each
// or in one step, as an argmax does with the value and the index.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/context.h"
#include "ir/result.h"
#include "ir/site.h"

namespace proviso::rewrite {

// A buffer with results, and what they start at.
struct Reduced {
    ir::Buffer buffer = nullptr;
    ir::Expr start = nullptr;
};

// What a block of a reduction does. Where one step updates values that belong together, `combine`
// says how two partial results become one, over `left` and `right`: as the step does with the terms
// that it takes in. It is only a proposal.
struct Reduction {
    std::vector<Reduced> of;
    std::vector<ir::Expr> left, right, combine;
};

// Of the block at `site`, which has an initialisation; or why it is none that can be computed in
// parts. `fresh` gives names.
using FreshNames = std::function<std::string(const std::string&)>;
Result<Reduction> reduction_of(ir::Context& ctx, const ir::Function& f, const ir::Site& site,
                               const FreshNames& fresh);

// The first store in the statement, which has one.
const ir::Store& first_store(ir::Stmt s);

}  // namespace proviso::rewrite
