// What `proviso serve` is asked: two programs and the options of `check`, read from a line of JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/commands.h"

namespace proviso::tools {

struct ServeRequest {
    std::string before;  // text of the program
    std::string after;
    CheckOptions options;
};
// Nothing in the programs is read yet.
Result<ServeRequest> read_serve_request(const nlohmann::json& line);

}  // namespace proviso::tools
