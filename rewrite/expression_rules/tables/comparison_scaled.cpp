// Comparisons of scaled terms and of quotients with constants. Bounds on x * c0 and x // c0 become
// bounds on x: rounded up for a strict upper or weak lower bound, down otherwise.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"eq-scaled", kExact, "x * c0 == y * c0", "x == y", "c0 > 0"},
    {"ne-scaled", kExact, "x * c0 != y * c0", "x != y", "c0 > 0"},
    {"lt-scaled", kExact, "x * c0 < y * c0", "x < y", "c0 > 0"},
    {"le-scaled", kExact, "x * c0 <= y * c0", "x <= y", "c0 > 0"},
    {"lt-scaled-negative", kExact, "x * c0 < y * c0", "y < x", "c0 < 0",
     "in_range(x); in_range(y)", "",
     "mono-negative(x, y, c0); mono-negative(y, x, c0); scale(x, y, c0)"},
    {"le-scaled-negative", kExact, "x * c0 <= y * c0", "y <= x", "c0 < 0",
     "in_range(x); in_range(y)", "",
     "mono-negative(x, y, c0); mono-negative(y, x, c0); scale(x, y, c0)"},

    {"eq-scaled-constant", kExact, "x * c0 == c1", "x == c1 // c0", "c0 > 0 and c1 % c0 == 0"},
    {"ne-scaled-constant", kExact, "x * c0 != c1", "x != c1 // c0", "c0 > 0 and c1 % c0 == 0"},
    {"eq-scaled-between", kExact, "x * c0 == c1", "False", "c0 > 0 and c1 % c0 != 0"},
    {"ne-scaled-between", kExact, "x * c0 != c1", "True", "c0 > 0 and c1 % c0 != 0"},
    {"lt-scaled-constant", kExact, "x * c0 < c1", "x < -((-c1) // c0)", "c0 > 0", "", "",
     "mono(x, -((-c1) // c0), c0); order(-((-c1) // c0), x, c0); negation((-c1) // c0, c0); "
     "grow(x, c0)"},
    {"le-scaled-constant", kExact, "x * c0 <= c1", "x <= c1 // c0", "c0 > 0", "", "",
     "mono(c1 // c0, x, c0); order(x, c1 // c0, c0); grow(x, c0)"},
    {"gt-scaled-constant", kExact, "c1 < x * c0", "c1 // c0 < x", "c0 > 0", "", "",
     "mono(c1 // c0, x, c0); order(x, c1 // c0, c0); grow(x, c0)"},
    {"ge-scaled-constant", kExact, "c1 <= x * c0", "-((-c1) // c0) <= x", "c0 > 0", "", "",
     "mono(x, -((-c1) // c0), c0); order(-((-c1) // c0), x, c0); negation((-c1) // c0, c0); "
     "grow(x, c0)"},

    {"lt-tile", kExact, "x * c0 + y < c1", "x < c1 // c0", "c0 > 0 and c1 % c0 == 0",
     "0 <= y; y < c0; in_range(x)",
     "a guard on whole tiles",
     "mono(x, c1 // c0, c0); order(c1 // c0, x, c0)"},
    {"ge-tile", kExact, "c1 <= x * c0 + y", "c1 // c0 <= x", "c0 > 0 and c1 % c0 == 0",
     "0 <= y; y < c0; in_range(x)", "",
     "mono(x, c1 // c0, c0); order(c1 // c0, x, c0)"},
    {"lt-tile-symbolic", kExact, "x * c0 + y < z * c0", "x < z", "c0 > 0",
     "0 <= y; y < c0; in_range(x)", "",
     "mono(x, z, c0); order(z, x, c0); grow(z, c0)"},
    {"le-tile-symbolic", kExact, "z * c0 <= x * c0 + y", "z <= x", "c0 > 0",
     "0 <= y; y < c0; in_range(x)", "",
     "mono(x, z, c0); order(z, x, c0); grow(z, c0)"},

    {"lt-floordiv", kExact, "x // c0 < c1", "x < c1 * c0", "c0 > 0"},
    {"le-floordiv", kExact, "x // c0 <= c1", "x < (c1 + 1) * c0", "c0 > 0"},
    {"gt-floordiv", kExact, "c1 < x // c0", "(c1 + 1) * c0 <= x", "c0 > 0"},
    {"ge-floordiv", kExact, "c1 <= x // c0", "c1 * c0 <= x", "c0 > 0"},
    {"lt-digit", kExact, "x // c0 % c1 < c2", "x % (c0 * c1) < c2 * c0", "c0 > 0 and c1 > 0", "", "",
     "product-positive(c0, c1); nested(x, c0, c1, c0 * c1, x // c0); "
     "division(x % (c0 * c1), c0); mono(x // c0 % c1, c2, c0); order(c2, x // c0 % c1, c0)"},
    {"ge-digit", kExact, "c2 <= x // c0 % c1", "c2 * c0 <= x % (c0 * c1)", "c0 > 0 and c1 > 0", "",
     "",
     "product-positive(c0, c1); nested(x, c0, c1, c0 * c1, x // c0); "
     "division(x % (c0 * c1), c0); mono(x // c0 % c1, c2, c0); order(c2, x // c0 % c1, c0)"},
    {"le-digit", kExact, "x // c0 % c1 <= c2", "x % (c0 * c1) < (c2 + 1) * c0",
     "c0 > 0 and c1 > 0", "", "",
     "product-positive(c0, c1); nested(x, c0, c1, c0 * c1, x // c0); division(x % (c0 * c1), c0); "
     "mono(x // c0 % c1, c2 + 1, c0); order(c2 + 1, x // c0 % c1, c0)"},
    {"gt-digit", kExact, "c2 < x // c0 % c1", "(c2 + 1) * c0 <= x % (c0 * c1)",
     "c0 > 0 and c1 > 0", "", "",
     "product-positive(c0, c1); nested(x, c0, c1, c0 * c1, x // c0); division(x % (c0 * c1), c0); "
     "mono(x // c0 % c1, c2 + 1, c0); order(c2 + 1, x // c0 % c1, c0)"},
    {"eq-digit-zero", kExact, "x // c0 % c1 == 0", "x % (c0 * c1) < c0", "c0 > 0 and c1 > 0", "", "",
     "product-positive(c0, c1); nested(x, c0, c1, c0 * c1, x // c0); "
     "division(x % (c0 * c1), c0); mono(x // c0 % c1, 1, c0); order(1, x // c0 % c1, c0)"},
    {"ne-digit-zero", kExact, "x // c0 % c1 != 0", "c0 <= x % (c0 * c1)", "c0 > 0 and c1 > 0", "",
     "",
     "product-positive(c0, c1); nested(x, c0, c1, c0 * c1, x // c0); "
     "division(x % (c0 * c1), c0); mono(x // c0 % c1, 1, c0); order(1, x // c0 % c1, c0)"},

    {"le-ceildiv", kExact, "(x + c0) // c1 <= y", "x <= y * c1", "c1 > 0 and c0 == c1 - 1",
     "in_range(x); in_range(y * c1); definite(y)", "",
     "division(x + c0, c1); order((x + c0) // c1, y, c1); mono(y, (x + c0) // c1, c1)"},
    {"gt-ceildiv", kExact, "y < (x + c0) // c1", "y * c1 < x", "c1 > 0 and c0 == c1 - 1",
     "in_range(x); in_range(y * c1); definite(y)", "",
     "division(x + c0, c1); order((x + c0) // c1, y, c1); mono(y, (x + c0) // c1, c1)"},
    {"eq-neighbour-quotients", kExact, "x // c0 == c1 or x // c0 == c2",
     "x // (c0 * 2) == c1 // 2", "c0 > 0 and c1 % 2 == 0 and c2 - c1 == 1", "", "",
     "nested(x, c0, 2, c0 * 2, x // c0)"},
    {"eq-neighbour-quotients-swapped", kExact, "x // c0 == c2 or x // c0 == c1",
     "x // (c0 * 2) == c1 // 2", "c0 > 0 and c1 % 2 == 0 and c2 - c1 == 1", "", "",
     "nested(x, c0, 2, c0 * 2, x // c0)"},
    {"ne-neighbour-quotients", kExact, "x // c0 != c1 and x // c0 != c2",
     "x // (c0 * 2) != c1 // 2", "c0 > 0 and c1 % 2 == 0 and c2 - c1 == 1", "", "",
     "nested(x, c0, 2, c0 * 2, x // c0)"},
    {"ne-neighbour-quotients-swapped", kExact, "x // c0 != c2 and x // c0 != c1",
     "x // (c0 * 2) != c1 // 2", "c0 > 0 and c1 % 2 == 0 and c2 - c1 == 1", "", "",
     "nested(x, c0, 2, c0 * 2, x // c0)"},

    {"lt-zero-product", kExact, "x * y < 0", "x < 0", "", "0 < y", "", "sign(x, y); grow(x, y)"},
    {"le-zero-product", kExact, "x * y <= 0", "x <= 0", "", "0 < y", "", "sign(x, y); grow(x, y)"},
    {"gt-zero-product", kExact, "0 < x * y", "0 < x", "", "0 < y", "", "sign(x, y); grow(x, y)"},
    {"ge-zero-product", kExact, "0 <= x * y", "0 <= x", "", "0 < y", "", "sign(x, y); grow(x, y)"},
    {"eq-zero-product", kExact, "x * y == 0", "x == 0", "", "0 < y", "", "sign(x, y); grow(x, y)"},
    {"ne-zero-product", kExact, "x * y != 0", "x != 0", "", "0 < y", "", "sign(x, y); grow(x, y)"},

    {"lt-floordiv-multiple", kExact, "(x // c0) * c0 < x", "x % c0 != 0", "c0 > 0"},
    {"eq-floordiv-multiple", kExact, "(x // c0) * c0 == x", "x % c0 == 0", "c0 > 0"},
    {"ne-floordiv-multiple", kExact, "(x // c0) * c0 != x", "x % c0 != 0", "c0 > 0"},

    {"lt-truncdiv-above", kExact, "T.truncdiv(x, c0) < c1", "x < c1 * c0", "c0 > 0 and c1 > 0", "", "",
     "whole(x, c0); mono(T.truncdiv(x, c0), c1, c0); mono(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"lt-truncdiv-below", kExact, "T.truncdiv(x, c0) < c1", "x <= (c1 - 1) * c0", "c0 > 0 and c1 <= 0", "", "",
     "whole(x, c0); mono(T.truncdiv(x, c0), c1, c0); mono(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"le-truncdiv-above", kExact, "T.truncdiv(x, c0) <= c1", "x < (c1 + 1) * c0", "c0 > 0 and c1 >= 0", "", "",
     "whole(x, c0); mono(T.truncdiv(x, c0), c1, c0); mono(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"le-truncdiv-below", kExact, "T.truncdiv(x, c0) <= c1", "x <= c1 * c0", "c0 > 0 and c1 < 0", "", "",
     "whole(x, c0); mono(T.truncdiv(x, c0), c1, c0); mono(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"gt-truncdiv-above", kExact, "c1 < T.truncdiv(x, c0)", "(c1 + 1) * c0 <= x", "c0 > 0 and c1 >= 0", "", "",
     "whole(x, c0); mono(T.truncdiv(x, c0), c1, c0); mono(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"gt-truncdiv-below", kExact, "c1 < T.truncdiv(x, c0)", "c1 * c0 < x", "c0 > 0 and c1 < 0", "", "",
     "whole(x, c0); mono(T.truncdiv(x, c0), c1, c0); mono(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"ge-truncdiv-above", kExact, "c1 <= T.truncdiv(x, c0)", "c1 * c0 <= x", "c0 > 0 and c1 > 0", "", "",
     "whole(x, c0); mono(T.truncdiv(x, c0), c1, c0); mono(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"ge-truncdiv-below", kExact, "c1 <= T.truncdiv(x, c0)", "(c1 - 1) * c0 < x", "c0 > 0 and c1 <= 0", "", "",
     "whole(x, c0); mono(T.truncdiv(x, c0), c1, c0); mono(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"lt-truncdiv-negative-above", kExact, "T.truncdiv(x, c0) < c1", "c1 * c0 < x", "c0 < 0 and c1 > 0", "", "",
     "whole(x, c0); mono-negative(T.truncdiv(x, c0), c1, c0); mono-negative(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"lt-truncdiv-negative-below", kExact, "T.truncdiv(x, c0) < c1", "(c1 - 1) * c0 <= x", "c0 < 0 and c1 <= 0", "", "",
     "whole(x, c0); mono-negative(T.truncdiv(x, c0), c1, c0); mono-negative(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"le-truncdiv-negative-above", kExact, "T.truncdiv(x, c0) <= c1", "(c1 + 1) * c0 < x", "c0 < 0 and c1 >= 0", "", "",
     "whole(x, c0); mono-negative(T.truncdiv(x, c0), c1, c0); mono-negative(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"le-truncdiv-negative-below", kExact, "T.truncdiv(x, c0) <= c1", "c1 * c0 <= x", "c0 < 0 and c1 < 0", "", "",
     "whole(x, c0); mono-negative(T.truncdiv(x, c0), c1, c0); mono-negative(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"gt-truncdiv-negative-above", kExact, "c1 < T.truncdiv(x, c0)", "x <= (c1 + 1) * c0", "c0 < 0 and c1 >= 0", "", "",
     "whole(x, c0); mono-negative(T.truncdiv(x, c0), c1, c0); mono-negative(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"gt-truncdiv-negative-below", kExact, "c1 < T.truncdiv(x, c0)", "x < c1 * c0", "c0 < 0 and c1 < 0", "", "",
     "whole(x, c0); mono-negative(T.truncdiv(x, c0), c1, c0); mono-negative(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"ge-truncdiv-negative-above", kExact, "c1 <= T.truncdiv(x, c0)", "x <= c1 * c0", "c0 < 0 and c1 > 0", "", "",
     "whole(x, c0); mono-negative(T.truncdiv(x, c0), c1, c0); mono-negative(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"ge-truncdiv-negative-below", kExact, "c1 <= T.truncdiv(x, c0)", "x < (c1 - 1) * c0", "c0 < 0 and c1 <= 0", "", "",
     "whole(x, c0); mono-negative(T.truncdiv(x, c0), c1, c0); mono-negative(c1, T.truncdiv(x, c0), c0); scale(T.truncdiv(x, c0), c1, c0)"},
    {"lt-floordiv-negative", kExact, "x // c0 < c1", "c1 * c0 < x", "c0 < 0", "", "",
     "whole(x, c0); mono-negative(x // c0, c1, c0); mono-negative(c1, x // c0, c0); scale(x // c0, c1, c0)"},
    {"le-floordiv-negative", kExact, "x // c0 <= c1", "(c1 + 1) * c0 < x", "c0 < 0", "", "",
     "whole(x, c0); mono-negative(x // c0, c1, c0); mono-negative(c1, x // c0, c0); scale(x // c0, c1, c0)"},
    {"gt-floordiv-negative", kExact, "c1 < x // c0", "x <= (c1 + 1) * c0", "c0 < 0", "", "",
     "whole(x, c0); mono-negative(x // c0, c1, c0); mono-negative(c1, x // c0, c0); scale(x // c0, c1, c0)"},
    {"ge-floordiv-negative", kExact, "c1 <= x // c0", "x <= c1 * c0", "c0 < 0", "", "",
     "whole(x, c0); mono-negative(x // c0, c1, c0); mono-negative(c1, x // c0, c0); scale(x // c0, c1, c0)"},

    {"quotient-from-bounds", kExact, "y * c0 <= x and x < y * c0 + c0", "y == x // c0",
     "c0 > 0", "", "",
     "quotient(x, c0, y); division(x, c0)"},
    {"quotient-from-bounds-closed", kExact, "y * c0 <= x and x <= y * c0 + c1", "y == x // c0",
     "c0 > 0 and c1 == c0 - 1", "", "",
     "quotient(x, c0, y); division(x, c0)"},
    {"quotient-from-bounds-closed-swapped", kExact, "x <= y * c0 + c1 and y * c0 <= x", "y == x // c0",
     "c0 > 0 and c1 == c0 - 1", "", "",
     "quotient(x, c0, y); division(x, c0)"},
    {"quotient-from-bounds-swapped", kExact, "x < y * c0 + c0 and y * c0 <= x", "y == x // c0",
     "c0 > 0", "in_range(y)", "y * 1 + 1 may be in range where y is not",
     "quotient(x, c0, y); division(x, c0)"},
    {"quotient-outside-bounds-swapped", kExact, "y * c0 + c0 <= x or x < y * c0", "y != x // c0",
     "c0 > 0", "in_range(y)", "y * 1 + 1 may be in range where y is not",
     "quotient(x, c0, y); division(x, c0)"},
    {"quotient-outside-bounds", kExact, "x < y * c0 or y * c0 + c0 <= x", "y != x // c0",
     "c0 > 0", "", "",
     "quotient(x, c0, y); division(x, c0)"},
    {"quotient-outside-bounds-closed", kExact, "x < y * c0 or y * c0 + c1 < x", "y != x // c0",
     "c0 > 0 and c1 == c0 - 1", "", "",
     "quotient(x, c0, y); division(x, c0)"},
    {"quotient-outside-bounds-closed-swapped", kExact, "y * c0 + c1 < x or x < y * c0", "y != x // c0",
     "c0 > 0 and c1 == c0 - 1", "", "",
     "quotient(x, c0, y); division(x, c0)"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> comparison_scaled() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
