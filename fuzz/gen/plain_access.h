// Buffers that a block accesses at one place, each index another iterator: what can be copied in
// the layout of the iterators.
#pragma once

#include <cstddef>
#include <vector>

#include "ir/stmt.h"

namespace proviso::fuzz {

struct PlainAccess {
    ir::Buffer buffer;
    bool stored = false;                 // else it is only loaded
    std::vector<std::size_t> iterators;  // of the block, one for each dimension
};

std::vector<PlainAccess> plain_accesses(const ir::Block& block);

}  // namespace proviso::fuzz
