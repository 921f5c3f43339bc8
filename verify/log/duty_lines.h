// What a theorem asks of a caller, for people who know the parameters and nothing of proofs.
#pragma once

#include <string>
#include <vector>

#include "verify/log/duties.h"

namespace proviso::verify {

// A line each.
std::vector<std::string> lines_of(const Duties& duties);

}  // namespace proviso::verify
