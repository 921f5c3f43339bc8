// From programs to formulas: when an expression faults, and when its value is definite. These two,
// with the value itself, are everything a rule may need to say of an expression:
//   e' may replace e  when  no_fault(e) ⇒ no_fault(e'),  and  no_fault(e) ∧ definite(e) ⇒
//   definite(e') ∧ same(e, e').
// (An `indet` value may become anything, a definite one only itself.) Trusted: see
// docs/semantics.md.
#pragma once

#include <optional>

#include "ir/context.h"

namespace proviso::analysis {

// Evaluating `e` does not fault, given that every load it makes is in a buffer that is in scope:
// divisors are not zero, quotients in range, observed values in range, shifts in range, loads in
// bounds; definite are conditions, indices, divisors, shift counts, arguments of calls, operands of
// arithmetic on exact integers, and floats that are cast to integers. Short-circuit operators make
// the claims of their right side conditional.
ir::Expr no_fault(ir::Context& ctx, ir::Expr e);

// `e` evaluates to a definite value (given that it does not fault): a formula over Defined(load)
// atoms. T.undef() is not definite.
ir::Expr definite(ir::Context& ctx, ir::Expr e);

// What `e` binds by lets is definite where it is evaluated: then its lets freeze nothing, and `e`
// is what it is with each let replaced by its value. (A let of an indeterminate value is one
// arbitrary value; two lets of one indeterminate cell are two.) `true` without lets.
ir::Expr settled(ir::Context& ctx, ir::Expr e);

// The value of `e` is in its type's range; `true` for types that cannot leave it (wrapping, float,
// bool) and for expressions that were observed already (variables, loads, constants, min, max,
// casts, divisions).
ir::Expr in_range(ir::Context& ctx, ir::Expr e);

// Indices are within the buffer's extents: a conjunction, one pair per dimension.
ir::Expr in_bounds(ir::Context& ctx, ir::Buffer buffer, std::span<const ir::Expr> indices);

}  // namespace proviso::analysis
