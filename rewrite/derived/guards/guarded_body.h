// The guard that a loop with extra iterations puts around its body.
#pragma once

#include <string>

#include "ir/context.h"
#include "ir/result.h"

namespace proviso::rewrite {

// `body` under `guard`: "if" puts a branch around it, "leaf" one around what stands in the loops
// that `body` is a nest of, "block" adds it to the predicates of the blocks in it (which must be
// under loops only), "none" leaves it. What the guard is over must not be bound or stored in
// `body`.
Result<ir::Stmt> guarded_body(ir::Context& ctx, ir::Stmt body, ir::Expr guard,
                              const std::string& kind);

}  // namespace proviso::rewrite
