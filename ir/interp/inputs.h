// Gives a machine its inputs, after checking that they fit the function's parameters.
#pragma once

#include "ir/interp/machine.h"

namespace proviso::ir {

// Fails on missing and unknown names, on other types or shapes than declared, and on scalars out of
// their type's range or declared bounds. Sizes that only occur as an extent of a buffer parameter
// are read off the tensor.
Status load_inputs(Machine& machine, const Inputs& inputs);

}  // namespace proviso::ir
