// Proof logs that are wrong.
#pragma once

#include "fuzz/inputs/mutate.h"
#include "fuzz/inputs/seeds.h"

namespace proviso::fuzz::inputs {

// Changes the files of a log; what becomes something else than a file goes to `odd` (cases.h).
void change_log(Random& random, Files& log, Files& odd);

// The log as one file, of which bytes may be changed before it is compressed, or after.
std::string changed_archive(Random& random, const Files& log);

}  // namespace proviso::fuzz::inputs
