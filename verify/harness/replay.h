// Replay: concrete inputs on which a refused rewrite goes wrong, found by running both programs.
// A model of a failed obligation names values of one moment, not inputs; it guides the search, and
// only what the interpreter has seen happen is reported.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "verify/harness/compare.h"
#include "verify/harness/inputs.h"

namespace proviso::verify {

struct ReplayOptions {
    std::uint64_t seed = 0;
    std::uint64_t tries = 400;
    InputOptions inputs = {};
    std::uint64_t step_limit = 2'000'000;  // of one run
    std::uint64_t ulps = 0;  // finite floats may differ by so many units in the last place
    // Where the first runs all end at that limit: a few more, of so many steps each, and of so many
    // together but for the first; 0: none.
    std::uint64_t long_step_limit = 0;
};

struct Replay {
    ir::Inputs inputs;      // as the source's caller gives them
    Comparison comparison;  // refutes
    OpenCells open = OpenCells::Indet;
    std::uint64_t seed = 0;   // CompareOptions::seed of the run
    std::uint64_t tries = 0;  // runs made
    // "B[3]: before 0.0, after -0.0 (with n = 3, A = [..])"
    std::string str() const;
};

struct ReplayResult {
    std::optional<Replay> found;
    std::uint64_t tries = 0;         // runs made
    std::uint64_t counted = 0;       // of those, runs that tell: `before` had no fault
    std::uint64_t rounded = 0;       // and runs in which some float differs by what is allowed
    std::uint64_t undecided = 0;     // and runs without one that tell nothing
    std::string why_undecided = {};  // the last of them: a step limit, a licence's choice
    // Steps that a run takes, about; not 0: more than `long_step_limit`, so none was made.
    std::uint64_t steps_needed = 0;
    // Why no caller can hand over what `after` asks for, at sizes at which `before` has no fault:
    // its relation is none there (a padding value that faults, two cells in one), "… (with n = 1)".
    // As telling as a run, and the search ends with it.
    std::string no_relation = {};
};

// Searches inputs on which `before` has no fault and `after` faults or differs. `hints`: values of
// scalar parameters and cells of parameters in `before`; others are not used. Inputs that break an
// assumption of `before` are mended where that is possible (mend.h). Fails when the two
// programs cannot be compared at all (unprepared, other parameters). When most of the first runs
// end at the step limit, only a few more are made, and the search ends: where sizes can be chosen,
// with small ones; then with `long_step_limit`, unless a run surely takes more.
Result<ReplayResult> replay(ir::Context& ctx, const ir::Function& before, const ir::Function& after,
                            const std::vector<analysis::ModelValue>& hints = {},
                            const ReplayOptions& options = {});

}  // namespace proviso::verify
