// The layouts of a program's parameters as pictures of their cells.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ir/context.h"
#include "ir/function.h"

namespace proviso::tools {

// Of each parameter with a relation {"buffer", "words", "sizes", "logical", "physical", "padding",
// "rows", "all_rows", "all_columns"}: "words" says each relation, oldest first; "padding" what the
// padding of each holds and who provides it; "logical" and "physical" are extents as text. A row
// has the cells along the last physical dimension, {"at": [its other indices], "cells"}: a cell is
// the list of its logical indices, or the number of the relation whose padding it is. Symbolic
// sizes have values for which there are both, and "sizes" names them. Of a large buffer some rows
// and columns are there. `f` must have layouts that analysis::check_layouts accepts.
nlohmann::json layouts_json(ir::Context& ctx, const ir::Function& f);

}  // namespace proviso::tools
