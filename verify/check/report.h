// What the report of `check` says of choices of sizes, and how.
#pragma once

#include <string>
#include <vector>

#include "verify/tv/validate.h"

namespace proviso::verify {

// The reason, and the option of the command that raises the limit which it names.
std::string with_option(const std::string& why);

bool agrees(const TvResult& r);
// Nothing that a caller can do at these sizes tells the programs apart.
bool settled(const TvResult& r);

// "n = 1, 2, 15" of one size; "n = 1, m = 2; n = 3, m = 3" of several, the first of them.
std::string all_sizes_text(const std::vector<TvResult>& all);
std::vector<TvResult> those(const std::vector<TvResult>& at, bool (*which)(const TvResult&));

}  // namespace proviso::verify
