// A buffer that the caller lends, and whose contents mean nothing to it.
#pragma once

#include <string>
#include <vector>

#include "ir/context.h"
#include "ir/function.h"
#include "ir/result.h"

namespace proviso::verify {

// The programs with these parameters as buffers that they allocate, which is what a workspace comes
// to: a fresh one holds nothing, and nobody sees it in the end. Gives a sentence for each.
Result<std::vector<std::string>> lend_workspaces(ir::Context& ctx, ir::Function& before,
                                                 ir::Function& after,
                                                 const std::vector<std::string>& names);

}  // namespace proviso::verify
