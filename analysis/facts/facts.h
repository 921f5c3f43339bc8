// Facts in scope: what holds whenever control reaches a site. Loop ranges, guards, lets, block
// iterators, dominating asserts and assumes, bounds of size variables, extents of buffers.
//
// A fact that loads from memory is only kept while no statement between its origin and the site may
// store to that buffer. `T.assume(p or B[i] == T.undef())` is permission to read, never an
// equation, and gives no fact. Facts about memory beyond these are claims with witnesses: see
// claims.h.
#pragma once

#include <vector>

#include "ir/context.h"
#include "ir/site.h"

namespace proviso::analysis {

// List of names of buffer parameters whose cells may be indeterminate when the function begins, as
// those of an allocation are that was passed on; of all others every cell holds a definite value.
inline constexpr const char* kIndetAttr = "proviso.indet";
bool may_be_indet(const ir::Function& f, ir::Buffer parameter);

// Every cell of the parameter that may be touched is definite whenever `f` runs: it was when `f`
// began, and only definite values are stored there.
bool is_definite_parameter(ir::Context& ctx, const ir::Function& f, ir::Buffer parameter);

// Bounds of scalar parameters and extents of buffer parameters: hold everywhere in the function.
std::vector<ir::Expr> parameter_facts(ir::Context& ctx, const ir::Function& f);

// Everything that holds at `site` (a statement, or an expression within one: conditions of lazy
// operators on the way count). Includes parameter_facts.
std::vector<ir::Expr> facts_at(ir::Context& ctx, const ir::Function& f, const ir::Site& site);

// What is known about the definiteness of the loads that occur in `exprs`: cells of parameters are
// definite except in padding that the contract leaves undefined, as long as only definite values
// are stored there.
std::vector<ir::Expr> definedness_facts(ir::Context& ctx, const ir::Function& f,
                                        const std::vector<ir::Expr>& exprs);

// Mentions undef, as in `p or B[i] == T.undef()`: the assume gives permission to read
// (ir::is_read_permission is one such leaf) and is no fact.
bool is_permission(ir::Expr assume_condition);

}  // namespace proviso::analysis
