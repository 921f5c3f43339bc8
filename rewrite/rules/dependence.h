// Dependences between two pieces of program, decided cell by cell: the obligations that let loops
// be merged or taken apart.
#pragma once

#include <string>
#include <vector>

#include "analysis/claims.h"

namespace proviso::rewrite {

// Statements inside one loop, and the loop's variable.
struct LoopPart {
    std::vector<ir::Site> statements;
    ir::Expr var = nullptr;
};

// Which pairs of iterations change their order: (i of the first part, j of the second).
enum class Crossing : std::uint8_t {
    Later,     // j < i
    Different  // j != i: the loops are concurrent
};

// For every access of `first` at iteration i and of `second` at iteration j that cross: they do not
// touch one cell, one of them writing. Loops around `site`, where both parts stand, are at one
// iteration. An index that reads memory which the function writes may be anything.
std::vector<analysis::Obligation> no_crossing_dependence(const analysis::MemoryModel& memory,
                                                         const ir::Site& site,
                                                         const LoopPart& first,
                                                         const LoopPart& second, Crossing crossing,
                                                         const std::string& what);

}  // namespace proviso::rewrite
