// What commands answer, as JSON, to a caller in this process that prints it or hands it on: the
// same functions that the commands' batches call, and nothing is printed.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ir/result.h"
#include "tools/commands.h"

namespace proviso::tools {

// A line of `prove --batch` as a question; {"verdict", …, "exit_code"}.
Result<nlohmann::json> prove_answer(const nlohmann::json& line, const ProveOptions& options);
// The same of `simplify --batch` and `solve --batch`.
Result<nlohmann::json> simplify_answer(const nlohmann::json& line, const SimplifyOptions& options);
Result<nlohmann::json> solve_answer(const nlohmann::json& line, const SolveOptions& options);
// A request of `serve`, answered in this process: what crashes here has no process of its own.
Result<nlohmann::json> check_answer(const nlohmann::json& request);

}  // namespace proviso::tools
