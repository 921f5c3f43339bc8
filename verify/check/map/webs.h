// The lives of a buffer: which loads read what which stores leave. Stores and loads that have
// nothing to do with those of another web could be of a buffer of their own.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "analysis/prover/prover.h"
#include "ir/function.h"
#include "verify/check/map/leaves.h"

namespace proviso::verify {

struct Web {
    std::vector<std::size_t> stores;                   // numbers of leaves
    std::set<std::pair<std::size_t, ir::Expr>> loads;  // number of the leaf, load
};

// In the order of their first stores. A guess: nobody has to believe it. None where the buffer is
// used in another way than by leaves of the text, such as in a bound, and where a load has no store
// before it.
std::vector<Web> webs_of(analysis::Prover& prover, const ir::Function& f, ir::Stmt text,
                         const std::vector<Leaf>& leaves, ir::Buffer buffer);

// The loads of the buffer in the expressions of a leaf.
std::vector<ir::Expr> loads_in(const Leaf& leaf, ir::Buffer buffer);

}  // namespace proviso::verify
