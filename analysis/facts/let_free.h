// Expressions without `let`: formulas are mathematics, so a name bound to a value is the value.
#pragma once

#include "ir/context.h"

namespace proviso::analysis {

// `e` with every Let replaced by its body, the variable replaced by the value:
//   let x = i + 1 in x * x   becomes   (i + 1) * (i + 1)
// Right for values that are definite. A Let also *freezes* an indeterminate value, which this
// loses: whoever claims something of the result must know the value definite.
ir::Expr let_free(ir::Context& ctx, ir::Expr e);

}  // namespace proviso::analysis
