// The canonical text of a syntax tree: one statement a line, four spaces a level, only the brackets
// that are needed. Reading it gives the same tree.
#pragma once

#include <string>

#include "ir/text/reader/python/python.h"

namespace proviso::ir::python {

std::string print(const Node& node);
std::string print(const Module& file);

}  // namespace proviso::ir::python
