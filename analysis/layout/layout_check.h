// The attributes "proviso.layout" and "proviso.indet" as a user may have written them: checked
// before anybody relies on them. analysis/layout/layout.h and analysis/facts/facts.h read them and
// take their form for granted.
#pragma once

#include "analysis/layout/layout.h"
#include "ir/context.h"
#include "ir/result.h"

namespace proviso::analysis {

// Fails, and says what is wrong, when "proviso.indet" is not a list of buffer parameters, or when
// "proviso.layout" is not a list of relations for each buffer parameter that it names: other keys
// or kinds of values, expressions that cannot be read or that load, ranks that do not meet. Whether
// a relation is a bijection is for obligations to say.
Status check_layouts(ir::Context& ctx, const ir::Function& f);

// One relation of the parameter `b`, whose physical side has these extents, in a function that
// check_layouts accepts.
Result<Layout> read_relation(ir::Context& ctx, const ir::Function& f, ir::Buffer b,
                             const ir::AttrValue& relation, const std::vector<ir::Expr>& physical);

}  // namespace proviso::analysis
