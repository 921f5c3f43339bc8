// Symbolic execution of a function at concrete sizes: loops unrolled, branches on data taken both
// ways under their conditions, every condition for the absence of faults recorded, and what a
// caller sees beside the tensors: stops and opaque calls. What comes after an assert is under the
// condition that no assert has failed: a cell that the function leaves is the one at the stop,
// where it stops.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/tv/state.h"

namespace proviso::verify {

// A condition that the run needs in order not to fault, under the branches taken and where it has
// not stopped before: closed claims over the symbols of the initial state and of opaque results.
struct Requirement {
    ir::Expr claim = nullptr;
    std::string what;  // "divisor is not zero at body/0/body"
};

// The run stops with this message where `where` holds; no two stops of a run hold together.
struct Stop {
    ir::Expr where = nullptr;
    std::string message;
};

// The run makes this opaque call where `where` holds: T.call_extern of the values of its arguments.
// What the n-th of a run's calls returns is the symbol `result n of NAME`, any value of its type,
// so that runs that make the same calls in the same order are given the same results.
struct CallEvent {
    ir::Expr where = nullptr;
    ir::Expr call = nullptr;
};

struct SymbolicRun {
    std::vector<SymbolicTensor> tensors;  // of the parameters, in order
    std::vector<Requirement> requirements;
    std::vector<Stop> stops;       // in order
    ir::Expr runs_through;         // no assert fails
    std::vector<CallEvent> calls;  // in order
    // That no assert in a concurrent loop fails. Where one does, all else here is about another
    // run: stops of several iterations have no order.
    std::vector<Requirement> never_stops;
    // Not empty: a let chose a value for one that may be indeterminate, and where. The choice is a
    // symbol, so that what holds, holds whatever is chosen: of use for the program after, only.
    std::string froze;
    // Not empty: a claim of a region was left out, and which. What is required lacks it: of use for
    // the program before, only.
    std::string open_claims;
    std::string unsupported;  // not empty: the run was given up, and why
};

// Why a run was given up that takes more steps than its limit.
inline constexpr const char* kTooManySteps = "more steps than the limit";
// Why one is that allocates a buffer of more cells than its limit: "unsupported: a large
// allocation, tmp has more than 65536 cells".
inline constexpr const char* kLargeAllocation = "a large allocation";

// `tensors`: one for each of the function's buffer parameters. Scalars without a value in `sizes`
// stay symbols. Given up: extents and loop bounds without a value, indices that depend on cells,
// opaque calls in concurrent loops (their order is open), more than `step_limit` steps, and more
// than `cell_limit` cells of one buffer that is allocated. What blocks claim of their regions is
// required where it is constant at these sizes.
SymbolicRun execute(ir::Context& ctx, Simplifier& simplifier, const ir::Function& f,
                    const Sizes& sizes, std::vector<SymbolicTensor> tensors,
                    std::uint64_t step_limit, std::size_t cell_limit);

}  // namespace proviso::verify
