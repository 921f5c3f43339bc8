// The attribute "proviso.layout" as a user may have written it: checked before anybody relies on
// it. analysis/layout.h reads it and takes its form for granted.
#pragma once

#include "ir/context.h"
#include "ir/result.h"

namespace proviso::analysis {

// Fails, and says what is wrong, when the attribute is not a list of relations for each buffer
// parameter that it names: other keys or kinds of values, expressions that cannot be read or that
// load, ranks that do not meet. Whether a relation is a bijection is for obligations to say.
Status check_layouts(ir::Context& ctx, const ir::Function& f);

}  // namespace proviso::analysis
