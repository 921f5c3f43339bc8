// The oracle of indeterminate values: a definite value in the place of an `indet` never adds a
// fault, and what a run leaves then refines what it left before (docs/semantics.md, "undef, indet,
// assume"). Rules that drop a store of undef, lower undef to zero, or put a value in its place
// stand on this.
#pragma once

#include <optional>

#include "fuzz/oracle/finding.h"

namespace proviso::fuzz {

struct MonotoneCounts {
    std::uint64_t runs = 0;     // pairs of runs
    std::uint64_t counted = 0;  // of those, where the run on indeterminate cells had no fault
    std::uint64_t frozen = 0;   // not counted: a let chose a value, so that one run says too little
};

// Runs `f` `runs` times with some cells of its parameters indeterminate, and again with values in
// their places: of any size, whatever `ranges` say of the other cells.
std::optional<Finding> check_monotone(const ir::Function& f,
                                      const std::map<std::string, CellRange>& ranges, int runs,
                                      std::uint64_t seed, MonotoneCounts& counts);

}  // namespace proviso::fuzz
