// Floor division. In exact integers a division observes its operands and its result, so a
// fault-free left side says that they are in range; a right side that divides another term owes the
// same of it.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"floordiv-one", kInts, "x // 1", "x"},
    {"floordiv-minus-one", kSigned, "x // -1", "-x", "", "",
     "MIN // -1 faults on the left"},
    {"floordiv-of-zero", kSigned, "0 // x", "0"},
    {"floordiv-self", kSigned, "x // x", "1", "", "", "0 // 0 faults on the left"},

    {"floordiv-of-multiple", kExact, "(x * c1) // c2", "x * (c1 // c2)",
     "c2 != 0 and c1 % c2 == 0", "", "",
     "whole(c1, c2); factor(x, c1, c1 // c2, c2); exact(x * c1, x * (c1 // c2), c2)"},
    {"floordiv-of-divisor", kExact, "(x * c1) // c2", "x // (c2 // c1)",
     "c1 > 0 and c2 > 0 and c2 % c1 == 0", "", "x is in range because x * c1 is",
     "sign(c2 // c1, c1); grow(x, c1); drop-rest(x, 0, c2 // c1, c1, c2, x * c1)"},
    {"floordiv-cancel-factor", kExact, "(x * y) // y", "x", "", "",
     "wrong on wrapping integers: see the refused table"},
    {"floordiv-cancel-factor-sum", kExact, "(x * y + z) // y", "x + z // y", "",
     "0 < y; in_range(z)", "",
     "away(x * y + z, x, z, y)"},
    {"floordiv-cancel-scale", kExact, "(x * c1) // (y * c1)", "x // y", "c1 > 0", "", "",
     "scaled(x, y, c1, y * c1, x * c1); grow(x, c1); grow(y, c1)"},

    {"floordiv-split-multiple", kExact, "(x * c1 + y) // c2", "x * (c1 // c2) + y // c2",
     "c2 > 0 and c1 % c2 == 0", "in_range(y)", "",
     "factor(x, c1, c1 // c2, c2); away(x * c1 + y, x * (c1 // c2), y, c2)"},
    {"floordiv-split-subtracted", kExact, "(y - x * c1) // c2", "y // c2 - x * (c1 // c2)",
     "c2 > 0 and c1 % c2 == 0", "in_range(y)", "",
     "factor(x, c1, c1 // c2, c2); away(y - x * c1, -(x * (c1 // c2)), y, c2); "
     "negation(x * (c1 // c2), c2)"},
    {"floordiv-split-constant", kExact, "(x + c0) // c2", "x // c2 + c0 // c2",
     "c2 > 0 and c0 % c2 == 0", "in_range(x)", "",
     "away(x + c0, c0 // c2, x, c2)"},
    {"floordiv-drop-rest", kExact, "(x * c1 + y) // c2", "x // (c2 // c1)",
     "c1 > 0 and c2 > 0 and c2 % c1 == 0", "0 <= y; y < c1; in_range(x)",
     "a tile's digit: the rest y cannot carry into the quotient",
     "sign(c2 // c1, c1); drop-rest(x, y, c2 // c1, c1, c2, x * c1 + y)"},

    {"floordiv-of-floordiv", kExact, "(x // c1) // c2", "x // (c1 * c2)", "c1 > 0 and c2 > 0", "",
     "",
     "product-positive(c1, c2); nested(x, c1, c2, c1 * c2, x // c1)"},
    {"floordiv-of-sum-of-floordiv", kExact, "(x // c1 + c0) // c2", "(x + c0 * c1) // (c1 * c2)",
     "c1 != 0 and c2 > 0", "in_range(x + c0 * c1)", "",
     "product-positive(c1, c2); product-positive(-c1, c2); negation(c1, c2); away(x + c0 * c1, c0, x, c1); "
     "nested(x + c0 * c1, c1, c2, c1 * c2, x // c1 + c0)"},
    {"floordiv-of-floormod", kExact, "(x % c1) // c2", "0", "0 < c1 and c1 <= c2"},

    {"floordiv-bounded", kSigned, "x // y", "0", "", "0 <= x; x < y"},
    {"floordiv-bounded-below", kExact, "x // y", "-1", "", "-y <= x; x < 0; 0 < y"},
    {"floordiv-one-step", kExact, "x // c1", "1", "c1 > 0", "c1 <= x; x < c1 * 2"},

    {"floordiv-of-whole-times", kExact, "(x // c1) * c1", "x", "c1 != 0", "x % c1 == 0"},
    {"floordiv-floormod-whole", kExact, "(x // y) * y + x % y", "x"},
    {"sub-floordiv-multiple", kExact, "x - (x // y) * y", "x % y"},
    {"floordiv-floormod-scaled", kExact, "(x // c1) * c2 + (x % c1) * c0", "x * c0",
     "c2 == c1 * c0", "", "",
     "whole(x, c1); factor(x // c1, c2, c1, c0); scale(x, (x // c1) * c1 + x % c1, c0); "
     "sum((x // c1) * c1, x % c1, c0)"},

    {"floordiv-negs", kExact, "(-x) // c0", "x // (-c0)", "c0 < 0", "in_range(x)", "",
     "division-negative(-x, c0)"},
    {"floordiv-of-number-and-parity", kExact, "(x + x % 2) // 2", "(x + 1) // 2", "",
     "in_range(x + 1)"},
    {"floordiv-join-carry", kExact, "(x % c0 + y) // c0 + x // c0", "(x + y) // c0", "c0 > 0",
     "in_range(x + y)", "", "away(x + y, x // c0, x % c0 + y, c0)"},
    {"floordiv-of-bit", kExact, "(x * c1 + c2) // c3",
     "x * ((c1 + c2) // c3 - c2 // c3) + c2 // c3", "c3 > 0", "0 <= x; x <= 1",
     "what has two values is a line through both",
     "bit(x, c1); bit(x, (c1 + c2) // c3 - c2 // c3); division(c1 + c2, c3); division(c2, c3); "
     "quotient(x * c1 + c2, c3, (c1 + c2) // c3); quotient(x * c1 + c2, c3, c2 // c3)"},
    {"floordiv-of-bit-scaled", kExact, "(x * c1) // c3", "x * (c1 // c3)", "c3 != 0",
     "0 <= x; x <= 1", "", "bit(x, c1); bit(x, c1 // c3)"},
    {"floordiv-of-carry", kExact, "(x % c3 + c1) // c2", "x % c3 // (c2 - c1)",
     "0 < c1 and c1 < c2 and 0 < c3 and c3 <= (c2 - c1) * 2", "",
     "0 up to where c1 makes it c2, and 1 from there on; of a remainder alone, so that the digits "
     "of one number stay next to each other",
     "division(x, c3); quotient(x % c3 + c1, c2, 0); quotient(x % c3 + c1, c2, 1); "
     "quotient(x % c3, c2 - c1, 0); quotient(x % c3, c2 - c1, 1)"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> floordiv() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
