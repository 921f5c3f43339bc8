// Well-formedness: what every function must satisfy before anything else looks at it.
#pragma once

#include <vector>

#include "ir/function.h"
#include "ir/result.h"

namespace proviso::ir {

// Everything that is wrong, most important first; empty when the function is well-formed. Checked: binder names are
// unique; variables and buffers are in scope and used with their types; no logic-only operators; conditions are
// bool; T.undef() is not in conditions, indices or bounds except as permission to read in an assume.
std::vector<Diagnostic> well_formed(const Function& f);

}  // namespace proviso::ir
