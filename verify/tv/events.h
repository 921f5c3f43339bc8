// What a caller sees of two runs beside their tensors: the opaque calls, in order and with their
// arguments, and where they stop with which message.
//
// Calls are compared one by one. The n-th call of each run returns the same symbol, which says what
// an opaque function does only as long as all calls before were the same: so no difference further
// on is looked at where these differ.
#pragma once

#include "verify/tv/claims.h"
#include "verify/tv/executor.h"

namespace proviso::verify {

// Both make the same calls. False, with the result of `claims` filled in, where that is not shown.
bool same_calls(ir::Context& ctx, Simplifier& simplifier, Claims& claims, const SymbolicRun& before,
                const SymbolicRun& after);

// Both stop with the same message wherever one of them does. After same_calls.
bool same_stops(ir::Context& ctx, Simplifier& simplifier, Claims& claims, const SymbolicRun& before,
                const SymbolicRun& after);

}  // namespace proviso::verify
