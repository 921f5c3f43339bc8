// Values as SMT-LIB 2 text, written and read back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/context.h"

namespace proviso::analysis::smt {

// The sort that a type's values have: exact integers Int, wrapping ones (_ BitVec n), bool Bool,
// floats (_ FloatingPoint exponent significand).
std::string sort_of(ir::ScalarType type);

// Bits of the exponent and of the significand (hidden bit included) of a float type.
struct FloatFormat {
    int exponent;
    int significand;
};
FloatFormat float_format(ir::ScalarType type);

// The float's bits below the sign, n, or -1 - n where it is negative; one more than that of
// infinity for NaN. Codes are in the order of the floats.
ir::Int128 float_code(ir::ScalarType type, double value);

std::string integer_text(ir::Int128 value);    // "5", "(- 5)"
std::string constant_text(ir::Expr constant);  // IntImm or FloatImm, in its type's sort

// A value as a solver prints it: "5", "(- 5)", "#b0101", "#x0f", "(_ bv5 8)", "true",
// "(fp #b0 #b1.. #b0..)", "(_ NaN 8 24)", "(_ -zero 8 24)". None when it is none of these or does
// not fit the type.
std::optional<ir::Expr> read_constant(ir::Context& ctx, ir::ScalarType type, std::string_view text);
std::optional<ir::Int128> read_integer(std::string_view text);

}  // namespace proviso::analysis::smt
