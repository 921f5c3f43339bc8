// Expressions with the best form that is known of each, to measure the simplifier on. A table of
// families (tests/data/simplifier/README.md):
//
//   [truncdiv of multiples]
//   vars x -1000..1000, y 0..1000, u uint32 0..9, p bool
//   T.truncdiv(x * 8 + y * 4, 4) => x * 2 + y
//
// `vars` says the variables of the lines that follow, their types (int32 if not said) and the
// values that they can have, both ends included. Empty lines and lines that begin with # are
// skipped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/context.h"
#include "ir/result.h"
#include "rewrite/simplify/simplifier.h"

namespace proviso::rewrite {

struct BestForm {
    struct Variable {
        ir::Expr var = nullptr;
        ir::Int128 lo = 0;  // both ends included; truth values are 0 and 1
        ir::Int128 hi = 1;
    };
    std::string family;
    int line = 0;  // in the table
    std::vector<Variable> variables;
    std::vector<ir::Expr> facts;  // that the variables have such values
    ir::Expr expr = nullptr;
    ir::Expr best = nullptr;
};

// Every case of a table, in order. The error has the position in `file`.
Result<std::vector<BestForm>> read_best_forms(ir::Context& ctx, std::string_view text,
                                              const std::string& file);

// Where the second expression differs from the first, at corners of the variables' values and at
// random ones, the same on every machine: "x = 3, y = -1: 4, not 5". A fault of the first says
// nothing; one of the second, where the first has none, is a difference. Empty: nowhere.
std::string where_they_differ(const BestForm& of, ir::Expr first, ir::Expr second);

struct JudgedForm {
    ir::Expr result = nullptr;
    bool reached = false;  // no larger than the best form
    std::string wrong;     // where the result differs from the expression; empty: nowhere seen
};
JudgedForm judge_best_form(Simplifier& simplifier, const BestForm& of);

}  // namespace proviso::rewrite
