// The lines of defence as functions: each looks for something wrong with the build as it is, within
// a fixed budget, from fixed seeds, and says what it saw. A sound build gives nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/planted/registry.h"

namespace proviso::fuzz {

struct Defence {
    const char* name;
    // What it noticed, in words; nullopt: nothing.
    std::optional<std::string> (*look)(const PlantedFault& fault);
};

// In the order in which they are asked.
const std::vector<Defence>& defences();

}  // namespace proviso::fuzz
