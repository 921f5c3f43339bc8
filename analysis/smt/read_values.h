// Values of a model, read back.
#pragma once

#include <optional>
#include <string_view>

#include "ir/context.h"

namespace proviso::analysis::smt {

// A value as a solver prints it: "5", "(- 5)", "#b0101", "#x0f", "(_ bv5 8)", "true",
// "(fp #b0 #b1.. #b0..)", "(_ NaN 8 24)", "(_ -zero 8 24)". None when it is none of these or does
// not fit the type.
std::optional<ir::Expr> read_constant(ir::Context& ctx, ir::ScalarType type, std::string_view text);
std::optional<ir::Int128> read_integer(std::string_view text);

}  // namespace proviso::analysis::smt
