// Digits: x // c1 % c2 is a digit of x in a mixed radix. Neighbouring digits join, pair by pair, so
// that a number taken apart comes together again:
//   (x // 6) * 6 + (x // 3 % 2) * 3 + x % 3  =  (x // 6) * 6 + x % 6  =  x
// Also digits of sums, and radices that are no constants.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note, lemmas, licences
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"digits-join-low", kExact, "(x // c1 % c2) * c1 + x % c1", "x % (c1 * c2)",
     "c1 > 0 and c2 > 0", "", "",
     "product-positive(c1, c2); nested(x, c1, c2, c1 * c2, x // c1)"},
    {"digits-join-low-scaled", kExact, "(x // c1 % c2) * c3 + (x % c1) * c0",
     "(x % (c1 * c2)) * c0", "c1 != 0 and c2 > 0 and c3 == c1 * c0", "", "",
     "product-positive(c1, c2); product-positive(-c1, c2); negation(c1, c2); nested(x, c1, c2, c1 * c2, x // c1); "
     "factor(x // c1 % c2, c3, c1, c0); sum((x // c1 % c2) * c1, x % c1, c0); "
     "scale(x % (c1 * c2), (x // c1 % c2) * c1 + x % c1, c0)"},
    {"digits-join-high", kExact, "(x // c2) * c3 + x // c1 % c3", "x // c1",
     "c1 > 0 and c3 > 0 and c2 == c1 * c3", "", "",
     "product-positive(c1, c3); nested(x, c1, c3, c2, x // c1)"},
    {"digits-join-high-scaled", kExact, "(x // c2) * c3 + (x // c1 % c4) * c0", "(x // c1) * c0",
     "c1 > 0 and c4 > 0 and c2 == c1 * c4 and c3 == c4 * c0", "", "",
     "product-positive(c1, c4); nested(x, c1, c4, c2, x // c1); factor(x // c2, c3, c4, c0); "
     "sum((x // c2) * c4, x // c1 % c4, c0); scale(x // c1, (x // c2) * c4 + x // c1 % c4, c0)"},
    {"digits-join-rest", kExact, "(x // c2) * c3 + (x % c2) // c1", "x // c1",
     "c1 > 0 and c3 > 0 and c2 == c1 * c3", "", "",
     "product-positive(c1, c3); nested(x, c1, c3, c2, x // c1)"},
    {"digits-join-rest-scaled", kExact, "(x // c2) * c3 + ((x % c2) // c1) * c0", "(x // c1) * c0",
     "c1 > 0 and c2 > 0 and c2 % c1 == 0 and c3 == (c2 // c1) * c0", "", "",
     "sign(c2 // c1, c1); nested(x, c1, c2 // c1, c2, x // c1); "
     "factor(x // c2, c3, c2 // c1, c0); sum((x // c2) * (c2 // c1), (x % c2) // c1, c0); "
     "scale(x // c1, (x // c2) * (c2 // c1) + (x % c2) // c1, c0)"},
    {"digits-join-rest-low", kExact, "((x % c2) // c1) * c1 + x % c1", "x % c2",
     "c1 > 0 and c2 > 0 and c2 % c1 == 0", "", "",
     "sign(c2 // c1, c1); nested(x, c1, c2 // c1, c2, x // c1)"},
    {"digits-join-rest-low-scaled", kExact, "((x % c2) // c1) * c3 + (x % c1) * c0",
     "(x % c2) * c0", "c1 > 0 and c2 > 0 and c2 % c1 == 0 and c3 == c1 * c0", "", "",
     "sign(c2 // c1, c1); nested(x, c1, c2 // c1, c2, x // c1); "
     "factor((x % c2) // c1, c3, c1, c0); sum(((x % c2) // c1) * c1, x % c1, c0); "
     "scale(x % c2, ((x % c2) // c1) * c1 + x % c1, c0)"},
    {"digits-drop-high", kExact, "x % c2 - (x // c1 % c3) * c1", "x % c1",
     "c1 > 0 and c3 > 0 and c2 == c1 * c3", "", "",
     "product-positive(c1, c3); nested(x, c1, c3, c2, x // c1)"},
    {"digits-drop-rest-high", kExact, "x % c2 - ((x % c2) // c1) * c1", "x % c1",
     "c1 > 0 and c2 > 0 and c2 % c1 == 0", "", "",
     "sign(c2 // c1, c1); nested(x, c1, c2 // c1, c2, x // c1)"},
    {"digit-of-digit", kExact, "(x // c1 % c2) // c3", "(x // (c1 * c3)) % (c2 // c3)",
     "c1 != 0 and c2 > 0 and c3 > 0 and c2 % c3 == 0", "", "",
     "product-positive(c1, c3); product-positive(-c1, c3); negation(c1, c3); "
     "sign(c2 // c3, c3); nested(x, c1, c3, c1 * c3, x // c1); "
     "nested(x // c1, c3, c2 // c3, c2, x // (c1 * c3))"},
    {"eq-digits-constants", kExact, "x % c1 == c3 and x // c1 % c2 == c4",
     "x % (c1 * c2) == c4 * c1 + c3",
     "c1 > 0 and c2 > 0 and 0 <= c3 and c3 < c1 and 0 <= c4 and c4 < c2", "", "",
     "product-positive(c1, c2); nested(x, c1, c2, c1 * c2, x // c1); "
     "quotient((x // c1 % c2) * c1 + x % c1, c1, x // c1 % c2); quotient(c4 * c1 + c3, c1, c4)"},
    {"eq-by-digits", kExact, "x // c0 == y // c0 and x % c0 == y % c0", "x == y", "c0 != 0", "", "",
     "whole(x, c0); whole(y, c0); scale(x // c0, y // c0, c0)"},
    {"eq-by-digits-swapped", kExact, "x % c0 == y % c0 and x // c0 == y // c0", "x == y", "c0 != 0",
     "", "", "whole(x, c0); whole(y, c0); scale(x // c0, y // c0, c0)"},
    {"ne-by-digits", kExact, "x // c0 != y // c0 or x % c0 != y % c0", "x != y", "c0 != 0", "", "",
     "whole(x, c0); whole(y, c0); scale(x // c0, y // c0, c0)"},
    {"ne-by-digits-swapped", kExact, "x % c0 != y % c0 or x // c0 != y // c0", "x != y", "c0 != 0",
     "", "", "whole(x, c0); whole(y, c0); scale(x // c0, y // c0, c0)"},
    {"eq-quotient-and-rest", kExact, "x // c0 == y and x % c0 == c1", "x == y * c0 + c1",
     "c0 > 0 and 0 <= c1 and c1 < c0", "in_range(y * c0 + c1)", "",
     "whole(x, c0); quotient(y * c0 + c1, c0, y)"},
    {"ne-quotient-or-rest", kExact, "x // c0 != y or x % c0 != c1", "x != y * c0 + c1",
     "c0 > 0 and 0 <= c1 and c1 < c0", "in_range(y * c0 + c1)", "",
     "whole(x, c0); quotient(y * c0 + c1, c0, y)"},
    {"eq-quotient-and-number", kExact, "x // c0 == c1 and x == c2", "x == c2",
     "c0 > 0 and c2 // c0 == c1"},
    {"eq-number-and-quotient", kExact, "x == c2 and x // c0 == c1", "x == c2",
     "c0 > 0 and c2 // c0 == c1"},
    {"ne-quotient-or-number", kExact, "x // c0 != c1 or x != c2", "x != c2",
     "c0 > 0 and c2 // c0 == c1"},
    {"ne-number-or-quotient", kExact, "x != c2 or x // c0 != c1", "x != c2",
     "c0 > 0 and c2 // c0 == c1"},
    {"eq-truncdiv-and-number", kExact, "T.truncdiv(x, c0) == c1 and x == c2", "x == c2",
     "c0 > 0 and T.truncdiv(c2, c0) == c1"},
    {"eq-number-and-truncdiv", kExact, "x == c2 and T.truncdiv(x, c0) == c1", "x == c2",
     "c0 > 0 and T.truncdiv(c2, c0) == c1"},
    {"ne-truncdiv-or-number", kExact, "T.truncdiv(x, c0) != c1 or x != c2", "x != c2",
     "c0 > 0 and T.truncdiv(c2, c0) == c1"},
    {"ne-number-or-truncdiv", kExact, "x != c2 or T.truncdiv(x, c0) != c1", "x != c2",
     "c0 > 0 and T.truncdiv(c2, c0) == c1"},
    {"eq-quotient-and-below", kExact, "x // c0 == c1 and x < c2", "c1 * c0 <= x and x < c2",
     "c0 > 0 and c2 // c0 == c1", "", "the quotient's end is not reached",
     "quotient(x, c0, c1); whole(x, c0); whole(c2, c0)"},
    {"eq-below-and-quotient", kExact, "x < c2 and x // c0 == c1", "c1 * c0 <= x and x < c2",
     "c0 > 0 and c2 // c0 == c1", "", "", "quotient(x, c0, c1); whole(x, c0); whole(c2, c0)"},
    {"eq-quotient-and-at-most", kExact, "x // c0 == c1 and x <= c2", "c1 * c0 <= x and x <= c2",
     "c0 > 0 and c2 // c0 == c1", "", "", "quotient(x, c0, c1); whole(x, c0); whole(c2, c0)"},
    {"eq-at-most-and-quotient", kExact, "x <= c2 and x // c0 == c1", "c1 * c0 <= x and x <= c2",
     "c0 > 0 and c2 // c0 == c1", "", "", "quotient(x, c0, c1); whole(x, c0); whole(c2, c0)"},
    {"eq-quotient-and-at-least", kExact, "x // c0 == c1 and c2 <= x",
     "c2 <= x and x < c1 * c0 + c0", "c0 > 0 and c2 // c0 == c1", "", "",
     "quotient(x, c0, c1); whole(x, c0); whole(c2, c0)"},
    {"eq-at-least-and-quotient", kExact, "c2 <= x and x // c0 == c1",
     "c2 <= x and x < c1 * c0 + c0", "c0 > 0 and c2 // c0 == c1", "", "",
     "quotient(x, c0, c1); whole(x, c0); whole(c2, c0)"},
    {"eq-quotient-and-above", kExact, "x // c0 == c1 and c2 < x", "c2 < x and x < c1 * c0 + c0",
     "c0 > 0 and c2 // c0 == c1", "", "", "quotient(x, c0, c1); whole(x, c0); whole(c2, c0)"},
    {"eq-above-and-quotient", kExact, "c2 < x and x // c0 == c1", "c2 < x and x < c1 * c0 + c0",
     "c0 > 0 and c2 // c0 == c1", "", "", "quotient(x, c0, c1); whole(x, c0); whole(c2, c0)"},
    {"ne-quotient-or-at-least", kExact, "x // c0 != c1 or c2 <= x", "x < c1 * c0 or c2 <= x",
     "c0 > 0 and c2 // c0 == c1", "", "", "quotient(x, c0, c1); whole(x, c0); whole(c2, c0)"},
    {"ne-quotient-or-below", kExact, "x // c0 != c1 or x < c2", "x < c2 or c1 * c0 + c0 <= x",
     "c0 > 0 and c2 // c0 == c1", "", "", "quotient(x, c0, c1); whole(x, c0); whole(c2, c0)"},
    {"digits-join-symbolic", kExact, "(x // y % z) * y + x % y", "x % (y * z)", "",
     "0 < y; 0 < z; in_range(y * z)", "",
     "product-positive(y, z); nested(x, y, z, y * z, x // y)"},
    {"digits-join-high-symbolic", kExact, "(x // (y * z)) * z + x // y % z", "x // y", "",
     "0 < y; 0 < z", "",
     "product-positive(y, z); nested(x, y, z, y * z, x // y)"},

    {"floordiv-of-digit-sum", kExact, "(x * c1 + y % c2) // c1", "x", "0 < c2 and c2 <= c1", "",
     "",
     "quotient(x * c1 + y % c2, c1, x)"},
    {"floormod-of-digit-sum", kExact, "(x * c1 + y % c2) % c1", "y % c2", "0 < c2 and c2 <= c1",
     "", "",
     "quotient(x * c1 + y % c2, c1, x)"},
    {"floordiv-of-digit-sum-wider", kExact, "(x * c1 + y % c1) // c2", "x // (c2 // c1)",
     "c1 > 0 and c2 > 0 and c2 % c1 == 0", "in_range(x)", "",
     "sign(c2 // c1, c1); drop-rest(x, y % c1, c2 // c1, c1, c2, x * c1 + y % c1)"},
    {"floormod-of-digit-sum-wider", kExact, "(x * c1 + y % c1) % c2",
     "(x % (c2 // c1)) * c1 + y % c1", "c1 > 0 and c2 > 0 and c2 % c1 == 0", "in_range(x)", "",
     "sign(c2 // c1, c1); drop-rest(x, y % c1, c2 // c1, c1, c2, x * c1 + y % c1)"},
    {"floordiv-of-digit-sum-symbolic", kExact, "(x * y + z % y) // y", "x", "", "0 < y", "",
     "quotient(x * y + z % y, y, x)"},
    {"floormod-of-digit-sum-symbolic", kExact, "(x * y + z % y) % y", "z % y", "", "0 < y", "",
     "quotient(x * y + z % y, y, x)"},
    {"floordiv-tile-symbolic", kExact, "(x * y + z) // y", "x", "", "0 <= z; z < y", "",
     "quotient(x * y + z, y, x)"},
    {"floormod-tile-symbolic", kExact, "(x * y + z) % y", "z", "", "0 <= z; z < y", "",
     "quotient(x * y + z, y, x)"},

    {"floordiv-of-floordiv-symbolic", kExact, "(x // y) // z", "x // (y * z)", "",
     "0 < y; 0 < z; in_range(y * z)", "",
     "product-positive(y, z); nested(x, y, z, y * z, x // y)"},
    {"floordiv-cancel-term", kExact, "(x * y) // (z * y)", "x // z", "",
     "in_range(x); in_range(z)", "",
     "scaled(x, z, y, z * y, x * y)"},
    {"floormod-cancel-term", kExact, "(x * y) % (z * y)", "(x % z) * y", "",
     "in_range(x); in_range(z)", "",
     "scaled(x, z, y, z * y, x * y)"},
    {"floormod-cancel-scale", kExact, "(x * c1) % (y * c1)", "(x % y) * c1", "c1 > 0", "", "",
     "scaled(x, y, c1, y * c1, x * c1); grow(x, c1); grow(y, c1)"},
    {"floordiv-plus-divisor", kExact, "(x + y) // y", "x // y + 1", "", "in_range(x)", "",
     "away(x + y, 1, x, y)"},
    {"floordiv-minus-divisor", kExact, "(x - y) // y", "x // y - 1", "", "0 < y; in_range(x)", "",
     "away(x - y, -1, x, y)"},
    {"floormod-plus-divisor", kExact, "(x + y) % y", "x % y", "", "in_range(x)", "",
     "away(x + y, 1, x, y)"},
    {"floormod-minus-divisor", kExact, "(x - y) % y", "x % y", "", "0 < y; in_range(x)", "",
     "away(x - y, -1, x, y)"},
    {"floordiv-of-sub-floormod", kExact, "(x - x % y) // y", "x // y", "", "", "",
     "whole(x, y); exact(x - x % y, x // y, y)"},
    {"floordiv-of-sub-floormod-finer", kExact, "(x - x % c2) // c1", "(x // c2) * (c2 // c1)",
     "c1 != 0 and c2 != 0 and c2 % c1 == 0", "", "",
     "whole(x, c2); whole(c2, c1); factor(x // c2, c2, c2 // c1, c1); "
     "exact(x - x % c2, (x // c2) * (c2 // c1), c1)"},
    {"floormod-of-sub-floormod-finer", kExact, "(x - x % c2) % c1", "0", "c1 != 0 and c2 % c1 == 0",
     "", "",
     "whole(x, c2); whole(c2, c1); factor(x // c2, c2, c2 // c1, c1); "
     "exact(x - x % c2, (x // c2) * (c2 // c1), c1)"},

    {"floormod-of-sum-of-floormods", kExact, "(x % c1 + y % c1) % c1", "(x + y) % c1", "c1 > 0",
     "in_range(x + y)", "",
     "sum(x // c1, y // c1, c1); away(x + y, x // c1 + y // c1, x % c1 + y % c1, c1)"},
    {"floormod-of-sum-of-wider", kExact, "(x % c2 + y) % c1", "(x + y) % c1",
     "c1 > 0 and c2 % c1 == 0", "in_range(x + y)", "",
     "whole(x, c2); factor(x // c2, c2, c2 // c1, c1); "
     "away(x + y, (x // c2) * (c2 // c1), x % c2 + y, c1)"},
    {"floormod-of-sub-of-floormod", kExact, "(x - y % c1) % c1", "(x - y) % c1", "c1 > 0",
     "in_range(x - y)", "",
     "negation(y // c1, c1); away(x - y, -(y // c1), x - y % c1, c1)"},
    {"floormod-of-floormod-sub", kExact, "(x % c1 - y) % c1", "(x - y) % c1", "c1 > 0",
     "in_range(x - y)", "",
     "away(x - y, x // c1, x % c1 - y, c1)"},
    {"floormod-of-scaled-floormod", kExact, "((x % c1) * c2) % c1", "(x * c2) % c1", "c1 > 0",
     "in_range(x * c2)", "",
     "scale(x, (x // c1) * c1 + x % c1, c2); sum((x // c1) * c1, x % c1, c2); "
     "swap(x // c1, c1, c2); away(x * c2, (x // c1) * c2, (x % c1) * c2, c1)"},
    {"floormod-of-product-of-floormod", kExact, "((x % c1) * y) % c1", "(x * y) % c1", "c1 > 0",
     "in_range(x * y)", "",
     "scale(x, (x // c1) * c1 + x % c1, y); sum((x // c1) * c1, x % c1, y); "
     "swap(x // c1, c1, y); away(x * y, (x // c1) * y, (x % c1) * y, c1)"},
    {"floormod-of-sum-of-floormod-symbolic", kExact, "(x % y + z) % y", "(x + z) % y", "",
     "0 < y; in_range(x + z)", "",
     "away(x + z, x // y, x % y + z, y)"},
    {"floormod-of-scaled-digit", kExact, "((x % c2) * c1 + y) % c3", "(x * c1 + y) % c3",
     "c1 != 0 and c2 != 0 and c3 == c1 * c2 and c3 != -1", "in_range(x * c1 + y)", "",
     "whole(x, c2); scale(x, (x // c2) * c2 + x % c2, c1); "
     "sum((x // c2) * c2, x % c2, c1); factor(x // c2, c3, c2, c1); "
     "away(x * c1 + y, x // c2, (x % c2) * c1 + y, c3)"},

    {"lt-flattened", kExact, "x * y + z < w * y", "True", "", "x < w; 0 <= z; z < y",
     "i * n + j < m * n: flattened indices stay in the flattened extent",
     "mono(x, w, y)"},
    {"lt-tile-term", kExact, "x * y + z < w * y", "x < w", "",
     "0 <= z; z < y; in_range(x); in_range(w)", "",
     "mono(x, w, y); order(w, x, y)"},
    {"le-tile-term", kExact, "w * y <= x * y + z", "w <= x", "",
     "0 <= z; z < y; in_range(x); in_range(w)", "",
     "mono(x, w, y); order(w, x, y)"},
    {"le-floordiv-product", kExact, "(x // y) * y <= x", "True", "", "0 < y"},
    {"lt-next-floordiv-product", kExact, "x < (x // y) * y + y", "True", "", "0 < y"},
    {"ge-floormod-symbolic", kExact, "0 <= x % y", "True", "", "0 < y"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> digits() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
