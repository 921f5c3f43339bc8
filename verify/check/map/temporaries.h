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
// `tried` says why.
std::optional<ir::Site> match_temporaries(rewrite::Proposer& p, const ir::Function& after,
                                          std::vector<std::string>& tried);

}  // namespace proviso::verify
