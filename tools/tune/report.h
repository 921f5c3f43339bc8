// What `proviso tune` tells: a text, and a plot.
#pragma once

#include <string>

#include "tools/tune/tuning.h"

namespace proviso::tools {

// "38.1 us", from nanoseconds.
std::string time_text(std::int64_t nanoseconds);

// How many candidates were measured and refused, the fastest ones, and refusals by their reasons.
std::string tuning_text(const Tuning& tuning, bool verbose);

// Candidates in the order of trial against their times, on a logarithmic scale, with the fastest so
// far as a line; refused ones as crosses below. An SVG.
std::string tuning_svg(const Tuning& tuning);

}  // namespace proviso::tools
