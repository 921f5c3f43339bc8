// Every expression of a function with its site, for those who choose one at random.
#pragma once

#include <utility>
#include <vector>

#include "ir/site.h"

namespace proviso::fuzz {

// Direct expression children of statements and everything below them, parents first, in textual
// order.
std::vector<std::pair<ir::Site, ir::Expr>> all_expressions(const ir::Function& f);

}  // namespace proviso::fuzz
