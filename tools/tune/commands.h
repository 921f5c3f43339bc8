// proviso tune: options as plain data, as in tools/commands.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/commands.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace proviso::tools {

struct TuneOptions {
    std::string program;
    std::string schedule;
    std::string function;     // empty: the only one
    std::string cpu;          // that code is for; empty: this machine's
    std::string out;          // tuning file; empty: named after the program
    std::string svg;          // file for a plot; empty: none
    std::uint64_t limit = 0;  // candidates; 0: all
    double time = 0;          // seconds; 0: no limit
    std::uint64_t seed = 0;   // of the order
    bool resume = false;      // go on with the tuning file
    CacheOptions cache;
    int solver_seconds = 60;
    int solver_memory = 1024;         // MiB, of a question to Z3
    std::uint64_t solver_effort = 1;  // times the budgets of solvers
    bool json = false;
    bool verbose = false;
    bool quiet = false;
};
// What `proviso lower` does with the choices of a schedule.
struct ChoiceOptions {
    std::vector<std::string> choose;  // NAME=VALUE
    std::string tuned;                // file that has the values; empty: none
};
struct LowerCommand {
    LowerOptions lower;
    ChoiceOptions choices;
};
int run_lower_command(const LowerCommand& command);

void add_tune(CLI::App& app, TuneOptions& o);
int run_tune(const TuneOptions& options);

}  // namespace proviso::tools
