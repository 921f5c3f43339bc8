// Generated programs whose loops are bound to blocks and threads where they are written: the shapes
// of GPU code. Tiles in shared memory that are filled, changed and read in phases; registers that
// live across phases; trees; loops and branches around phases, over sizes known at run time; tails
// with guards; a second kernel. What is stored where is mostly one thread's own cell, and now and
// then it is not, so that some programs race.
#pragma once

#include <string>

#include "fuzz/gen/program.h"

namespace proviso::fuzz {

struct BoundProgram {
    std::string text;  // TVMScript
    std::map<std::string, CellRange> ranges;
    std::vector<std::string> features;
    // No thread reads a cell of a block's buffers before it is stored to, as far as Oclgrind sees.
    bool initialised = true;
};

// Without faults on inputs in `ranges` but for data races, and for integers that leave their type's
// range after several products.
BoundProgram generate_bound_program(Choice& choice);

}  // namespace proviso::fuzz
