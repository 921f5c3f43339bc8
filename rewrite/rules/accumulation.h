// Stores that add to a cell: S[f] = S[f] + e, S[f] = e + S[f], S[f] = (S[f] + a) - b, no term but
// the one reading S. Whatever the order of such additions to a cell, with nothing else touching it
// in between, it ends up with a sum of the same terms.
#pragma once

#include <optional>

#include "ir/function.h"
#include "ir/site.h"

namespace proviso::rewrite {

// The load of the cell that the store at `statement` adds to; none when it is no such store.
std::optional<ir::Site> accumulated_load(const ir::Function& f, const ir::Site& statement);

}  // namespace proviso::rewrite
