// A stage of a function as a function of its own: parameters, and the contract under which it may
// be reasoned about alone, which the rule `outline` checks (rules/statement/outline.h).
#pragma once

#include <string>

#include "ir/context.h"
#include "rewrite/rules/statement/outline.h"

namespace proviso::rewrite {

// The function `name` whose body is the stage. Its parameters are the buffers and variables that
// the stage uses and does not bind, under their own names: buffers first, then scalars, in the
// order in which the function binds them. Attributes: declared bounds of what is passed, that a
// size of a buffer is not negative (where the buffer itself is not passed), licences, those on a
// parameter's cells and layout relations of parameters that the function never writes, and
// "proviso.indet": the buffers whose cells may be indeterminate when the stage begins. Fails where
// that contract does not hold, as where the stage does not stand at the top of the function.
Result<ir::Function> outlined(ir::Context& ctx, const ir::Function& f, const Stage& stage,
                              const std::string& name);

}  // namespace proviso::rewrite
