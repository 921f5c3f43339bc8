// Generated programs of plain loops with schedules that bring them to blocks and threads: the ways
// that people take (element by element, stencils with a halo in shared memory, transposition
// through a tile, matrix products in tiles, sums of rows, two kernels in sequence), with their
// sizes, factors, axes and extra steps drawn, and now and then a wrong turn.
#pragma once

#include <string>
#include <vector>

#include "fuzz/gen/program.h"

namespace proviso::fuzz {

struct ScheduledProgram {
    std::string text;      // TVMScript, every store in a block
    std::string schedule;  // Python calls; a primitive may be refused, where the schedule ends
    std::map<std::string, CellRange> ranges;
    std::vector<std::string> features;
};

// The elementary functions that kernels have, of every float but float64.
const std::vector<std::string>& elementary_functions();

// Without faults on inputs in `ranges`.
ScheduledProgram generate_gpu_schedule(Choice& choice);

}  // namespace proviso::fuzz
