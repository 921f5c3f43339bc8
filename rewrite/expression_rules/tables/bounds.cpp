// Minimum and maximum with bounds: remainders, differences, absolute values; and what remains of a
// minimum when one of its operands is taken away.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note, lemmas, licences
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"min-of-floormod-above", kExact, "T.min(x % c0, c1)", "x % c0", "0 < c0 and c0 - 1 <= c1"},
    {"min-of-floormod-below", kExact, "T.min(x % c0, c1)", "c1", "0 < c0 and c1 <= 0"},
    {"max-of-floormod-above", kExact, "T.max(x % c0, c1)", "c1", "0 < c0 and c0 - 1 <= c1"},
    {"max-of-floormod-below", kExact, "T.max(x % c0, c1)", "x % c0", "0 < c0 and c1 <= 0"},
    {"min-of-floormod-divisor", kExact, "T.min(x % y, y)", "x % y", "", "0 < y"},
    {"max-of-floormod-divisor", kExact, "T.max(x % y, y)", "y", "", "0 < y"},
    {"max-of-tile-start", kExact, "T.max((x // c0) * c0, x)", "x", "c0 > 0"},
    {"min-of-tile-start", kExact, "T.min((x // c0) * c0, x)", "(x // c0) * c0", "c0 > 0"},
    {"max-of-ceiled", kExact, "T.max(((x + c0) // c1) * c1, x)", "((x + c0) // c1) * c1",
     "c1 > 0 and c0 == c1 - 1"},
    {"min-of-ceiled", kExact, "T.min(((x + c0) // c1) * c1, x)", "x", "c1 > 0 and c0 == c1 - 1"},

    {"max-sub-min", kExact, "T.max(x, y) - T.min(x, y)", "T.abs(x - y)", "", "in_range(x - y)"},
    {"min-sub-max", kExact, "T.min(x, y) - T.max(x, y)", "-T.abs(x - y)", "", "in_range(x - y)"},
    {"min-times-max", kExact, "T.min(x, y) * T.max(x, y)", "x * y"},
    {"sub-of-mins", kExact, "T.min(x + z, y + z) - z", "T.min(x, y)", "",
     "in_range(x); in_range(y)"},
    {"min-of-scaled-self-up", kExact, "T.min(x * c0, x)", "x", "c0 >= 1", "0 <= x"},
    {"max-of-scaled-self-up", kExact, "T.max(x * c0, x)", "x * c0", "c0 >= 1", "0 <= x"},
    {"min-opposite", kExact, "T.min(x, -x)", "-T.abs(x)"},
    {"max-opposite", kSigned, "T.max(x, -x)", "T.abs(x)"},
    {"min-of-max-constants-apart", kInts, "T.min(T.max(x, c0), T.max(x, c1))",
     "T.max(x, T.min(c0, c1))"},
    {"max-of-min-constants-apart", kInts, "T.max(T.min(x, c0), T.min(x, c1))",
     "T.min(x, T.max(c0, c1))"},

    {"le-min-of-larger", kInts, "T.min(x, y) <= T.max(x, z)", "True"},
    {"lt-min-of-larger", kInts, "T.max(x, z) < T.min(x, y)", "False"},
    {"eq-min-max", kInts, "T.min(x, y) == T.max(x, y)", "x == y"},
    {"ne-min-max", kInts, "T.min(x, y) != T.max(x, y)", "x != y"},
    {"lt-min-max", kInts, "T.min(x, y) < T.max(x, y)", "x != y"},

    {"abs-neg", kExact, "T.abs(-x)", "T.abs(x)", "", "in_range(x)"},
    {"abs-abs", kInts, "T.abs(T.abs(x))", "T.abs(x)"},
    {"abs-unsigned", kUnsigned, "T.abs(x)", "x"},
    {"abs-of-positive", kInts, "T.abs(x)", "x", "", "0 <= x"},
    {"abs-of-negative", kSigned, "T.abs(x)", "-x", "", "x <= 0"},
    {"abs-not-negative", kExact, "0 <= T.abs(x)", "True"},
    {"abs-negative", kExact, "T.abs(x) < 0", "False"},
    {"abs-is-zero", kInts, "T.abs(x) == 0", "x == 0"},
    {"abs-is-not-zero", kInts, "T.abs(x) != 0", "x != 0"},
    {"abs-at-most-zero", kExact, "T.abs(x) <= 0", "x == 0"},
    {"abs-above-zero", kExact, "0 < T.abs(x)", "x != 0"},
    {"abs-at-least-itself", kExact, "x <= T.abs(x)", "True"},
    {"abs-square", kExact, "T.abs(x) * T.abs(x)", "x * x"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> bounds() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
