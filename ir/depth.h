// How deep expressions and statements may nest. Most of what works on them recurses, so whoever
// takes trees from outside (the prover, well_formed() and with it every derivation) refuses those
// that nest deeper, instead of overflowing the stack. Text cannot nest so deep, unless it was read
// on a deep stack (deep_stack.h) and is worked on without one; trees built in memory can.
#pragma once

#include <cstddef>

#include "ir/stmt.h"

namespace proviso::ir {

// Levels; a let or a statement counts for several, since it takes more stack.
inline constexpr std::uint32_t kDeepest = 12'000;
inline constexpr std::uint32_t kDeepestOnDeepStack = 100'000;
// The one of the two that holds for this thread.
std::uint32_t deepest_here();

// Neither recurses. Constant time for expressions of few nodes, else once over its distinct nodes.
bool nests_too_deep(Expr e);
// `around`: how many statements it stands in.
bool nests_too_deep(Stmt s, std::size_t around = 0);

// "… nests more than 100000 levels deep".
std::string too_deep(const std::string& what);

}  // namespace proviso::ir
