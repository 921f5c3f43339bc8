// Runs in which somebody may change cells where an assumption does not hold: how inputs are found
// that satisfy what a program assumes about them.
#pragma once

#include <functional>

#include "ir/interp/interpreter.h"

namespace proviso::ir {

class Machine;

// Asked where the assume `at` does not hold in the machine's state, which it may change. Gives
// whether the assume is to be looked at again.
using Mender = std::function<bool(Machine& machine, StmtId at)>;

// As `run`, with a mender. The inputs themselves stay as they are: what was changed is for the
// mender to remember.
Result<Outcome> run_mending(const Program& program, const Inputs& inputs,
                            const InterpOptions& options, const Mender& mender);

}  // namespace proviso::ir
