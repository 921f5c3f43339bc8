// Hints: `T.likely(c)` is c, and says that it holds most of the time. It stands as a cast of a bool
// to bool, which every reader of an expression knows to be its operand; it prints as `T.likely`.
// `loop_partition` looks for hints, `simplify` keeps them, and lowering takes them away.
#pragma once

#include "ir/context.h"

namespace proviso::ir {

inline bool is_hint(Expr e) {
    return e->op == Op::Cast && e->type.is_bool() && e->arg(0)->type.is_bool();
}
Expr hinted(Context& ctx, Expr condition);
bool has_hint(Expr e);
// The expression without its hints.
Expr without_hints(Context& ctx, Expr e);

}  // namespace proviso::ir
