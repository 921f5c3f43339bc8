// Where the instructions of a trace's text begin.
#pragma once

#include <string_view>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::rewrite {

// Of well-formed JSON `[[…, …], …]`: the beginnings of the elements of the first list.
std::vector<ir::python::Position> instruction_positions(std::string_view text);

}  // namespace proviso::rewrite
