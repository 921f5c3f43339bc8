// Comparisons that are decided by their form: a term with itself, with the ends of its type, with
// its own minimum, maximum or remainder.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"eq-self", kInts | kBoolean, "x == x", "True", "", "", "on floats wrong for NaN"},
    {"ne-self", kInts | kBoolean, "x != x", "False"},
    {"lt-self", kNumbers, "x < x", "False", "", "", "on floats too: NaN is not below itself"},
    {"le-self", kInts, "x <= x", "True"},

    {"lt-smallest", kInts, "x < c0", "False", "c0 == KIND_MIN"},
    {"ge-smallest", kInts, "c0 <= x", "True", "c0 == KIND_MIN"},
    {"gt-largest", kInts, "c0 < x", "False", "c0 == KIND_MAX"},
    {"le-largest", kInts, "x <= c0", "True", "c0 == KIND_MAX"},
    {"gt-smallest", kInts, "c0 < x", "x != c0", "c0 == KIND_MIN"},
    {"le-smallest", kInts, "x <= c0", "x == c0", "c0 == KIND_MIN"},
    {"lt-largest", kInts, "x < c0", "x != c0", "c0 == KIND_MAX"},
    {"ge-largest", kInts, "c0 <= x", "x == c0", "c0 == KIND_MAX"},

    {"lt-min-term", kInts, "T.min(x, y) < x", "y < x"},
    {"le-min-term", kInts, "T.min(x, y) <= x", "True"},
    {"lt-term-min", kInts, "x < T.min(x, y)", "False"},
    {"le-term-min", kInts, "x <= T.min(x, y)", "x <= y"},
    {"eq-min-term", kInts, "T.min(x, y) == x", "x <= y"},
    {"ne-min-term", kInts, "T.min(x, y) != x", "y < x"},
    {"lt-max-term", kInts, "T.max(x, y) < x", "False"},
    {"le-max-term", kInts, "T.max(x, y) <= x", "y <= x"},
    {"lt-term-max", kInts, "x < T.max(x, y)", "x < y"},
    {"le-term-max", kInts, "x <= T.max(x, y)", "True"},
    {"eq-max-term", kInts, "T.max(x, y) == x", "y <= x"},
    {"ne-max-term", kInts, "T.max(x, y) != x", "x < y"},
    {"le-min-max", kInts, "T.min(x, y) <= T.max(x, y)", "True"},

    {"lt-min-constant-true", kInts, "T.min(x, c0) < c1", "True", "c0 < c1"},
    {"lt-min-constant", kInts, "T.min(x, c0) < c1", "x < c1", "c1 <= c0"},
    {"le-min-constant-true", kInts, "T.min(x, c0) <= c1", "True", "c0 <= c1"},
    {"le-min-constant", kInts, "T.min(x, c0) <= c1", "x <= c1", "c1 < c0"},
    {"gt-min-constant-false", kInts, "c1 < T.min(x, c0)", "False", "c0 <= c1"},
    {"gt-min-constant", kInts, "c1 < T.min(x, c0)", "c1 < x", "c1 < c0"},
    {"ge-min-constant-false", kInts, "c1 <= T.min(x, c0)", "False", "c0 < c1"},
    {"ge-min-constant", kInts, "c1 <= T.min(x, c0)", "c1 <= x", "c1 <= c0"},
    {"lt-max-constant-false", kInts, "T.max(x, c0) < c1", "False", "c1 <= c0"},
    {"lt-max-constant", kInts, "T.max(x, c0) < c1", "x < c1", "c0 < c1"},
    {"le-max-constant-false", kInts, "T.max(x, c0) <= c1", "False", "c1 < c0"},
    {"le-max-constant", kInts, "T.max(x, c0) <= c1", "x <= c1", "c0 <= c1"},
    {"gt-max-constant-true", kInts, "c1 < T.max(x, c0)", "True", "c1 < c0"},
    {"gt-max-constant", kInts, "c1 < T.max(x, c0)", "c1 < x", "c0 <= c1"},
    {"ge-max-constant-true", kInts, "c1 <= T.max(x, c0)", "True", "c1 <= c0"},
    {"ge-max-constant", kInts, "c1 <= T.max(x, c0)", "c1 <= x", "c0 < c1"},

    {"lt-floormod-above", kExact, "x % c0 < c1", "True", "0 < c0 and c0 <= c1"},
    {"lt-floormod-below", kExact, "x % c0 < c1", "False", "0 < c0 and c1 <= 0"},
    {"ge-floormod-above", kExact, "c1 <= x % c0", "False", "0 < c0 and c0 <= c1"},
    {"ge-floormod-below", kExact, "c1 <= x % c0", "True", "0 < c0 and c1 <= 0"},
    {"gt-floormod-below", kExact, "c1 < x % c0", "True", "0 < c0 and c1 < 0"},
    {"eq-floormod-outside", kExact, "x % c0 == c1", "False", "0 < c0 and (c1 < 0 or c0 <= c1)"},
    {"eq-floormod-itself", kExact, "x % y == x", "x < y", "", "0 <= x; 0 < y"},
    {"eq-floormod-itself-swapped", kExact, "x == x % y", "x < y", "", "0 <= x; 0 < y"},
    {"ne-floormod-itself", kExact, "x % y != x", "y <= x", "", "0 <= x; 0 < y"},
    {"ne-floormod-itself-swapped", kExact, "x != x % y", "y <= x", "", "0 <= x; 0 < y"},
    {"lt-floormod-itself", kExact, "x % y < x", "y <= x", "", "0 <= x; 0 < y"},
    {"ne-floormod-outside", kExact, "x % c0 != c1", "True", "0 < c0 and (c1 < 0 or c0 <= c1)"},
    {"either-rest-of-two", kExact, "x % 2 == 0 or x % 2 == 1", "True"},
    {"either-rest-of-two-swapped", kExact, "x % 2 == 1 or x % 2 == 0", "True"},
    {"neither-rest-of-two", kExact, "x % 2 != 0 and x % 2 != 1", "False"},
    {"neither-rest-of-two-swapped", kExact, "x % 2 != 1 and x % 2 != 0", "False"},
    {"no-multiple-of-finer", kExact, "x % c1 != 0 and x % c2 != 0", "x % c2 != 0",
     "c1 > 0 and c2 > 0 and c1 % c2 == 0", "", "", "whole(c1, c2); residue(x, c1, c1 // c2, c2)"},
    {"no-multiple-of-coarser", kExact, "x % c2 != 0 and x % c1 != 0", "x % c2 != 0",
     "c1 > 0 and c2 > 0 and c1 % c2 == 0", "", "", "whole(c1, c2); residue(x, c1, c1 // c2, c2)"},
    {"multiple-of-either", kExact, "x % c1 == 0 or x % c2 == 0", "x % c2 == 0",
     "c1 > 0 and c2 > 0 and c1 % c2 == 0", "", "", "whole(c1, c2); residue(x, c1, c1 // c2, c2)"},
    {"multiple-of-either-swapped", kExact, "x % c2 == 0 or x % c1 == 0", "x % c2 == 0",
     "c1 > 0 and c2 > 0 and c1 % c2 == 0", "", "", "whole(c1, c2); residue(x, c1, c1 // c2, c2)"},
    {"eq-rest-of-offset", kExact, "(x + c0) % c1 == c2", "x % c1 == (c2 - c0) % c1",
     "c1 > 0 and 0 <= c2 and c2 < c1", "in_range(x)", "",
     "whole(x + c0, c1); whole(x, c1); whole(c2 - c0, c1); away(x, (x + c0) // c1, c2 - c0, c1); "
     "difference(x // c1, (c2 - c0) // c1, c1); "
     "away(x + c0, x // c1 - (c2 - c0) // c1, c2, c1); quotient(c2, c1, 0)"},
    {"ne-rest-of-offset", kExact, "(x + c0) % c1 != c2", "x % c1 != (c2 - c0) % c1",
     "c1 > 0 and 0 <= c2 and c2 < c1", "in_range(x)", "",
     "whole(x + c0, c1); whole(x, c1); whole(c2 - c0, c1); away(x, (x + c0) // c1, c2 - c0, c1); "
     "difference(x // c1, (c2 - c0) // c1, c1); "
     "away(x + c0, x // c1 - (c2 - c0) // c1, c2, c1); quotient(c2, c1, 0)"},
    {"lt-floormod-divisor", kExact, "x % y < y", "True", "", "0 < y"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> comparison_known() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
