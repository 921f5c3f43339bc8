// What a simplification may do to terms that can be indeterminate. Each of its steps turns an
// expression into one that refines it: where the one is indeterminate, the other may be any value.
// But an indeterminate value is in every type's range, and a definite one may not be: where a load
// is dropped inside a sum that somebody observes, a fault can appear that was not there before.
//
//   b + a + T.Select(A[4] < 10, b, b) < 2      with A[4] indeterminate: indeterminate
//   b*2 + a < 2                                 out of range for some a, b: a fault
#pragma once

#include "rewrite/simplify/surroundings.h"

namespace proviso::rewrite {

// `after` has fewer different loads, undefs and opaque calls than `before`.
bool forgets_memory(ir::Expr before, ir::Expr after);

// No node of `e` can fault because of the value of an operand: all are in range under the facts, as
// far as ranges tell, and every division, cast and shift has a value for all of theirs.
bool surely_observable(Surroundings& surroundings, FactSet& s, ir::Expr e);

}  // namespace proviso::rewrite
