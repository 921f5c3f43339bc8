// What makes an interface relation one: the map stays in the buffer, the inverse takes each cell
// back, and padding can hold what is promised. The rule that makes a relation owes this, and so
// does a program that brings one along: what is in the image, and so what is padding, is read off
// the inverse.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/layout/layout.h"
#include "analysis/obligation.h"
#include "analysis/prover/answer.h"

namespace proviso::analysis {

// `facts`: of the parameters; `physical`: extents of the buffer that the relation leads to.
std::vector<Obligation> bijection_obligations(ir::Context& ctx, const std::vector<ir::Expr>& facts,
                                              const Layout& layout,
                                              std::span<const ir::Expr> physical);

// Where `facts` hold, which say that the physical indices are in bounds, and these are padding: the
// value that is promised is computed without a fault, or the cell that is repeated is data of this
// relation. None where nothing has to be shown.
std::optional<Obligation> padding_obligation(ir::Context& ctx, std::vector<ir::Expr> facts,
                                             const Layout& layout);

// What the relations owe that the program brings along, and of which parameter they are. Takes what
// check_layouts accepts.
struct BroughtObligation {
    std::string buffer;
    Obligation obligation;
};
std::vector<BroughtObligation> brought_obligations(ir::Context& ctx, const ir::Function& f);

// Fails where one of them is not proved.
Status prove_layouts(ir::Context& ctx, const ir::Function& f, ObligationProver& prover);

}  // namespace proviso::analysis
