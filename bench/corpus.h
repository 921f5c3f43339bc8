// The corpus of obligations in tests/data/obligations: made, and measured decider by decider.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace proviso::bench {

// `proviso-bench corpus`: the table. With --make the corpus is made again first; --folder=FOLDER is
// where it is, --json prints one line. Exit code 1 when a decider is wrong.
int corpus_command(const std::vector<std::string>& args);

// A claim as obligation_text.h reads it, without a verdict.
struct Claim {
    std::string origin;
    std::string fields;  // JSON: vars, given, goal
};

// Claims on digits, tiles, ceilings and symbolic sizes, right and nearly right; the same for the
// same seed on every machine.
std::vector<Claim> generate_claims(std::uint64_t seed, std::size_t count);
// Everything that the prover is asked while examples, schedules of the tests and generated programs
// are lowered, each claim once. `root`: of the repository.
std::vector<Claim> harvest_claims(const std::string& root, std::size_t from_fuzzing);

}  // namespace proviso::bench
