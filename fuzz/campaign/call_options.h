// What a call in a schedule is made with, in words that calls share: the options that a campaign
// counts, so that one which is never accepted is seen.
#pragma once

#include <string>
#include <vector>

namespace proviso::fuzz {

// Of the call on line `line` (from 1) of the schedule: "partial=True", "plan=\"after\"",
// "pad_value=lambda", "conditionals=\"IfElseStmt\"", "3 factors", "buffer by number",
// "\"threadIdx.x\"", "3 loops". None where there is no such line.
std::vector<std::string> call_options(const std::string& schedule, int line);

}  // namespace proviso::fuzz
