// The memory that a command may fill.
#pragma once

#include <cstdint>

namespace proviso::tools {

// Bytes of this machine's memory, or of what its control group is given of it.
std::uint64_t machine_memory();

}  // namespace proviso::tools
