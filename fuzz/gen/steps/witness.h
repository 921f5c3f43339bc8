// Guessed witnesses: at which iteration a store wrote a given cell.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fuzz/gen/choice.h"
#include "ir/site.h"

namespace proviso::fuzz {

// Stores to `buffer` with their sites, in textual order.
std::vector<ir::Site> stores_of(const ir::Function& f, ir::Buffer buffer);

// {"statement": SITE, "at": {loop: expression}} for the store at `writer`, such that it writes the
// cell `indices` (over the scope of some other site): loop variables that an index map determines
// are solved for, others get the same iteration, their first or their last. Sometimes off by one.
nlohmann::json guess_witness(ir::Context& ctx, const ir::Function& f, const ir::Site& writer,
                             const std::vector<ir::Expr>& indices, Choice& choice);

}  // namespace proviso::fuzz
