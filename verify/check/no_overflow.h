// The axiom of programs that compute with integers that wrap, and whose author takes it for granted
// that they never do: "N1: no +, - or * of BEFORE on integers that wrap leaves its type". (Exact
// integers need none: a run that observes one out of its type's range faults.)
//
//   B[i] = T.cast(A[i] * T.uint8(2), "int32")
//       with it      T.assume(T.cast(A[i], "int64") * T.int64(2) <= T.int64(255)); B[i] = …
#pragma once

#include <cstddef>

#include "ir/context.h"
#include "ir/function.h"
#include "ir/result.h"
#include "verify/check/relation.h"

namespace proviso::verify {

struct WithoutOverflow {
    // The function with assumptions in front of the statements that have such operations, and in
    // front of what is stored, evaluated or asserted those of the control around again that read no
    // memory. That is what a proof may use of the axiom, in a text that anybody can read.
    ir::Function function;
    std::size_t operations = 0;  // that are assumed to stay in their types
};
WithoutOverflow assume_no_overflow(ir::Context& ctx, const ir::Function& f);

// The axiom N1 of `before`; an error where it would say nothing.
Status take_no_overflow(ir::Context& ctx, RelatedPrograms& programs);

}  // namespace proviso::verify
