// Assumptions in a schedule's text: lambdas over loops, and over further variables that index
// buffers.
#pragma once

#include <vector>

#include "ir/text/reader/python/python.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

// The lambda's body over what is in scope at `site`. Its first parameters are `vars`; further ones
// are new variables. Throws ir::Failure on a mistake in the text.
Exported bind_assumption(Proposer& p, const ir::python::Module& module,
                         const ir::python::Node& lambda, const ir::Site& site,
                         const std::vector<ir::Expr>& vars);

}  // namespace proviso::rewrite
