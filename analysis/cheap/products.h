// Products of unknowns, which linear reasoning takes for atoms: what is known of them because of
// what is known of their factors.
#pragma once

#include <vector>

#include "analysis/cheap/atoms.h"

namespace proviso::analysis::cheap {

// The product of two forms, each of its monomials an atom. Gives up beyond a few monomials.
Form multiplied(AtomTable& atoms, const Form& a, const Form& b);

// For monomials x * c among the constraints (each >= 0) with c >= 0: constraints that speak of x,
// times c. So
//   i <= m - 1, n >= 0        gives   i * n <= m * n - n
//   j <= n - 1, k >= 0        gives   j * k <= n * k - k
// Appends a limited number, those first that speak of most monomials that occur; `far` also those
// that bring in a new monomial for each that occurs.
void add_products(AtomTable& atoms, const BoundsOf& bounds, bool far,
                  std::vector<Form>& constraints);
bool has_products(const AtomTable& atoms, const std::vector<Form>& constraints);

}  // namespace proviso::analysis::cheap
