// Sizes that given tensors tell.
#pragma once

#include "ir/children.h"
#include "ir/function.h"
#include "ir/interp/interpreter.h"
#include "ir/result.h"

namespace proviso::tools {

// `sizes`, and what the shapes of the tensors among `inputs` say of the function's other size
// variables: `n` for an extent `n`, and half the length for an extent `n * 2`. An extent tells one
// variable, in which it is linear, when the others in it are known. An error where no integer of
// the variable's type gives the length.
Result<ir::Substitution> with_sizes_given(ir::Context& ctx, const ir::Function& f,
                                          const ir::Inputs& inputs, ir::Substitution sizes);

}  // namespace proviso::tools
