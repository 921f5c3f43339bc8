// From decorated functions and modules to ir::Function and ir::Module.
#pragma once

#include "ir/text/python.h"
#include "ir/text/stmt_binder.h"

namespace proviso::ir {

// @T.prim_func def …; throws Failure on a user's mistake.
// `functions`: those of the module, for calls; may be empty.
Function bind_function(Context& ctx, const python::Source& source,
                       const python::Statement& definition, const ModuleFunctions& functions);

// A file of functions, or of one @I.ir_module class of functions.
Module bind_module(Context& ctx, const python::Module& file);

}  // namespace proviso::ir
