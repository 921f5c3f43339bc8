// Oracles of single expressions: what is claimed of an expression, against its value by the
// concrete domain on random operands.
#pragma once

#include <optional>

#include "analysis/prover/prover.h"
#include "fuzz/gen/values.h"
#include "fuzz/oracle/finding.h"

namespace proviso::fuzz {

struct ExpressionCounts {
    std::uint64_t checked = 0;
    std::uint64_t undecided = 0;  // the prover does not know
};

// The abstract domains (intervals, congruences, float classes) contain the value of a random
// expression, and facts that hold of its variables leave it in. `signature`: the domain.
std::optional<Finding> check_domains(Choice& choice, ExpressionCounts& counts);

// The prover's reading of one operator on random operands: it proves the concrete result, and no
// other; it proves that the operator does not fault exactly where it does not. `signature`: the
// operator and its type.
std::optional<Finding> check_encoder(ir::Context& ctx, Choice& choice, analysis::Prover& prover,
                                     ExpressionCounts& counts);

// An instance of a random rule of the library, its constants and terms drawn at random: where its
// conditions hold and the left side does not fault, the right side has the same value. `signature`:
// the rule's name.
std::optional<Finding> check_rules(Choice& choice, ExpressionCounts& counts);

}  // namespace proviso::fuzz
