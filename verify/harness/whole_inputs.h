// Inputs for one run of a function, of any size: what `proviso run` makes up.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/harness/compare.h"

namespace proviso::verify {

// As random_inputs, and through the function's layouts: what the function itself is given. `fixed`
// as in InputOptions. Fails with the hint kTooManyCells where all buffers together have more than
// so many cells, or one needs more in its layout.
Result<ir::Inputs> whole_inputs(ir::Context& ctx, const ir::Function& f, std::uint64_t seed,
                                const Sizes& fixed, std::size_t cells);

// As physical_inputs, with the parameters at hand.
Result<ir::Inputs> packed_inputs(const std::vector<ConcreteParameter>& parameters,
                                 const ir::Inputs& logical, const CompareOptions& options = {});

// A step limit that leaves so many for the body: extents of parameters are evaluated before it.
std::uint64_t step_limit_of(const ir::Function& f, std::uint64_t of_body);

}  // namespace proviso::verify
