// Divisions that round down, written with those that truncate, read as what they are: with
// r = T.truncmod(x, y), y not 0 and s = (r != 0 and (r < 0) != (y < 0)),
//   T.truncdiv(x, y) - T.Select(s, 1, 0)   is x // y
//   r + T.Select(s, y, 0)                  is x % y
// So is the shorter form for a constant y. However large x is, and whatever it is made of, no case
// of its sign has to be looked at.
#pragma once

#include <functional>

#include "ir/context.h"

namespace proviso::analysis::cheap {

// `e` with each of these in its short form, and names for definite values replaced by the values.
// `holds`: whether a claim about free variables of `e` is known. The same expression where there is
// none, or where it is too large.
ir::Expr with_floor_forms(ir::Context& ctx, ir::Expr e, const std::function<bool(ir::Expr)>& holds);

}  // namespace proviso::analysis::cheap
