// Oracles of whole derivations: each step looked at again without its rule, and the conversion code
// for the callers of a program whose parameters have other layouts.
#pragma once

#include <optional>

#include "analysis/prover/prover.h"
#include "fuzz/oracle/finding.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::fuzz {

struct ValidationCounts {
    std::uint64_t steps = 0;
    std::uint64_t bounded = 0;  // of those, the ones that hold for all cells at their sizes
};

// Translation validation of every step: by symbolic execution, Z3 where the terms differ.
// `signature` of a finding: the step's rule.
std::optional<Finding> check_validation(const rewrite::Derivation& d, analysis::Prover& prover,
                                        ValidationCounts& counts);

struct AdapterCounts {
    std::uint64_t programs = 0;    // with a parameter in another layout
    std::uint64_t refused = 0;     // where the conversion could not be proved
    std::uint64_t parameters = 0;  // packed and unpacked
};

// Packs and unpacks each parameter of `f` that has a layout relation, and compares what comes back
// with what went in. `signature`: that of the refinement.
std::optional<Finding> check_adapters(ir::Context& ctx, const ir::Function& f,
                                      const std::map<std::string, CellRange>& ranges, int runs,
                                      std::uint64_t seed, analysis::Prover& prover,
                                      AdapterCounts& counts);

}  // namespace proviso::fuzz
