// From decorated functions and modules to ir::Function and ir::Module.
#pragma once

#include "ir/text.h"
#include "ir/text/reader/python/python.h"
#include "ir/text/reader/stmt_binder.h"

namespace proviso::ir {

// What the file has around its functions: one for all of them.
struct Surroundings {
    std::vector<std::string> function_names;  // all of the module's
    std::string module;                       // the name of its class; may be empty
    std::set<std::string> names;  // other names that the file gives: constants, macros, imports
    std::map<std::string, python::Position> type_variables;  // n = TypeVar("n")
};
// @T.prim_func def …; throws Failure on a user's mistake. `functions`: those of the module, for
// calls; may be empty.
Function bind_function(Context& ctx, const python::Source& source,
                       const python::Statement& definition, const Surroundings& around,
                       const ModuleFunctions& functions);

// The arguments of a decorator, when it has any: these keywords, each True or False. They speak to
// TVM only (visibility in its modules, its own checks, its dialects), so they are dropped.
void check_decorator(const python::Source& source, const python::Node& decorator,
                     const std::vector<std::string>& keywords);

// A file of functions, or of one @I.ir_module class of functions.
ProgramFile bind_file(Context& ctx, const python::Module& file);

}  // namespace proviso::ir
