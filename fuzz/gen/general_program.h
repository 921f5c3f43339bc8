// General programs: every statement and expression form in every position that the grammar allows,
// well-formed, and mostly without a fault on inputs that suit them. Unlike generate_program's they
// are not free of faults by construction, so they hold what that one must leave out: opaque calls,
// asserts and permissions anywhere, arithmetic next to T.undef(), values at the ends of their
// types, extents over loop variables, claims of regions that a rewrite may break. A run that ends
// in a fault says nothing of a step, and such a program is left soon.
#pragma once

#include "fuzz/gen/program.h"
#include "ir/site.h"

namespace proviso::fuzz {

GeneratedProgram general_program(ir::Context& ctx, Choice& choice);

// An expression of `type` over what is in scope at a site of `f`, as general_program makes them;
// for arguments of steps.
ir::Expr general_expression(ir::Context& ctx, Choice& choice, const ir::Function& f,
                            const ir::Site& site, ir::ScalarType type, int depth);

}  // namespace proviso::fuzz
