// Whether iterations that store to one cell compute one value, or each another one: whether a cell
// is computed again, or used again for something else, as those of a rolled buffer are.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/memory/access.h"

namespace proviso::analysis {

// Two iterations of a store and of the loops around it that have the first `life` loops in common,
// to one cell. The first `shared` loops are those in which a cell counts anew.
struct RepeatedStore {
    const Access* store = nullptr;
    std::size_t life = 0, shared = 0;
    std::vector<ir::Expr> known;  // of parameters
};

// They read the same cells and use the same numbers, as far as elimination shows it; a sum is
// compared term by term.
bool same_value_again(ir::Context& ctx, const RepeatedStore& repeated);
// Two of different iterations of the shared loops do not.
bool another_value_each_time(ir::Context& ctx, const RepeatedStore& repeated);

}  // namespace proviso::analysis
