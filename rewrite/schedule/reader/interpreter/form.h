// What the text of a schedule may consist of, before any call is looked at: statements that would
// be dropped, or would run although Python does not run them, are mistakes.
#pragma once

#include "ir/text/reader/python/python.h"

namespace proviso::rewrite {

// The `def` whose body is the schedule: one of one parameter that nothing calls, where the file has
// no calls of its own. Null: the statements of the file are the schedule. Throws ir::Failure at an
// import, at a `def` that nothing calls otherwise, at what follows a `return`, and at another
// meaning of the schedule object's name.
const ir::python::Statement* check_form(const ir::python::Module& module);

}  // namespace proviso::rewrite
