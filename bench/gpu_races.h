// The obligations of race freedom of the scenarios in tests/scenarios/gpu: who closes them, and how
// long that takes.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace proviso::bench {

// Of every scenario that runs: what each bound loop owes, and what `sync` owes where it leaves a
// barrier out, each asked of a new prover. {"scenarios", "obligations", "by": {decider: number},
// "without_solver": share, "median_us", "p99_us", "symbolic": number with a size variable in it}.
nlohmann::json measure_races(const std::filesystem::path& scenarios);

}  // namespace proviso::bench
