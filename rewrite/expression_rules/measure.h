// Why rewriting by the rules ends. Two measures of terms, compared in order: each gives an operator
// a weight and its arguments factors of at least 1, so a smaller argument makes a smaller term.
//
//   first    constants 1; sums, products and comparisons add up; a division doubles what is
//            divided, so that taking terms out of a division makes the whole smaller
//   second   constants 0; a product doubles its factors, so that constants move out of sums; so
//            does a division, so that signs move out of it
//
// A rule is decreasing when, for all sizes of the terms in its variables (at least 1 in the first
// measure, 0 in the second: a term may be a constant), the first measure does not grow, and it, or
// else the second, becomes smaller. The sides' measures are
// linear in the sizes, so that is decided by comparing coefficients. Every rule of the library is
// decreasing (a test holds it to that); the simplifier's own arrangements are not rules, and a step
// limit covers them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rewrite/expression_rules/rule_instance.h"

namespace proviso::rewrite {

// constant + Σ factor * size of the variable in the slot.
struct Weight {
    std::int64_t constant = 0;
    std::array<std::int64_t, kSlots> factors{};

    // The least that this is more than `other`, for all sizes from `least_size`; none when there is
    // no least.
    std::optional<std::int64_t> least_over(const Weight& other, std::int64_t least_size) const;
};

Weight first_measure(ir::Expr pattern);
Weight second_measure(ir::Expr pattern);

bool is_decreasing(const RuleInstance& rule);
// The same of two terms over the pattern variables.
bool is_decreasing(ir::Expr before, ir::Expr after);

}  // namespace proviso::rewrite
