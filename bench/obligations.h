// Which obligations the cheap deciders leave to solvers: of the examples, of the schedules among
// the tests, of a fuzzing campaign. What people look at who want to close more of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"

namespace proviso::bench {

struct ObligationSource {
    std::string name;
    std::uint64_t asked = 0;  // each once
    std::uint64_t cheap = 0;
    std::uint64_t certified = 0;  // proved with a certificate
    std::uint64_t proved = 0;     // by a solver
    std::uint64_t sampled = 0;    // refuted by values that were tried
    std::uint64_t refuted = 0;    // by a solver
    std::uint64_t unknown = 0;
    std::vector<std::uint64_t> cheap_ns;
    std::vector<std::string> open;  // a line of JSON each: what was not closed cheaply
};

struct SurveyOptions {
    std::filesystem::path examples = "examples";
    std::filesystem::path schedules = "tests/scenarios";
    std::uint64_t fuzz_cases = 500;
    std::uint64_t fuzz_seed = 7;
};

// Missing folders give sources without obligations.
std::vector<ObligationSource> survey(const SurveyOptions& options);

// {"asked", "closed_cheaply", "share", "share_of_proved", "median_us", "p95_us", ..}
nlohmann::json summary(const ObligationSource& source);

}  // namespace proviso::bench
