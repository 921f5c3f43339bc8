// Quotients, by one divisor, of numbers that are a constant apart.
//
//   (x + 17) // 5 - (x + 2) // 5               3
//   x // 3 + (x + 1) // 3 + (x + 2) // 3       x (Hermite's identity)
//   (x + 3) // 4 - x // 4                      T.min(x % 4, 1)
//   (x + 2) // 4 - x // 4                      (x % 4 + 2) // 4
#pragma once

#include "rewrite/simplify/linear_form.h"

namespace proviso::rewrite {

// How many nodes the terms take when written, roughly: a coefficient other than 1 costs two.
std::size_t written_cost(const LinearForm& form);

// True, and `form` changed, where two such quotients, or as many as the divisor says, become
// something shorter. An equal form, whose terms observe nothing that those of `form` do not
// observe.
bool join_shifted(ir::Context& ctx, LinearForm& form);

}  // namespace proviso::rewrite
