// Expressions with facts, to measure simplifiers on: generated index expressions, and what the
// examples and the schedules of the tests ask of the simplifier. As JSON lines, so that another
// program can be measured on the same ones:
//
//   {"ranges": {"i": [0, 8]}, "given": ["j < n"], "expr": "(i * 4 + j) // 4"}
//
// Variables are int32. A range is half-open. Lines with the same ranges and facts that follow each
// other stand in one scope.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace proviso::bench {

// Index expressions as layouts, splits and fusions make them, under ranges of loops; every one is
// different.
std::vector<nlohmann::json> generated_questions(std::size_t count, std::uint64_t seed);

// The integer and boolean expressions of the programs on the way of each example and schedule, with
// the facts at their sites, in order; `distinct`: each only once.
std::vector<nlohmann::json> harvested_questions(const std::filesystem::path& examples,
                                                const std::filesystem::path& schedules,
                                                bool distinct);

// Simplifies each line `rounds` times in fresh contexts, reading not included, and writes a line
// for each: {"result", "size"}. Gives {"seconds": of the fastest round, "count", "nodes_before",
// "nodes_after"}.
nlohmann::json measure_questions(std::istream& in, std::ostream* out, int rounds);

}  // namespace proviso::bench
