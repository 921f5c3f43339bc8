// The calls of TVMScript that are expressions, as data: which name means which operator.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/op.h"

namespace proviso::ir {

// T.<name>(a, …) is the operator on its arguments, in this order or, `swap`, in the other one.
struct OperatorName {
    std::string_view name;
    Op op;
    bool swap = false;
};
const OperatorName* find_operator_name(std::string_view name);

// T.exp, T.fabs, …
std::optional<MathFn> find_math_name(std::string_view name);

// Calls with a reading of their own: "Cast", "Let", "undef", …
bool is_special_name(std::string_view name);
// Understood, but as a statement: "block", "grid", …
bool is_statement_name(std::string_view name);

// What to write instead of a function that is known elsewhere and not here; empty: nothing is
// known.
std::string_view hint_for(std::string_view name);

// Every name that `T.` understands in an expression, types included; candidates for "did you mean".
const std::vector<std::string>& expression_names();

}  // namespace proviso::ir
