// Ceiling division, which is spelled (x + (c - 1)) // c: how many tiles cover x, and how far they
// reach. Its covers are what guards of padded loops compare with.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note, lemmas, licences
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"ceildiv-covers", kExact, "x <= ((x + c0) // c1) * c1", "True", "c1 > 0 and c0 == c1 - 1"},
    {"ceildiv-covers-not", kExact, "((x + c0) // c1) * c1 < x", "False",
     "c1 > 0 and c0 == c1 - 1"},
    {"ceildiv-covers-tightly", kExact, "((x + c0) // c1) * c1 < x + c1", "True",
     "c1 > 0 and c0 == c1 - 1"},
    {"ceildiv-covers-tightly-not", kExact, "x + c1 <= ((x + c0) // c1) * c1", "False",
     "c1 > 0 and c0 == c1 - 1"},
    {"ceildiv-exact", kExact, "((x + c0) // c1) * c1 == x", "x % c1 == 0",
     "c1 > 0 and c0 == c1 - 1"},
    {"ceildiv-inexact", kExact, "((x + c0) // c1) * c1 != x", "x % c1 != 0",
     "c1 > 0 and c0 == c1 - 1"},
    {"ceildiv-pads", kExact, "x < ((x + c0) // c1) * c1", "x % c1 != 0", "c1 > 0 and c0 == c1 - 1"},
    {"ceildiv-fits", kExact, "((x + c0) // c1) * c1 <= x", "x % c1 == 0",
     "c1 > 0 and c0 == c1 - 1"},
    {"ceildiv-padding", kExact, "((x + c0) // c1) * c1 - x", "(-x) % c1",
     "c1 > 0 and c0 == c1 - 1", "in_range(-x)", "how much is padded",
     "negation((x + c0) // c1, c1); quotient(-x, c1, -((x + c0) // c1))"},
    {"ceildiv-covers-symbolic", kExact, "x <= ((x + y - 1) // y) * y", "True", "", "0 < y"},
    {"ceildiv-covers-tightly-symbolic", kExact, "((x + y - 1) // y) * y < x + y", "True", "",
     "0 < y"},
    {"floordiv-of-smaller", kExact, "c0 // x", "0", "0 <= c0", "c0 < x"},
    {"floordiv-drop-offset", kExact, "(x + c0) // c1", "x // c1", "0 <= c0 and c0 < c1",
     "in_range(x); x % c1 + c0 < c1", "no carry: of a multiple of c1, for one",
     "quotient(x + c0, c1, x // c1)"},
    {"floordiv-carry-offset", kExact, "(x + c0) // c1", "x // c1 + 1", "0 < c0 and c0 < c1",
     "in_range(x); c1 <= x % c1 + c0", "",
     "sum(x // c1, 1, c1); quotient(x + c0, c1, x // c1 + 1)"},
    {"ceildiv-from-quotient-and-rest", kExact, "x // c1 + T.min(x % c1, 1)",
     "(x + (c1 - 1)) // c1", "c1 > 0", "in_range(x + (c1 - 1))", "",
     "sum(x // c1, T.min(x % c1, 1), c1); scale(T.min(x % c1, 1), 0, c1); "
     "scale(T.min(x % c1, 1), 1, c1); quotient(x + (c1 - 1), c1, x // c1 + T.min(x % c1, 1))"},
    {"ceildiv-of-negated", kExact, "(-x) // c1 + (x + c0) // c1", "0", "c1 > 0 and c0 == c1 - 1",
     "", "",
     "negation((x + c0) // c1, c1); quotient(-x, c1, -((x + c0) // c1))"},
    {"floordiv-of-neg-scaled", kExact, "(-(x * c1)) // c1", "-x", "c1 > 0", "", "",
     "negation(x, c1); exact(-(x * c1), -x, c1)"},
    {"lt-last-tile", kExact, "(x // c0) * c0 + c0 <= x", "False", "c0 > 0"},
    {"gt-last-tile", kExact, "x < (x // c0) * c0 + c0", "True", "c0 > 0"},
    {"le-floordiv-scaled", kExact, "(x // c0) * c0 <= x", "True", "c0 > 0"},
    {"gt-floordiv-scaled", kExact, "x < (x // c0) * c0", "False", "c0 > 0"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> ceildiv() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
