// Temporaries that the second program keeps with the same cells in the same order, but with other
// extents: rows of a matrix one after the other, as compilers flatten them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::verify {

// Gives buffers of the program, among `mine`, the extents of the one among `wanted` that has their
// type and their name, or is the only one of its type as they are; where the kernel takes it. The
// k-th cell stays the k-th cell. `taken`: names that are not to be used.
void reshape_buffers(rewrite::Proposer& p, const std::vector<ir::Buffer>& mine,
                     const std::vector<ir::Buffer>& wanted, const std::set<std::string>& taken);

}  // namespace proviso::verify
