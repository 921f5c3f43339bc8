// A call of one function of a module by another. It means the callee's body in the place of the
// call, with the arguments for the parameters: buffers are passed themselves, not copied, and one
// twice only where the callee stores to neither parameter; scalars are observed before the body
// begins. A stop in the callee stops the caller.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "ir/context.h"
#include "ir/result.h"

namespace proviso::ir {

// What a call means, as a block of the callee's name. `unique` gives a name that the caller does
// not use yet for a binder of the callee. Fails when arguments do not fit the parameters: number,
// kind, type, shape, or a buffer given twice.
Result<Stmt> inlined_call(Context& ctx, const Function& callee, const std::vector<Param>& arguments,
                          const std::function<std::string(const std::string&)>& unique);

}  // namespace proviso::ir
