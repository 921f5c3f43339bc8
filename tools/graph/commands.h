// proviso graph: options as plain data, as in tools/commands.h.
#pragma once

#include <string>
#include <vector>

#include "tools/commands.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace proviso::tools {

struct GraphCommand {
    // What `proviso lower` does with the network and the schedule: its program, function, emit,
    // log, … A schedule is written to its folder, too, where "schedule" is emitted or others are.
    LowerOptions lower;
    bool list = false;                   // operators and tensors only
    std::string costs;                   // file; empty: bytes
    std::string measure;                 // file to write measured costs to; empty: none
    std::vector<std::string> templates;  // empty: the usual ones
    std::vector<std::string> repack;     // parameters that may change their layouts
};
void add_graph(CLI::App& app, GraphCommand& o);
int run_graph(const GraphCommand& options);

}  // namespace proviso::tools
