// Minimum and maximum: a lattice on integers. On floats min and max are a comparison and a choice,
// not commutative where NaN or zeros of both signs meet, and only a few laws hold.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"min-self", kNumbers, "T.min(x, x)", "x"},
    {"max-self", kNumbers, "T.max(x, x)", "x"},
    {"min-known-left", kInts, "T.min(x, y)", "x", "", "x <= y"},
    {"max-known-left", kInts, "T.max(x, y)", "x", "", "y <= x"},
    {"min-of-largest", kInts, "T.min(x, c0)", "x", "c0 == KIND_MAX"},
    {"max-of-smallest", kInts, "T.max(x, c0)", "x", "c0 == KIND_MIN"},
    {"min-of-smallest", kInts, "T.min(x, c0)", "c0", "c0 == KIND_MIN"},
    {"max-of-largest", kInts, "T.max(x, c0)", "c0", "c0 == KIND_MAX"},

    {"min-constants", kInts, "T.min(T.min(x, c0), c1)", "T.min(x, T.min(c0, c1))"},
    {"max-constants", kInts, "T.max(T.max(x, c0), c1)", "T.max(x, T.max(c0, c1))"},
    {"min-below-max", kInts, "T.min(T.max(x, c0), c1)", "c1", "c1 <= c0"},
    {"max-above-min", kInts, "T.max(T.min(x, c0), c1)", "c1", "c0 <= c1"},
    {"min-of-clamp", kInts, "T.min(T.max(T.min(x, c0), c1), c0)", "T.max(T.min(x, c0), c1)",
     "c1 <= c0"},
    {"max-of-clamp", kInts, "T.max(T.min(T.max(x, c0), c1), c0)", "T.min(T.max(x, c0), c1)",
     "c0 <= c1"},

    {"min-absorbs-max", kInts, "T.min(x, T.max(x, y))", "x"},
    {"max-absorbs-min", kInts, "T.max(x, T.min(x, y))", "x"},
    {"min-of-min-same", kInts, "T.min(x, T.min(x, y))", "T.min(x, y)"},
    {"max-of-max-same", kInts, "T.max(x, T.max(x, y))", "T.max(x, y)"},
    {"min-of-max-and-min", kInts, "T.min(T.max(x, y), T.min(x, y))", "T.min(x, y)"},
    {"max-of-max-and-min", kInts, "T.max(T.max(x, y), T.min(x, y))", "T.max(x, y)"},
    {"min-of-mins", kInts, "T.min(T.min(x, y), T.min(x, z))", "T.min(x, T.min(y, z))"},
    {"max-of-maxes", kInts, "T.max(T.max(x, y), T.max(x, z))", "T.max(x, T.max(y, z))"},
    {"min-of-maxes", kInts, "T.min(T.max(x, y), T.max(x, z))", "T.max(x, T.min(y, z))"},
    {"max-of-mins", kInts, "T.max(T.min(x, y), T.min(x, z))", "T.min(x, T.max(y, z))"},

    {"min-offsets", kExact, "T.min(x + c0, x + c1)", "x + T.min(c0, c1)"},
    {"max-offsets", kExact, "T.max(x + c0, x + c1)", "x + T.max(c0, c1)"},
    {"min-offset-up", kExact, "T.min(x, x + c0)", "x", "c0 >= 0"},
    {"min-offset-down", kExact, "T.min(x, x + c0)", "x + c0", "c0 <= 0"},
    {"max-offset-up", kExact, "T.max(x, x + c0)", "x + c0", "c0 >= 0"},
    {"max-offset-down", kExact, "T.max(x, x + c0)", "x", "c0 <= 0"},
    {"min-common-term", kExact, "T.min(x + z, y + z)", "T.min(x, y) + z", "",
     "in_range(x); in_range(y)", "x and y are observed only on the right"},
    {"max-common-term", kExact, "T.max(x + z, y + z)", "T.max(x, y) + z", "",
     "in_range(x); in_range(y)"},
    {"min-common-subtrahend", kExact, "T.min(x - z, y - z)", "T.min(x, y) - z", "",
     "in_range(x); in_range(y)"},
    {"max-common-subtrahend", kExact, "T.max(x - z, y - z)", "T.max(x, y) - z", "",
     "in_range(x); in_range(y)"},
    {"min-common-minuend", kExact, "T.min(z - x, z - y)", "z - T.max(x, y)", "",
     "in_range(x); in_range(y)"},
    {"max-common-minuend", kExact, "T.max(z - x, z - y)", "z - T.min(x, y)", "",
     "in_range(x); in_range(y)"},
    {"min-scaled", kExact, "T.min(x * c0, y * c0)", "T.min(x, y) * c0", "c0 > 0"},
    {"max-scaled", kExact, "T.max(x * c0, y * c0)", "T.max(x, y) * c0", "c0 > 0"},
    {"min-scaled-negative", kExact, "T.min(x * c0, y * c0)", "T.max(x, y) * c0", "c0 < 0",
     "in_range(x); in_range(y)", "x * -1 may be in range where x is not"},
    {"max-scaled-negative", kExact, "T.max(x * c0, y * c0)", "T.min(x, y) * c0", "c0 < 0",
     "in_range(x); in_range(y)"},
    {"min-of-floordivs", kExact, "T.min(x // c0, y // c0)", "T.min(x, y) // c0", "c0 > 0"},
    {"max-of-floordivs", kExact, "T.max(x // c0, y // c0)", "T.max(x, y) // c0", "c0 > 0"},
    {"min-of-negs", kExact, "T.min(-x, -y)", "-T.max(x, y)", "", "in_range(x); in_range(y)"},
    {"max-of-negs", kExact, "T.max(-x, -y)", "-T.min(x, y)", "", "in_range(x); in_range(y)"},

    {"min-of-truncdivs", kExact, "T.min(T.truncdiv(x, c0), T.truncdiv(y, c0))",
     "T.truncdiv(T.min(x, y), c0)", "c0 > 0", "", "", "truncation(x, c0); truncation(y, c0)"},
    {"max-of-truncdivs", kExact, "T.max(T.truncdiv(x, c0), T.truncdiv(y, c0))",
     "T.truncdiv(T.max(x, y), c0)", "c0 > 0", "", "", "truncation(x, c0); truncation(y, c0)"},
    {"min-of-floordivs-negative", kExact, "T.min(x // c0, y // c0)", "T.max(x, y) // c0", "c0 < 0",
     "", "",
     "whole(x, c0); whole(y, c0); mono-negative(x // c0, y // c0, c0); "
     "mono-negative(y // c0, x // c0, c0)"},
    {"max-of-floordivs-negative", kExact, "T.max(x // c0, y // c0)", "T.min(x, y) // c0", "c0 < 0",
     "", "",
     "whole(x, c0); whole(y, c0); mono-negative(x // c0, y // c0, c0); "
     "mono-negative(y // c0, x // c0, c0)"},
    {"min-of-truncdivs-negative", kExact, "T.min(T.truncdiv(x, c0), T.truncdiv(y, c0))",
     "T.truncdiv(T.max(x, y), c0)", "c0 < 0", "", "",
     "whole(x, c0); whole(y, c0); mono-negative(T.truncdiv(x, c0), T.truncdiv(y, c0), c0); "
     "mono-negative(T.truncdiv(y, c0), T.truncdiv(x, c0), c0); "
     "negation(c0, T.truncdiv(x, c0)); sign(T.truncdiv(x, c0), -c0)"},
    {"max-of-truncdivs-negative", kExact, "T.max(T.truncdiv(x, c0), T.truncdiv(y, c0))",
     "T.truncdiv(T.min(x, y), c0)", "c0 < 0", "", "",
     "whole(x, c0); whole(y, c0); mono-negative(T.truncdiv(x, c0), T.truncdiv(y, c0), c0); "
     "mono-negative(T.truncdiv(y, c0), T.truncdiv(x, c0), c0); "
     "negation(c0, T.truncdiv(x, c0)); sign(T.truncdiv(x, c0), -c0)"},
    {"min-of-min-and-floordiv", kExact, "T.min(T.min(x // c0, z), y // c0)",
     "T.min(T.min(x, y) // c0, z)", "c0 > 0"},
    {"max-of-max-and-floordiv", kExact, "T.max(T.max(x // c0, z), y // c0)",
     "T.max(T.max(x, y) // c0, z)", "c0 > 0"},
    {"min-of-bit", kExact, "T.min(x * c1 + c2, c3)",
     "x * (T.min(c1 + c2, c3) - T.min(c2, c3)) + T.min(c2, c3)", "", "0 <= x; x <= 1", "",
     "bit(x, c1); bit(x, T.min(c1 + c2, c3) - T.min(c2, c3))"},
    {"min-of-bit-scaled", kExact, "T.min(x * c1, c3)",
     "x * (T.min(c1, c3) - T.min(0, c3)) + T.min(0, c3)", "", "0 <= x; x <= 1", "",
     "bit(x, c1); bit(x, T.min(c1, c3) - T.min(0, c3))"},
    {"max-of-bit", kExact, "T.max(x * c1 + c2, c3)",
     "x * (T.max(c1 + c2, c3) - T.max(c2, c3)) + T.max(c2, c3)", "", "0 <= x; x <= 1", "",
     "bit(x, c1); bit(x, T.max(c1 + c2, c3) - T.max(c2, c3))"},
    {"max-of-bit-scaled", kExact, "T.max(x * c1, c3)",
     "x * (T.max(c1, c3) - T.max(0, c3)) + T.max(0, c3)", "", "0 <= x; x <= 1", "",
     "bit(x, c1); bit(x, T.max(c1, c3) - T.max(0, c3))"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> min_max() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
