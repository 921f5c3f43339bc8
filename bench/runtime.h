// Run time of over-computed code without branches against the same schedule with its guards, both
// proved and compiled here.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace proviso::bench {

// [{"name", "guarded_us", "branch_free_us", "ratio", "branches": [before, after]}]: the fastest of
// several runs each; ratio > 1: the branch-free code is faster. An entry has "failed" instead where
// a schedule is refused or the two results differ.
nlohmann::json measure_runtime();

}  // namespace proviso::bench
