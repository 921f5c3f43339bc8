// A store that may be left out, since the cell holds its value.
#pragma once

#include <vector>

#include "analysis/obligation.h"
#include "ir/stmt.h"

namespace proviso::rewrite {

// Under `facts`, the cell holds what is stored: wherever the value is definite, the cell is, and
// both are the same bits. Leaving the store out leaves content that refines the value.
analysis::Obligation holds_already(ir::Context& ctx, const ir::Function& f, const ir::Store& store,
                                   const ir::Site& at, std::vector<ir::Expr> facts);

}  // namespace proviso::rewrite
