// Inputs for a function, made up: sizes within their declared bounds, cells of several moods (all
// zero, small, special floats, extremes, noise, one value everywhere, floats with all their
// digits), all as the source's caller gives them.
#pragma once

#include <cstdint>

#include "verify/harness/compare.h"

namespace proviso::verify {

struct InputOptions {
    std::int64_t max_extent = 6;       // of size variables without a declared bound
    std::size_t cell_limit = 1 << 16;  // of one buffer
    Sizes fixed = {};                  // scalar parameters and sizes whose values are given
};

// A seed whose floats make each sum and product round.
inline constexpr std::uint64_t kRoundingSeed = 12;

// A function of `seed` alone. Grants made by licences are kept: buffers that are declared finite
// get finite values. Assumptions of the program are not looked at: a run that breaks one faults.
// Fails when the shapes cannot be given values.
Result<ir::Inputs> random_inputs(ir::Context& ctx, const ir::Function& f, std::uint64_t seed,
                                 const InputOptions& options = {});

}  // namespace proviso::verify
