// Buffers that the programs allocate: those of both, by the names of the second one; those of one
// alone, inlined or filled.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::verify {

// Steps after which the program allocates around everything what `after` does, and nothing else.
// Gives the site below these allocations, which is one of both programs. None: not possible, and
// `tried` says why. `dissolve`: what can be inlined is, also where the second program allocates the
// like, or where the allocation stands in a loop.
std::optional<ir::Site> match_temporaries(rewrite::Proposer& p, const ir::Function& after,
                                          bool dissolve, std::vector<std::string>& tried);

// What is stored to the buffer, by one statement, in the place of each load; then the store and the
// allocation go. False: not possible; the program may have changed.
bool inline_buffer(rewrite::Proposer& p, ir::Buffer buffer, std::vector<std::string>& tried);

}  // namespace proviso::verify
