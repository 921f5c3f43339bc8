// What a function's licences say of the values that it loads, for rules that make use of them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ir/context.h"
#include "ir/function.h"
#include "ir/result.h"
#include "ir/text.h"

namespace proviso::rewrite {

struct Granted {
    std::vector<ir::Expr> facts;
    std::vector<std::string> licences;  // that the facts rest on, as the function names them
};

// `finite(A)`: for each load in `exprs` of such a parameter that the function never stores to, that
// it is neither a NaN nor an infinity, where the cell is one of the caller's, or padding that holds
// a finite number or what such a cell holds.
Granted finite_loads(ir::Context& ctx, const ir::Function& f, const std::vector<ir::Expr>& exprs);

// What a step that replaces `before` by `after` may choose, by its argument "licences", a list of
// licences that the function grants:
//   finite(A)        facts about what both load (finite_loads)
//   no_signed_zero   which zero an operation on floats gives: `before` is one
//   reassociate      with the argument "sum": a sum of the terms of `before` in any order, each
//                    with its sign; `after` is then held to its value
struct Choices {
    std::vector<ir::Expr> facts;
    bool either_zero = false;
    ir::Expr sum = nullptr;             // or null
    std::vector<std::string> licences;  // made use of
};
Result<Choices> read_choices(ir::Context& ctx, const ir::Function& f, const nlohmann::json& args,
                             const ir::Scope& scope, ir::Expr before, ir::Expr after);

}  // namespace proviso::rewrite
