// A claim by the names of no cell in particular: what is claimed of one cell after the other is one
// question to the prover, not one for each.
//
//   A[13] * 0.5 * 0.5 == A[13] * 0.25       →      cell_0 * 0.5 * 0.5 == cell_0 * 0.25
#pragma once

#include <optional>
#include <vector>

#include "analysis/prover/answer.h"
#include "ir/children.h"
#include "ir/context.h"

namespace proviso::verify {

struct RenamedClaim {
    ir::Expr claim = nullptr;
    ir::Substitution was;  // by the new variables

    // What is known of the new variables, of what they were.
    void rename_back(std::vector<analysis::ModelValue>& model) const;
};

// Variables, and loads at constant indices, in the order in which they occur. None where the claim
// speaks of cells that may be indeterminate, or binds names; it holds of all values or of none.
std::optional<RenamedClaim> renamed(ir::Context& ctx, ir::Expr claim);

}  // namespace proviso::verify
