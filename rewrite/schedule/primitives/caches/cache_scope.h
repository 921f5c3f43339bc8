// A cache that a stage writes, in scope for what follows the stage as well; so that what follows
// can be placed in the stage's loops, and the copy in the loops of what follows.
//
//   C_local = alloc                         C_local = alloc
//   nest: C_local[…] = …                    nest: C_local[…] = …
//   later: D[…] = C_local[…]         →      copy: C[…] = C_local[…]
//   copy: C[…] = C_local[…]                 later: D[…] = C[…]
//
// In steps: the copy comes to stand behind the nest (restate), and each load of the cache is of
// what the copy has stored last (replace).
#pragma once

#include <optional>
#include <string>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// How many statements of the list from `first` on may be in the scope of a cache of what that one
// stores to the buffer: those up to the next store to it, or, of many, up to the last one that
// reads it. One, where none of them does, or that one is far away.
std::size_t scope_of_cache(Proposer& p, const ir::Site& list, std::size_t first, ir::Buffer buffer);

// As above, for the list at `list`, whose last statement is the nest of the block `copy`; false:
// not possible, and steps may have been made.
bool copy_behind_first(Proposer& p, const ir::Site& list, const std::string& copy, ir::Buffer cache,
                       ir::Buffer buffer);

// The block reads the cache that the block `copy` copies to the buffer, instead of the buffer; or
// why not.
std::optional<Rejection> read_cache(Proposer& p, const std::string& block, const std::string& copy,
                                    ir::Buffer buffer);

}  // namespace proviso::rewrite
