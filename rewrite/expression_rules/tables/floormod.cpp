// Floor modulo: x - (x // y) * y, so the sign of the divisor. It faults where x // y faults.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"floormod-one", kInts, "x % 1", "0"},
    {"floormod-minus-one", kSigned, "x % -1", "0"},
    {"floormod-of-zero", kSigned, "0 % x", "0"},
    {"floormod-self", kSigned, "x % x", "0"},

    {"floormod-of-multiple", kExact, "(x * c1) % c2", "0", "c2 != 0 and c1 % c2 == 0", "", "",
     "whole(c1, c2); factor(x, c1, c1 // c2, c2); exact(x * c1, x * (c1 // c2), c2)"},
    {"floormod-of-factor", kExact, "(x * y) % y", "0", "", "", "",
     "exact(x * y, x, y)"},
    {"floormod-of-factor-sum", kExact, "(x * y + z) % y", "z % y", "", "0 < y; in_range(z)", "",
     "away(x * y + z, x, z, y)"},
    {"floormod-drop-multiple", kExact, "(x * c1 + y) % c2", "y % c2", "c2 > 0 and c1 % c2 == 0",
     "in_range(y)", "",
     "factor(x, c1, c1 // c2, c2); away(x * c1 + y, x * (c1 // c2), y, c2)"},
    {"floormod-drop-subtracted", kExact, "(y - x * c1) % c2", "y % c2", "c2 > 0 and c1 % c2 == 0",
     "in_range(y)", "",
     "factor(x, c1, c1 // c2, c2); away(y - x * c1, -(x * (c1 // c2)), y, c2); "
     "negation(x * (c1 // c2), c2)"},
    {"floormod-drop-constant", kExact, "(x + c0) % c2", "x % c2", "c2 > 0 and c0 % c2 == 0",
     "in_range(x)", "",
     "away(x + c0, c0 // c2, x, c2)"},
    {"floormod-keep-rest", kExact, "(x * c1 + y) % c2", "(x % (c2 // c1)) * c1 + y",
     "c1 > 0 and c2 > 0 and c2 % c1 == 0", "0 <= y; y < c1; in_range(x)", "",
     "sign(c2 // c1, c1); drop-rest(x, y, c2 // c1, c1, c2, x * c1 + y)"},
    {"floormod-of-scaled", kExact, "(x * c1) % c2", "(x % (c2 // c1)) * c1",
     "c1 > 0 and c2 != 0 and c2 % c1 == 0", "", "x is in range because x * c1 is",
     "whole(c2, c1); grow(x, c1); grow(c2 // c1, c1); scaled(x, c2 // c1, c1, c2, x * c1)"},

    {"floormod-of-floormod", kExact, "(x % c1) % c2", "x % c2", "c2 > 0 and c1 % c2 == 0", "", "",
     "whole(x, c1); factor(x // c1, c1, c1 // c2, c2); "
     "away(x, (x // c1) * (c1 // c2), x % c1, c2)"},
    {"floormod-of-floormod-smaller", kExact, "(x % c1) % c2", "x % c1", "0 < c1 and c1 <= c2"},
    {"floormod-of-sum-of-floormod", kExact, "(x % c1 + y) % c1", "(x + y) % c1", "c1 > 0",
     "in_range(x + y)", "",
     "away(x + y, x // c1, x % c1 + y, c1)"},
    {"floormod-of-sub-floormod", kExact, "(x - x % c1) % c1", "0", "c1 > 0"},

    {"floormod-bounded", kSigned, "x % y", "x", "", "0 <= x; x < y"},
    {"floormod-bounded-below", kExact, "x % y", "x + y", "",
     "-y <= x; x < 0; 0 < y; definite(x)"},
    {"floormod-one-step", kExact, "x % c1", "x - c1", "c1 > 0",
     "c1 <= x; x < c1 * 2; definite(x)", "an indeterminate remainder is not computed with"},

    {"floormod-negs", kExact, "(-x) % c0", "-(x % (-c0))", "c0 < 0", "in_range(x)", "",
     "division-negative(-x, c0)"},
    {"parity-square", kExact, "(x % 2) * (x % 2)", "x % 2"},
    {"floormod-of-bit", kExact, "(x * c1 + c2) % c3",
     "x * ((c1 + c2) % c3 - c2 % c3) + c2 % c3", "c3 > 0", "0 <= x; x <= 1", "",
     "bit(x, c1); bit(x, (c1 + c2) % c3 - c2 % c3); division(c1 + c2, c3); division(c2, c3); "
     "quotient(x * c1 + c2, c3, (c1 + c2) // c3); quotient(x * c1 + c2, c3, c2 // c3)"},
    {"floormod-of-bit-scaled", kExact, "(x * c1) % c3", "x * (c1 % c3)", "c3 != 0",
     "0 <= x; x <= 1", "", "bit(x, c1); bit(x, c1 % c3)"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> floormod() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
