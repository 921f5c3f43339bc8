// Numbers as Python computes them, before anything has a type: unbounded integers (here: of 127
// bits, more is a mistake with a message), floats of 64 bits, bools. TVM's parser evaluates every
// operator whose operands are all numbers this way, and types the result only:
//
//     D[0] = (200 + 100) // 2        of uint8 cells, stores 150
//     b = 0.1 + 0.2 == 0.3           False, in whatever type the neighbours are
#pragma once

#include <set>
#include <string>

#include "ir/text/reader/python/python.h"

namespace proviso::ir::python {

// Replaces an operator of numbers by the number that it gives: arithmetic, bits, comparisons,
// logic, `x if c else y` of a constant c; calls of abs, bool, float, int, max and min, and len of a
// list that is written out. Every other node stays as it is. The operands are computed already.
// `hidden`: names that mean something else in this file. Throws Failure for a division by zero and
// its relatives, and for results that are too large.
void compute_number(Node& n, const Source& source, const std::set<std::string>& hidden);

// The same for all that a node and a statement hold.
void compute_numbers(Node& n, const Source& source, const std::set<std::string>& hidden);
void compute_numbers(Statement& s, const Source& source, const std::set<std::string>& hidden);

}  // namespace proviso::ir::python
