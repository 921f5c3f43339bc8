// How time and memory of a simplification grow with what is simplified, measured in one run, and as
// a plot.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace proviso::bench {

// {"curves": [{"name", "sizes": [..], "us": [..], "kib": [..], "exponent"}]}: the exponent b that
// makes time ~ size^b from the second size to the last; 1 is linear.
nlohmann::json measure_growth();

// Both axes logarithmic, times in units of each curve's first; a dashed line shows linear growth.
// The axes reach as far as the largest curve.
std::string growth_svg(const nlohmann::json& growth, const std::string& title);

}  // namespace proviso::bench
