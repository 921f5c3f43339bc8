// What the inputs are made of: programs, schedules, questions, certificates and proof logs that are
// right.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/result.h"

namespace proviso::fuzz::inputs {

using Files = std::map<std::string, std::string>;  // name within its folder -> bytes

struct Seeds {
    std::vector<std::string> programs;
    std::vector<std::pair<std::string, std::string>> scheduled;     // program, schedule
    std::vector<std::string> questions;                             // lines for `prove --batch`
    std::vector<std::pair<std::string, std::string>> certificates;  // obligation, certificate
    std::vector<Files> logs;
};

// From the repository at `root`; its proof logs are made by the command at `proviso`, in `scratch`.
Result<Seeds> read_seeds(const std::filesystem::path& root, const std::string& proviso,
                         const std::filesystem::path& scratch);

}  // namespace proviso::fuzz::inputs
