// What an editor asks of a schedule: the verdict on each of its calls, found by running it on the
// program that it is for.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/lsp/program_view.h"

namespace proviso::tools::lsp {

// Whether a file is a schedule: its name ends in ".sch.py", or calls of `sch` stand in it outside
// of functions that are programs.
bool is_schedule(const Document& d);

// The program that a schedule is for: what a line `# proviso: program FILE` says, or NAME.py for
// NAME.sch.py; empty: nobody says. Relative paths begin at the schedule's folder.
std::string program_of_schedule(const Document& d);

// Runs the schedule: {"diagnostics": [Diagnostic], "calls": [{"line", "title", "gives", "hover"}]}.
// A step may ask solvers, so this may take long.
nlohmann::json run_for_editor(const Document& schedule, const Document& program);

// Of the call at that line: what it takes, and, of the last run, what it gave.
nlohmann::json schedule_hover(const Document& d, ir::python::Position at,
                              const nlohmann::json& calls);
// A block or loop, by name or by the variable that holds it, in the program; or the variable's own
// assignment.
nlohmann::json schedule_definition(const Document& d, ir::python::Position at,
                                   const Document& program, const nlohmann::json& calls);

}  // namespace proviso::tools::lsp
