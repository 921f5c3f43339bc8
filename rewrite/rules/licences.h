// What a function's licences say of the values that it loads, for rules that make use of them.
#pragma once

#include <string>
#include <vector>

#include "ir/context.h"
#include "ir/function.h"

namespace proviso::rewrite {

struct Granted {
    std::vector<ir::Expr> facts;
    std::vector<std::string> licences;  // that the facts rest on, as the function names them
};

// `finite(A)`: for each load in `exprs` of such a parameter that the function never stores to, that
// it is neither a NaN nor an infinity, where the cell is one of the caller's (no padding of any of
// its layouts).
Granted finite_loads(ir::Context& ctx, const ir::Function& f, const std::vector<ir::Expr>& exprs);

}  // namespace proviso::rewrite
