// Values as SMT-LIB 2 text.
#pragma once

#include <string>

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

}  // namespace proviso::analysis::smt
