// A condition around one variable, as cases: each bounds it from below and above, says what its
// remainders may be, and what the other variables must satisfy.
#pragma once

#include <optional>
#include <vector>

#include "analysis/solve/window.h"

namespace proviso::analysis::solve {

// lower <= x and x <= upper for all of them, x within all windows, and what the other variables
// must satisfy.
struct Case {
    std::vector<ir::Expr> lowers = {};
    std::vector<ir::Expr> uppers = {};
    std::vector<Window> windows = {};
    std::vector<ir::Expr> others = {};  // conditions without x

    bool operator==(const Case&) const = default;
    // As one condition.
    ir::Expr formula(ir::Context& ctx, ir::Expr x) const;
};

// Both hold, each bound once. Constant windows become as few as possible, which may take several
// cases; none: they contradict each other.
std::vector<Case> both(ir::Context& ctx, ir::ScalarType type, const Case& a, const Case& b);

// The same disjunction in fewer cases, where constant ends meet or remainders add up:
//   x <= 3 or 4 <= x and x <= 7           x <= 7
//   x % 8 == 1 or x % 8 == 2              (x - 1) % 8 <= 1
void merge(ir::Context& ctx, ir::ScalarType type, std::vector<Case>& cases);

// Cases, or "not understood". With more than kMostCases of them it is not understood either.
using Cases = std::optional<std::vector<Case>>;
inline constexpr std::size_t kMostCases = 64;
Cases conjunction(ir::Context& ctx, ir::ScalarType type, const Cases& a, const Cases& b);
Cases disjunction(Cases a, const Cases& b);

// The conjuncts of a condition without x as a case; none where it is false.
std::vector<Case> case_of_others(ir::Expr condition);

}  // namespace proviso::analysis::solve
