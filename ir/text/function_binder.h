// From decorated functions and modules to ir::Function and ir::Module.
#pragma once

#include "ir/text/python.h"
#include "ir/text/stmt_binder.h"

namespace proviso::ir {

// @T.prim_func def …; throws Failure on a user's mistake.
// `functions`: those of the module, for calls; may be empty. `module`: the name of its class.
Function bind_function(Context& ctx, const python::Source& source,
                       const python::Statement& definition, const ModuleFunctions& functions,
                       const std::string& module);

// The arguments of a decorator, when it has any: these keywords, each True or False. They speak to
// TVM only (visibility in its modules, its own checks, its dialects), so they are dropped.
void check_decorator(const python::Source& source, const python::Node& decorator,
                     const std::vector<std::string>& keywords);

// A file of functions, or of one @I.ir_module class of functions.
Module bind_module(Context& ctx, const python::Module& file);

}  // namespace proviso::ir
