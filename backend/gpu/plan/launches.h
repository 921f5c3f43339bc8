// What is proved of a plan before its code is made: every launch keeps the limits of the target,
// and no two threads race. And which buffers are small enough for 32-bit addresses.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "backend/gpu/plan/plan.h"

namespace proviso::backend::gpu {

// An obligation that was not proved.
struct Refusal {
    Diagnostic diagnostic;
    analysis::Verdict verdict = analysis::Verdict::Unknown;  // Refuted or Unknown
    std::vector<analysis::ModelValue> model = {};  // values that refute it: of a race, both threads
    bool race = false;                             // two threads would touch one cell
};

// For every kernel: threads of a block, blocks and threads by axis, and shared bytes are within the
// target's limits, for all sizes that the function admits; their numbers are computed without a
// fault where the host does that, and are positive where a part of the kernel is in no loop over
// them; and for every bound loop any two
// iterations share nothing, and threads that do not wait for one another share nothing
// (rewrite/rules/race_free.h); and each thread keeps to its own registers (thread_buffer.h). A loop
// that the rule `bind` has bound is proved already, and its obligations are remembered; one that
// stood bound in the source is not.
std::optional<Refusal> check_launches(ir::Context& ctx, const Plan& plan, const Target& target,
                                      analysis::Prover& prover);

// Buffers of the plan's kernels whose number of elements is proved to fit int32: the position of an
// element in bounds is computed in that type, that of the others in int64.
std::set<ir::Buffer> narrow_buffers(ir::Context& ctx, const Plan& plan, analysis::Prover& prover);

}  // namespace proviso::backend::gpu
