// Proof logs that are wrong.
#pragma once

#include "fuzz/inputs/mutate.h"
#include "fuzz/inputs/seeds.h"

namespace proviso::fuzz::inputs {

// Changes the files of a log; what becomes something else than a file goes to `odd` (cases.h).
void change_log(Random& random, Files& log, Files& odd);

}  // namespace proviso::fuzz::inputs
