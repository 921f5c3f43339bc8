// Bits, shifts and divisions by negative numbers, said by floor divisions, so that who solves has
// fewer operators to know:
//   x & ~3           4 * (x // 4)
//   x & 12           4 * (x // 4 % 4)
//   x | 3            4 * (x // 4) + 3
//   x - x % 4        4 * (x // 4)
//   x // -3          -x // 3
#pragma once

#include "analysis/facts/affine.h"

namespace proviso::analysis::solve {

// The same number, as mathematics. Only what is outermost in a term is rewritten.
Affine arithmetic(ir::Context& ctx, const Affine& form);

// The other way: 4 * (u // 4) - u is -(u % 4), where that leaves fewer terms. The divisor may be
// symbolic.
Affine with_remainders(ir::Context& ctx, const Affine& form);

// The same, with as few terms that mention x as possible: x * n + x is x * (n + 1).
Affine gathered(ir::Context& ctx, ir::Expr x, const Affine& form);

// The only term of a form that mentions x; none when there are several, or none.
std::optional<std::pair<ir::Expr, ir::Integer>> term_with(ir::Expr x, const Affine& form);

// A term by the sign of its operand: its value where that is negative, and where it is not.
// Absolute values, and truncating divisions by a `divisor` that must be positive.
struct BySign {
    ir::Expr operand;
    ir::Expr if_negative;
    ir::Expr otherwise;
    ir::Expr divisor = nullptr;
};
std::optional<BySign> by_sign_of_operand(ir::Context& ctx, ir::Expr term);

// floor(sqrt(value)) for value >= 0.
ir::Integer square_root(const ir::Integer& value);

// The inverse of a modulo m > 0, where they have no common divisor; a remainder.
std::optional<ir::Integer> inverse_modulo(const ir::Integer& a, const ir::Integer& m);

}  // namespace proviso::analysis::solve
