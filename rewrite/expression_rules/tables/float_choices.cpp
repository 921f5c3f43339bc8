// Floats, strict: rounding to integers, comparisons, minima, signs; and laws of school that hold
// where the values are known to be finite, ordered or not zero.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note, lemmas, licences
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"float-x-ne-x", kFloats, "x != x", "T.isnan(x)"},
    {"float-x-eq-x", kFloats, "x == x", "not T.isnan(x)"},
    {"float-eq-opposite", kFloats, "-x == x", "x == 0.0"},
    {"float-ne-opposite", kFloats, "-x != x", "x != 0.0"},
    {"float-ne-negs", kFloats, "-x != -y", "x != y"},
    {"float-lt-opposite", kFloats, "x < -x", "x < 0.0"},
    {"float-gt-opposite", kFloats, "-x < x", "0.0 < x"},
    {"float-lt-neg-constant", kFloats, "-x < c0", "-c0 < x"},
    {"float-le-neg-constant", kFloats, "-x <= c0", "-c0 <= x"},
    {"float-gt-neg-constant", kFloats, "c0 < -x", "x < -c0"},
    {"float-ge-neg-constant", kFloats, "c0 <= -x", "x <= -c0"},
    {"float-eq-neg-constant", kFloats, "-x == c0", "x == -c0"},
    {"float-ne-neg-constant", kFloats, "-x != c0", "x != -c0"},
    {"float-mul-neg-term", kFloats, "(-x) * y", "-(x * y)"},
    {"float-sub-from-minus-zero-twice", kFloats, "-0.0 - (-x)", "x"},
    {"float-min-same", kFloats, "T.min(T.min(x, y), y)", "T.min(x, y)"},
    {"float-max-same", kFloats, "T.max(T.max(x, y), y)", "T.max(x, y)"},
    {"float-min-first-again", kFloats, "T.min(x, T.min(x, y))", "T.min(x, y)"},
    {"float-max-first-again", kFloats, "T.max(x, T.max(x, y))", "T.max(x, y)"},
    {"float-min-first-last", kFloats, "T.min(T.min(x, y), x)", "T.min(x, y)"},
    {"float-max-first-last", kFloats, "T.max(T.max(x, y), x)", "T.max(x, y)"},
    {"float-min-constants", kFloats, "T.min(T.min(x, c0), c1)", "T.min(x, T.min(c0, c1))", "c0 == c0"},
    {"float-max-constants", kFloats, "T.max(T.max(x, c0), c1)", "T.max(x, T.max(c0, c1))", "c0 == c0"},
    {"float-min-abs-zero", kFloats, "T.max(T.abs(x), 0.0)", "T.abs(x)"},
    {"float-abs-below-zero", kFloats, "T.abs(x) < 0.0", "False"},
    {"float-abs-is-zero", kFloats, "T.abs(x) == 0.0", "x == 0.0"},
    {"float-abs-is-not-zero", kFloats, "T.abs(x) != 0.0", "x != 0.0"},
    {"float-abs-at-most-zero", kFloats, "T.abs(x) <= 0.0", "x == 0.0"},
    {"float-abs-square", kFloats, "T.abs(x) * T.abs(x)", "x * x"},
    {"float-neg-square", kFloats, "(-x) * (-x)", "x * x"},
    {"float-abs-of-sqrt-below", kFloats, "T.sqrt(x) < 0.0", "False"},
    {"float-isnan-neg", kFloats, "T.isnan(-x)", "T.isnan(x)"},
    {"float-isnan-abs", kFloats, "T.isnan(T.abs(x))", "T.isnan(x)"},
    {"float-abs-select", kFloats, "T.Select(x < 0.0, -x, x)", "T.abs(x)", "", "x < 0.0 or 0.0 < x"},
    {"float-lt-and-not-nan", kFloats, "x < y and (not T.isnan(x))", "x < y"},
    {"float-le-and-not-nan", kFloats, "x <= y and (not T.isnan(x))", "x <= y"},

    {"floor-of-floor", kFloats, "T.floor(T.floor(x))", "T.floor(x)"},
    {"floor-of-ceil", kFloats, "T.floor(T.ceil(x))", "T.ceil(x)"},
    {"floor-of-trunc", kFloats, "T.floor(T.trunc(x))", "T.trunc(x)"},
    {"floor-of-round", kFloats, "T.floor(T.round(x))", "T.round(x)"},
    {"ceil-of-floor", kFloats, "T.ceil(T.floor(x))", "T.floor(x)"},
    {"ceil-of-ceil", kFloats, "T.ceil(T.ceil(x))", "T.ceil(x)"},
    {"ceil-of-trunc", kFloats, "T.ceil(T.trunc(x))", "T.trunc(x)"},
    {"ceil-of-round", kFloats, "T.ceil(T.round(x))", "T.round(x)"},
    {"trunc-of-floor", kFloats, "T.trunc(T.floor(x))", "T.floor(x)"},
    {"trunc-of-ceil", kFloats, "T.trunc(T.ceil(x))", "T.ceil(x)"},
    {"trunc-of-trunc", kFloats, "T.trunc(T.trunc(x))", "T.trunc(x)"},
    {"trunc-of-round", kFloats, "T.trunc(T.round(x))", "T.round(x)"},
    {"round-of-floor", kFloats, "T.round(T.floor(x))", "T.floor(x)"},
    {"round-of-ceil", kFloats, "T.round(T.ceil(x))", "T.ceil(x)"},
    {"round-of-trunc", kFloats, "T.round(T.trunc(x))", "T.trunc(x)"},
    {"round-of-round", kFloats, "T.round(T.round(x))", "T.round(x)"},

    {"float-add-zero-known", kFloats, "x + 0.0", "x", "", "x != 0.0", "only -0.0 + 0.0 is not x"},
    {"float-sub-self-finite", kFloats, "x - x", "0.0", "", "T.abs(x) < T.KIND('inf')"},
    {"float-div-self-finite", kFloats, "x / x", "1.0", "", "T.abs(x) < T.KIND('inf'); x != 0.0"},
    {"float-mul-zero-positive", kFloats, "x * 0.0", "0.0", "", "0.0 < x; x < T.KIND('inf')"},
    {"float-mul-zero-negative", kFloats, "x * 0.0", "-0.0", "", "x < 0.0; T.KIND('-inf') < x"},
    {"float-eq-self-ordered", kFloats, "x == x", "True", "", "x <= T.KIND('inf')"},
    {"float-le-self-ordered", kFloats, "x <= x", "True", "", "x <= T.KIND('inf')"},
    {"float-not-lt-ordered", kFloats, "not (x < y)", "y <= x", "",
     "x <= T.KIND('inf'); y <= T.KIND('inf')"},
    {"float-not-le-ordered", kFloats, "not (x <= y)", "y < x", "",
     "x <= T.KIND('inf'); y <= T.KIND('inf')"},
    {"float-max-known-left", kFloats, "T.max(x, y)", "x", "", "y <= x"},
    {"float-max-known-right", kFloats, "T.max(x, y)", "y", "", "x < y"},
    {"float-min-known-left", kFloats, "T.min(x, y)", "x", "", "x <= y"},
    {"float-min-known-right", kFloats, "T.min(x, y)", "y", "", "y < x"},
    {"float-abs-positive", kFloats, "T.abs(x)", "x", "", "0.0 < x"},
    {"float-abs-negative", kFloats, "T.abs(x)", "-x", "", "x < 0.0"},
    {"float-isnan-ordered", kFloats, "T.isnan(x)", "False", "", "x <= T.KIND('inf')"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> float_choices() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
