// Floats as integers: what the step (float TERM) says. A float's code is its bits below the sign,
// n; of a negative one it is -1 - n. So codes are in the order of the numbers, with -0.0 (-1) just
// below +0.0 (0); the one NaN of SMT-LIB has the code above infinity's. A code fits exactly one
// float of a format, so floats are equal where their codes are.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analysis/certcheck/formula.h"
#include "analysis/certcheck/sexp.h"

namespace proviso::certcheck {

// Bits of the exponent; bits of the significand, the hidden one included.
struct FloatFormat {
    unsigned exponent = 0;
    unsigned significand = 0;
    bool operator==(const FloatFormat& o) const {
        return exponent == o.exponent && significand == o.significand;
    }
};

inline constexpr std::string_view kCode = "float-code";  // (float-code TERM): Int

// Of (_ FloatingPoint 8 24); none of another sort, and of formats beyond binary128.
std::optional<FloatFormat> format_of_sort(std::string_view sort);
// Of an application, whose arguments that are floats have these formats; none where it is no float
// or its arguments do not fit together.
std::optional<FloatFormat> format_of_result(const Term& t, const Formulas& formulas,
                                            const std::vector<std::optional<FloatFormat>>& args);

Integer code_of_infinity(FloatFormat f);
Integer code_of_one(FloatFormat f);
// Of a constant; none of other terms.
std::optional<Integer> code_of_constant(const Term& t, const Formulas& formulas, FloatFormat f);

// What is true of `(op ..)` for all values of its arguments, over the names
//   p or b      the code of the term, or its truth where it is Bool
//   x, y        the codes of its arguments that are floats
//   c           the condition of an ite
//   INF, ONE    the codes of infinity and 1.0
// and the functions of float_functions(). Null where nothing is known of the operator.
struct FloatAxioms {
    std::string_view op;
    std::size_t floats;  // how many arguments are floats; the others are rounding modes, conditions
    bool gives_float;
    std::vector<std::string_view> facts;
};
const FloatAxioms* float_axioms(std::string_view op);
// Of every float.
std::string_view float_range();
// Definitions of nan, infinite, zero, negative of codes.
std::string_view float_functions();

}  // namespace proviso::certcheck
