#include "rewrite/rules/refused.h"

namespace proviso::rewrite {

namespace {

// clang-format off
constexpr RefusedRule kRefused[] = {
    // Zeros, infinities and NaN.
    {{"x-plus-zero", kFloats, "x + 0.0", "x", "", "", "-0.0 + 0.0 is +0.0"},
     "float32", "x + -0.0 → x; or a proof that x is never -0.0"},
    {{"x-times-zero", kFloats, "x * 0.0", "0.0", "", "",
      "NaN and infinities give NaN, negative x gives -0.0"},
     "float32", "finite(A) for what x is made of, and an accumulator that is never -0.0"},
    {{"x-minus-x", kFloats, "x - x", "0.0", "", "", "NaN - NaN and inf - inf are NaN"}, "float32"},
    {{"not-less-is-at-least", kFloats, "not (x < y)", "y <= x", "", "", "NaN is neither"}, "float32"},
    {{"x-equals-x", kFloats, "x == x", "True", "", "", "NaN != NaN"}, "float32"},
    {{"max-of-least", kFloats, "T.max(T.KIND('-inf'), x)", "x", "", "",
      "max(-inf, NaN) is `-inf < NaN ? NaN : -inf`, so -inf"},
     "float32", "T.max(x, -inf) → x"},
    {{"min-commutes", kFloats, "T.min(x, y)", "T.min(y, x)", "", "",
      "NaN or zeros of both signs: the first operand wins"}, "float32"},
    {{"select-equal-is-second", kFloats, "T.Select(x == y, x, y)", "y", "", "",
      "0.0 == -0.0, and they differ"}, "float32"},
    {{"neg-of-difference", kFloats, "-(x - y)", "y - x", "", "", "x = y: -0.0 against +0.0"},
     "float32"},
    {{"zero-minus-x", kFloats, "0.0 - x", "-x", "", "", "0.0 - 0.0 is +0.0"},
     "float32", "-0.0 - x → -x"},
    {{"float-reassociate", kHalf, "(x + y) + z", "x + (y + z)", "", "", "each sum rounds"},
     "float16", "the licence `reassociate`"},
    {{"divide-by-itself", kFloats, "x / x", "1.0", "", "", "0.0 / 0.0 is NaN"}, "float16"},

    // Wrapping integers are not Z.
    {{"wrapped-cancel-factor", kWrapping, "(x * y) // y", "x", "", "", "x * y wraps"},
     "uint8", "int32 and int64, where the product is observed in range"},
    {{"unsigned-difference-negative", kUnsigned, "x - y < 0", "x < y", "", "",
      "an unsigned difference is never below zero"}, "uint8", "signed types, or x < y to begin with"},
    {{"unsigned-successor-above", kUnsigned, "x < x + 1", "True", "", "", "255 + 1 wraps to 0"},
     "uint8"},
    {{"wrapped-floordiv-of-multiple", kWrapping, "(x * c1) // c2", "x * (c1 // c2)",
      "c2 > 0 and c1 % c2 == 0", "", "x * c1 wraps"}, "int8"},
    {{"wrapped-compare-offset", kWrapping, "x + c0 < c1", "x < c1 - c0", "", "",
      "either side may wrap"}, "uint8"},
    {{"narrowing-round-trip", kWrapSigned | kExact, "T.Cast('KIND', T.Cast('int8', x))", "x", "", "",
      "the cast to 8 bits drops the rest"}, "int32", "the range of x proved to fit"},

    // Rounding of divisions.
    {{"mixed-division-families", kExact, "T.truncdiv(x, c1) * c1 + x % c1", "x", "c1 > 0", "",
      "x < 0: one rounds toward zero, the other down"}, "int32", "one family, or 0 <= x"},
    {{"truncdiv-is-floordiv", kExact, "x // c1", "T.truncdiv(x, c1)", "c1 > 0", "", "x < 0"},
     "int32", "0 <= x and 0 < c1"},
    {{"floormod-is-not-negative", kExact, "0 <= x % y", "True", "", "",
      "the remainder has the sign of the divisor"}, "int32", "0 < y"},
    {{"ceildiv-by-bias", kExact, "(x + c0) // c1", "x // c1 + 1", "c1 > 1 and c0 == c1 - 1", "",
      "x divisible by c1"}, "int32", "x % c1 != 0"},
    {{"ceildiv-biased", kExact, "-((-x) // 4)", "(x + 3) // 4", "", "",
      "the biased numerator may leave the range, where the left side did not"},
     "int32", "in_range(x + 3)"},
    {{"floormod-of-negation", kExact, "(-x) % c1", "-(x % c1)", "c1 > 1", "",
      "floor division is not odd; division toward zero is"}, "int32"},

    // Terms that were not observed, or not evaluated, before.
    {{"cancel-unobserved", kExact, "x + y < x + z", "y < z", "", "",
      "y and z were never observed, and may be out of range"}, "int32",
     "in_range(y) and in_range(z)"},
    {{"split-unobserved", kExact, "(x * 4 + y) // 4", "x + y // 4", "", "",
      "y alone may be out of range"}, "int32", "in_range(y)"},
    {{"if-to-select", kAll, "T.if_then_else(p, x, y)", "T.Select(p, x, y)", "", "",
      "the arm that was not chosen may fault"}, "int32", "both arms proved free of faults"},
    {{"and-commutes", kBoolean, "p and q", "q and p", "", "",
      "where p is false, q was not evaluated, and may fault"}, "bool", "q proved free of faults"},
    {{"select-to-and", kBoolean, "T.Select(p, q, False)", "p and q", "", "",
      "an indeterminate p is a fault left of `and`, not in T.Select"}, "bool", "p proved definite"},
};
// clang-format on

}  // namespace

const std::vector<RefusedRule>& refused_rules() {
    static const std::vector<RefusedRule> all(std::begin(kRefused), std::end(kRefused));
    return all;
}

}  // namespace proviso::rewrite
