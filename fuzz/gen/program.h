// Generated programs: well-formed and, on inputs within the stated ranges, without faults by
// construction. They mix what rewrites stumble over: extents that no factor divides, guards,
// reductions in their spellings, index maps with divisions, blocks, undef, assumes, concurrent
// loops, wrapping types.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fuzz/gen/choice.h"
#include "ir/context.h"

namespace proviso::fuzz {

// Inclusive; of the cells of an integer parameter.
struct CellRange {
    ir::Int128 lo = 0;
    ir::Int128 hi = 0;
};

struct GeneratedProgram {
    ir::Function function;
    std::map<std::string, CellRange> ranges;  // of integer inputs, by parameter name
    std::vector<std::string> features;        // what the program has: "reduction", "block", ..
};

enum class ProgramStyle : std::uint8_t {
    Mixed,   // plain loops and blocks
    Blocks,  // every store is in a block, as schedules want it
};

GeneratedProgram generate_program(ir::Context& ctx, Choice& choice,
                                  ProgramStyle style = ProgramStyle::Mixed);

}  // namespace proviso::fuzz
