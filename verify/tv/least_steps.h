// How many steps a run takes, without taking them: of a program whose loops alone exceed the limit
// nothing would come out, so it need not be run to find that out.
#pragma once

#include <cstdint>

#include "ir/function.h"
#include "verify/harness/contract.h"

namespace proviso::verify {

// Every execution of `f` at these sizes that is not given up or ended before, by a fault or by an
// assert that always fails, takes more than `limit` steps: statements and expression nodes, as the
// executor counts them. Counted are loops whose bounds are constant at these sizes, and what runs
// whatever the data are.
bool takes_more_steps(ir::Context& ctx, const ir::Function& f, const Sizes& sizes,
                      std::uint64_t limit);

// About as many steps as a run of the interpreter takes that no assert and no fault ends: of each
// branch the longer arm, of conjunctions all parts. Loops whose bounds are not constant at these
// sizes count once. At most 2^62.
std::uint64_t likely_steps(ir::Context& ctx, const ir::Function& f, const Sizes& sizes);

}  // namespace proviso::verify
