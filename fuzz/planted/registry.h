// The planted faults: everything that `proviso fuzz --planted` breaks, one at a time, to see that a
// line of defence notices. The share that is caught is the mutation score of our own checks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace proviso::fuzz {

// How a fault is brought about.
enum class PlantedBy : std::uint8_t {
    Switch,    // ir::planted_fault() is set to the id; the code at the place asks for it
    Proposal,  // a wrong step is proposed: a scenario whose last step is wrong
    Log,       // a finished proof log is edited
    Table,     // an expression rule with a flaw
};

struct PlantedFault {
    std::string id;
    PlantedBy by = PlantedBy::Switch;
    std::string where;      // the part of the build that is broken
    std::string what;       // what breaks, in words
    std::string expected;   // the line of defence that is expected to notice first
    std::size_t lines = 1;  // how many lines of defence have to notice
};

// All of them, in a fixed order; ids are unique.
const std::vector<PlantedFault>& planted_faults();

}  // namespace proviso::fuzz
