// C functions that scenarios of `tensorize` name, for machine code that runs in this process.
#pragma once

#include <map>
#include <string>

#include "backend/cpu/options.h"

namespace proviso::scenarios {

const std::map<std::string, backend::ExternFunction>& externals();

}  // namespace proviso::scenarios
