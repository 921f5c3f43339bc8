// What the text of a schedule may consist of, before any call is looked at: statements that would
// be dropped, or would run although Python does not run them, are mistakes.
#pragma once

#include "ir/text/reader/python/python.h"

namespace proviso::rewrite {

// Calls and assignments alone, or one `def` of one parameter that holds them and may end in
// `return` or `return sch`. Throws ir::Failure otherwise: at an import, at a second `def` or calls
// beside it, at what follows a `return`, at another meaning of the schedule object's name, and at a
// choice of Python between blocks or loops. To be asked before numbers are computed, which takes
// such a choice for the one arm or the other.
void check_form(const ir::python::Module& module);

}  // namespace proviso::rewrite
