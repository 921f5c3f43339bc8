// Names that lets bind, replaced by what they stand for.
//
//   for v in range(4):                       for v in range(4):
//       x = A[i * 4 + v]               →         B[i * 4 + v] = A[i * 4 + v] * A[i * 4 + v]
//       B[i * 4 + v] = x * x
//
// In steps: each use by the value (replace), then the let that nothing mentions (drop-empty).
#pragma once

#include <optional>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// The lets at and below a statement. Where one cannot go, why; what was done until then stays, for
// the caller to roll back.
std::optional<Rejection> inline_lets(Proposer& p, const ir::Site& below);

}  // namespace proviso::rewrite
