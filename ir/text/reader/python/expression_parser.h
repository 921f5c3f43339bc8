// Tokens to expression trees, by precedence climbing.
#pragma once

#include "ir/text/reader/python/cursor.h"

namespace proviso::ir::python {

// An expression; a tuple without parentheses is not taken. Throws Failure.
Node parse_expression(Cursor& cursor);

// One or more expressions separated by commas: a Tuple when there is a comma.
Node parse_expression_list(Cursor& cursor);

// What may stand before an operator of higher binding strength: `a.b[c]`, names of for loops.
Node parse_target(Cursor& cursor);

}  // namespace proviso::ir::python
