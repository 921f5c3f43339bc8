// Knowledge written down: what the rule `add-assume` (rewrite/derived/) rests on.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

// The step S → T.assume(c); S. Owes that c is evaluated without a fault, touches only cells that
// may be touched, is definite, and true. In a concurrent loop it reads nothing that the function
// writes. The argument "claims": what memory is known to hold here; what they need to know may be
// that the disjuncts of c that read no memory are false: where one is true, so is c. Permission to
// read, `B[i] == T.undef()` below `and` and `or`, looks at no cell: it owes that i is in bounds,
// definite, and of a cell that may be touched.
Result<Proposal> add_assume(ir::Context& ctx, const ir::Function& before, const ir::Site& site,
                            ir::Expr c, const nlohmann::json& args);

}  // namespace proviso::rewrite
