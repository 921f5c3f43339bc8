// What `check` has found as a page for a browser.
#pragma once

#include <string>
#include <vector>

#include "ir/function.h"
#include "verify/check/check.h"

namespace proviso::tools {

// `under`: the relation of the two interfaces, in words.
std::string check_page(ir::Context& ctx, const ir::Function& before, const ir::Function& after,
                       const verify::CheckReport& report, const std::vector<std::string>& under);

}  // namespace proviso::tools
