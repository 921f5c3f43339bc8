// For readers of other Python texts (schedules, graphs): the meaning of parts of a syntax tree.
#pragma once

#include <optional>
#include <string>

#include "ir/text.h"
#include "ir/text/reader/python/python.h"

namespace proviso::ir {

// The expression that a node of a parsed file means, as parse_expr reads it: for example the body
// of a lambda, with the lambda's parameters in `scope`.
Result<Expr> bind_expr(Context& ctx, const python::Source& source, const python::Node& node,
                       const Scope& scope, std::optional<ScalarType> expected = std::nullopt);

// 12, -3, 0x10; nullopt for every other node and for what does not fit 64 bits.
std::optional<std::int64_t> int_constant(const python::Node& node);
// 1.5, -2, float("inf"), and what T.float32(…) and its relatives put around them, rounded to that
// type.
std::optional<double> number_constant(const python::Node& node);

}  // namespace proviso::ir
