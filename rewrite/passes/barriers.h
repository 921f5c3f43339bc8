// Where a kernel has barriers: what the rule `sync` has written down, and what is enough without
// it.
#pragma once

#include <optional>
#include <set>

#include "ir/result.h"
#include "rewrite/rules/block_level.h"

namespace proviso::rewrite {

// The places after phases that lie on some way: barriers there are enough for everything.
std::set<ir::Site> after_every_phase(const BlockLevel& level);

// What the attribute says of the kernels of a function; null without it. Fails on anything but a
// list of places.
Result<std::optional<std::set<ir::Site>>> stated_barriers(const ir::Function& f);

}  // namespace proviso::rewrite
