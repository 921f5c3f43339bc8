// The inputs of a pair: a program and what was made of it run on each, the machine code on the same
// ones. Each is a function of the series' seed and its number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "fuzz/oracle/finding.h"

namespace proviso::fuzz {

// How the k-th run of a series is set up. The first ten are those of five kinds, twice: small and
// adversarial cells, and those at the ends of their types. Later ones have kinds of their own
// between these: one value in all cells, few cells that differ from the others, any exponent.
RunSetup run_setup(std::uint64_t seed, int k);

// Runs of a series whose input is another one than those before, by their numbers.
using InputNumbers = std::set<int>;

class InputSeries {
  public:
    // `source` and `ranges` must live as long.
    InputSeries(const ir::Function& source, const std::map<std::string, CellRange>& ranges,
                int runs, std::uint64_t seed)
        : source_(source), ranges_(ranges), runs_(runs), seed_(seed) {}

    struct Run {
        RunSetup setup;
        ir::Inputs inputs;
        bool is_new = false;  // no run before had these inputs
    };
    // Nothing after the last one. An input that is not new is left out, but for the first ten,
    // which are run in different ways.
    std::optional<Run> next();

  private:
    const ir::Function& source_;
    const std::map<std::string, CellRange>& ranges_;
    int runs_;
    std::uint64_t seed_;
    int number_ = 0;
    std::set<std::string> seen_;  // inputs, by their bytes
};

}  // namespace proviso::fuzz
