// Calls of generated schedules about tables of indices, copies of what is updated in place, regions
// that blocks access, and types of buffers.
#pragma once

#include <string>

#include "fuzz/gen/schedules/schedule_blocks.h"

namespace proviso::fuzz {

// A line, right or not; empty: there is nothing to call it for.
std::string copy_call(Choice& choice, const BlockHandles& b);

}  // namespace proviso::fuzz
