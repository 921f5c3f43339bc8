// Symbolic execution of a function at concrete sizes: loops unrolled, branches on data taken both
// ways under their conditions, every condition for the absence of faults recorded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/tv/state.h"

namespace proviso::verify {

// A condition that the run needs in order not to fault, under the branches taken: closed claims
// over the symbols of the initial state.
struct Requirement {
    ir::Expr claim = nullptr;
    std::string what;  // "divisor is not zero at body/0/body"
};

struct SymbolicRun {
    std::vector<SymbolicTensor> tensors;  // of the parameters, in order
    std::vector<Requirement> requirements;
    std::string unsupported;     // not empty: the run was given up, and why
    bool met_an_assert = false;  // one that is not true at these sizes
};

// Why a run was given up that takes more steps than its limit.
inline constexpr const char* kTooManySteps = "more steps than the limit";

// `tensors`: one for each of the function's buffer parameters. Scalars without a value in `sizes`
// stay symbols. `asserts_hold`: an assert is a requirement, as an assume is; else one that is not
// true at these sizes is given up. Given up, too: extents and loop bounds without a value, indices
// and asserts that depend on cells, lets of values that may be indeterminate (they choose), opaque
// calls, and more than `step_limit` steps.
SymbolicRun execute(ir::Context& ctx, Simplifier& simplifier, const ir::Function& f,
                    const Sizes& sizes, std::vector<SymbolicTensor> tensors,
                    std::uint64_t step_limit, bool asserts_hold = false);

}  // namespace proviso::verify
