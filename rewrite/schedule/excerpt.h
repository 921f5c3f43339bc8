// The part of a program's text that a message is about: statements with carets below, and what
// stands around them.
//
//   for i in range(5):
//       for j in range(27):
//           with T.block("row_sum"):
//           ^^^^^^^^^^^^^^^^^^^^^^^^
//               …
#pragma once

#include <string>
#include <vector>

#include "ir/context.h"
#include "ir/site.h"

namespace proviso::rewrite {

// Lines, each ending in a newline, for the statements at these sites, and those that the
// expressions there stand in. Of many statements the first are shown; empty where there is none.
std::string excerpt(ir::Context& ctx, const ir::Function& f, const std::vector<ir::Site>& marked);

}  // namespace proviso::rewrite
