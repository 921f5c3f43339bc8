// A failure of a campaign seen again.
#pragma once

#include <string>

#include "ir/result.h"

namespace proviso::fuzz {

struct Reproduction {
    bool reproduced = false;  // the same oracle raised the alarm again
    std::string text;         // what it says now
};
// Asks the oracle again, from the files alone. `proviso`: the program, which a failure that
// Oclgrind saw needs. Fails also when there is nothing to ask any more: kernels that are refused.
Result<Reproduction> reproduce(const std::string& path, const std::string& proviso = "");

}  // namespace proviso::fuzz
