// proviso fuzz: options as plain data, as in tools/commands.h.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace proviso::tools {

struct FuzzCommand {
    std::uint64_t cases = 1000;
    bool cases_given = false;
    std::uint64_t first = 0;  // number of the first case
    double time = 0;          // seconds; 0: no limit
    std::uint64_t seed = 0;
    std::uint64_t expressions = 0;  // 0: programs; else so many questions to the simplifier
    unsigned jobs = 1;              // threads; 0: one a core
    std::uint64_t inputs = 0;       // with schedules: of a pair; 0: as many as usual
    std::string out;
    std::string reproduce;
    bool planted = false;
    bool omissions = false;
    bool hostile = false;    // wrong proposals to the two theorems
    std::string page;        // with planted, omissions or hostile: the page of the docs
    std::string only;        // with those: faults whose name contains this
    std::string junit;       // file for the result as JUnit XML; empty: none
    bool show = false;       // programs and schedules, as they are made
    bool schedules = false;  // every case a schedule, no guessed steps
    bool graphs = false;     // every case a network, and layouts of its tensors
    bool steps = false;      // general programs, and any rule with any arguments on them
    bool forged = false;     // steps that are accepted, with a mistake in what they propose
    bool gpu = false;        // programs on blocks and threads instead; with planted: those faults
    bool json = false;
    bool quiet = false;
};
void add_fuzz(CLI::App& app, FuzzCommand& o);
int run_fuzz(const FuzzCommand& options);

}  // namespace proviso::tools
