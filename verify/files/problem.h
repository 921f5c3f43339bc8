#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace proviso::verify {

// Something that is wrong with a log. `line` counts from 1; 0: the file as a whole.
struct Problem {
    std::string file;
    std::size_t line = 0;
    std::string what;
    std::string str() const;  // "steps.jsonl:3: the line was changed"
};

}  // namespace proviso::verify
