// A stage of a function as a function of its own: parameters, and the contract under which it may
// be reasoned about alone. The meaning of the whole is the stage in its place (docs/semantics.md,
// "Functions that call functions"), so that nothing is known in the new function but what its
// parameters promise.
#pragma once

#include <string>

#include "ir/context.h"
#include "ir/site.h"

namespace proviso::rewrite {

// Statements that stand next to each other: `count` elements of a list from `site` on.
struct Stage {
    ir::Site site;
    std::size_t count = 1;
};

// The function `name` whose body is the stage. Its parameters are the buffers and variables that
// the stage uses and does not bind, under their own names: buffers first, then scalars, in the
// order in which the function binds them. Attributes: declared bounds of what is passed, that a
// size of a buffer is not negative (where the buffer itself is not passed), licences, those on a
// parameter's cells and layout relations of parameters that the function never writes, and
// "proviso.indet": the buffers whose cells may be indeterminate when the stage begins.
//
// Fails when the stage does not stand at the top of the function (lists, allocations and lets may
// be around it), and when it uses a parameter in a changed layout that the function writes.
Result<ir::Function> outlined(ir::Context& ctx, const ir::Function& f, const Stage& stage,
                              const std::string& name);

// The stage as one statement; `f` with another one in its place.
Result<ir::Stmt> stage_body(ir::Context& ctx, const ir::Function& f, const Stage& stage);
ir::Function with_stage(ir::Context& ctx, const ir::Function& f, const Stage& stage,
                        ir::Stmt replacement);

}  // namespace proviso::rewrite
