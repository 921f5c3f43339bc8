// What makes an interface relation one: the map stays in the buffer, and the inverse takes each
// cell back. The rule that makes a relation owes this, and so does a program that brings one along:
// what is in the image, and so what is padding, is read off the inverse.
#pragma once

#include <span>
#include <vector>

#include "analysis/layout.h"
#include "analysis/obligation.h"
#include "analysis/prover.h"

namespace proviso::analysis {

// `facts`: of the parameters; `physical`: extents of the buffer that the relation leads to.
std::vector<Obligation> bijection_obligations(ir::Context& ctx, const std::vector<ir::Expr>& facts,
                                              const Layout& layout,
                                              std::span<const ir::Expr> physical);

// Fails where a relation that the program brings along is not proved. Takes what check_layouts
// accepts.
Status prove_layouts(ir::Context& ctx, const ir::Function& f, Prover& prover);

}  // namespace proviso::analysis
