// How far two floats of a type are apart.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/type.h"

namespace proviso::verify {

// Units in the last place from the one to the other: how many values of the type are between them,
// and one. None for NaN, infinities, and zeros of different signs, which no number of units makes
// alike.
std::optional<std::uint64_t> ulps_between(ir::ScalarType type, double a, double b);

}  // namespace proviso::verify
