// Whether two programs can be compared: what their callers have to know is the same.
#pragma once

#include "ir/context.h"
#include "ir/function.h"
#include "ir/result.h"

namespace proviso::verify {

// Well-formed, with layouts that are; `which` ("before") stands in front of the error.
Status well_formed_program(ir::Context& ctx, const ir::Function& f, const char* which);

// Parameters of the same names, types and logical shapes, in one order.
Status same_interface(ir::Context& ctx, const ir::Function& before, const ir::Function& after);

// `after` takes each value of a parameter that `before` takes.
Status asks_no_more(const ir::Function& before, const ir::Function& after);

}  // namespace proviso::verify
