// Values near to a right one: off by one, another variable, a condition that holds more often.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "fuzz/gen/choice.h"
#include "ir/context.h"
#include "ir/function.h"

namespace proviso::fuzz {

// The variables, and sometimes cells of the function's buffers at them, which may be stored to,
// indeterminate, or out of bounds.
std::vector<ir::Expr> with_loads(ir::Context& ctx, const ir::Function& f,
                                 std::vector<ir::Expr> vars, Choice& choice);
// `vars`: what may stand in the new value.
ir::Expr near_value(ir::Context& ctx, ir::Expr e, const std::vector<ir::Expr>& vars,
                    Choice& choice);
// Null for none, which is always true.
ir::Expr near_condition(ir::Context& ctx, ir::Expr condition, const std::vector<ir::Expr>& vars,
                        Choice& choice);
// One value somewhere in the arguments: a number or text near to it, an element less or twice, two
// elements in each other's place.
void change_arguments(nlohmann::json& value, Choice& choice);

}  // namespace proviso::fuzz
