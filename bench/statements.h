// What a kernel step takes, and how that and a whole lowering grow with the number of statements of
// the program, measured in one run.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace proviso::bench {

// Of every step that the scenarios' schedules and lowerings take, done again on a fresh prover:
// {"steps", "median_us", "p90_us", "max_us"}.
nlohmann::json measure_steps(const std::filesystem::path& scenarios);

// In the form of measure_growth(): a whole lowering, the median of its steps, its proof log
// (without certificates; KiB are those on disk), and remove_no_op of stores of which half are dead.
nlohmann::json measure_statement_growth();

}  // namespace proviso::bench
