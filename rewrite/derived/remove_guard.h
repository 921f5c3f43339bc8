// The new text of `drop-guard`, for proposers that need to name sites in it.
#pragma once

#include <vector>

#include "rewrite/rules/statement/drop_guard.h"

namespace proviso::rewrite {

// The members of a conjunction, as they are evaluated: from left to right. An argument `keep` of
// the rule counts them from 0.
std::vector<ir::Expr> guard_parts(ir::Expr guard);

}  // namespace proviso::rewrite
