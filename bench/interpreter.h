// Speed of the reference interpreter.
#pragma once

#include <string>
#include <vector>

namespace proviso::bench {

// `proviso-bench interpreter ARGS`: simple operations a second of processor time on one core, for
// each of a few programs. A simple operation is one step of the interpreter's counter, the one that
// InterpOptions::step_limit bounds: one statement executed or one expression node evaluated. Gives
// the exit code: 1 when a program does not run through, 2 for wrong arguments.
int interpreter_command(const std::vector<std::string>& args);

}  // namespace proviso::bench
