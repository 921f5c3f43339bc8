// Programs with schedules, from the scenario files among the tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace proviso::bench {

struct ScheduledProgram {
    std::string name;
    std::string schedule;
    std::string program;
};

// Of every *.scenario file below the folder, by path; none when there is no such folder. The format
// is documented in tests/scenarios/README.md.
std::vector<ScheduledProgram> scenarios_in(const std::filesystem::path& folder);

}  // namespace proviso::bench
