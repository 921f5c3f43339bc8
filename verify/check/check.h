// `check`: two programs with the same interface, neither derived from the other by us. Does AFTER
// refine BEFORE? Four answers, each with the strength that it has: a derivation of AFTER from
// BEFORE (PROVED, for all sizes; map/), symbolic execution at concrete sizes (BOUNDED), runs of the
// interpreter (TESTED), and counterexamples that the interpreter has replayed (REFUTED). Where
// extents are symbolic, sizes are chosen around every number that the programs mention (sizes.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "verify/check/evidence.h"
#include "verify/check/map/refinement.h"
#include "verify/check/sizes.h"
#include "verify/harness/replay.h"
#include "verify/tv/validate.h"

namespace proviso::verify {

struct CheckOptions {
    TvOptions tv = {};  // `sizes`: given, and not chosen
    ReplayOptions replay = {};
    bool derive = true;  // look for a derivation
    bool weigh = true;   // and tell what it rests on
    // Names of axioms that the programs are compared under, such as "N1" (relation.h): what is
    // claimed is claimed under them, and says so.
    std::vector<std::string> axioms = {};
    std::size_t most_sizes = 48;          // choices of sizes
    std::uint64_t z3_rlimit = 2'000'000;  // a claim of the symbolic execution
    std::uint64_t effort = 1;             // times the units, and what all claims together may take
    bool use_cvc5 = true;
    int wall_limit_s = 60;  // a solver that exceeds its budget is stopped then
    int memory_mib = 1024;  // a larger question, by an estimate, is not given to Z3
};

enum class CheckVerdict : std::uint8_t { Proved, Bounded, Refuted, Tested, Unknown };

struct CheckReport {
    CheckVerdict verdict = CheckVerdict::Unknown;
    // "PROVED (all sizes)", "PROVED (for these sizes): constant extents", "BOUNDED(n = 8)",
    // "TESTED(400)", "REFUTED", "UNKNOWN(..)": the vocabulary of semantics.md. For these sizes: all
    // that callers may choose, by execution.
    std::string verdict_text;
    std::string what;  // REFUTED: what goes wrong; UNKNOWN: why nothing is known
    std::optional<ProvedRefinement> refinement;  // PROVED: the derivation
    std::optional<Evidence> evidence;            // and what it rests on, if wanted
    std::vector<std::string> tried;  // no derivation was found: each attempt, and what blocked it
    std::optional<Replay> counterexample;  // REFUTED: what the interpreter has seen
    // Of all choices of sizes: cells and claims of all of them together, and the verdict and the
    // reason of the one that says most against.
    TvResult symbolic;
    std::vector<TvResult> at;         // each choice of sizes
    bool all_sizes = false;           // these are all that callers may choose
    std::size_t left_out = 0;         // choices over the limit of their number
    std::size_t not_looked_at = 0;    // choices after so many that told nothing
    std::uint64_t runs = 0;           // of the interpreter on both programs
    std::uint64_t counted = 0;        // of those, runs that tell: BEFORE had no fault
    std::vector<std::string> axioms;  // CheckOptions::axioms
    std::uint64_t ulps = 0;           // that floats may differ by in these runs
    std::uint64_t rounded = 0;        // and runs in which some do
    std::uint64_t undecided = 0;      // and runs without one that tell nothing
    std::string why_undecided;        // the last of them

    // 0: PROVED, or BOUNDED at all sizes that callers may choose; 1: REFUTED; 3: BOUNDED at sizes
    // that were chosen, TESTED or UNKNOWN, which are no proof for what callers may pass.
    int exit_code() const;
    std::string text() const;
    nlohmann::json json() const;

  private:
    std::string sizes_told() const;
    std::string weak_text() const;
};

// Fails when the two do not have the same parameters, or one cannot be run.
Result<CheckReport> check(ir::Context& ctx, const ir::Function& before, const ir::Function& after,
                          const CheckOptions& options = {});

}  // namespace proviso::verify
