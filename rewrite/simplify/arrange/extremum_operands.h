// The operands of min or max, however they are nested, with what scales and shifts them on the way:
//
//   T.min(T.min(a, b) * 4 + 1, c)    a * 4 + 1, b * 4 + 1, c, of min
//   -T.min(a, b)                     -a, -b, of max
#pragma once

#include <boost/container/small_vector.hpp>
#include <optional>

#include "rewrite/simplify/linear_form.h"

namespace proviso::rewrite {

struct ExtremumOperands {
    ir::Op op = ir::Op::Min;
    boost::container::small_vector<LinearForm, 4> forms;  // first to last
};

// None where the expression, of exact integers, is no min or max, nor one scaled and shifted, or
// has too many operands. May throw TooLarge.
std::optional<ExtremumOperands> extremum_operands(LinearForms& forms, ir::Expr e);

// The expression without some of its operands, counted as above; null where none is left.
ir::Expr without_operands(ir::Context& ctx, LinearForms& forms, ir::Expr e,
                          const std::vector<bool>& drop);

}  // namespace proviso::rewrite
