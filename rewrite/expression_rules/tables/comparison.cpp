// Comparisons whose two sides share a term or are offset by constants. On exact integers a
// comparison observes its sides: dropping a common term observes what is left. Equality cancels on
// wrapping integers too; an order does not.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"eq-cancel", kInts, "x + y == x + z", "y == z", "", "in_range(y); in_range(z)"},
    {"ne-cancel", kInts, "x + y != x + z", "y != z", "", "in_range(y); in_range(z)"},
    {"lt-cancel", kExact, "x + y < x + z", "y < z", "", "in_range(y); in_range(z)"},
    {"le-cancel", kExact, "x + y <= x + z", "y <= z", "", "in_range(y); in_range(z)"},
    {"eq-cancel-minuend", kInts, "x - y == x - z", "y == z", "", "in_range(y); in_range(z)"},
    {"lt-cancel-minuend", kExact, "x - y < x - z", "z < y", "", "in_range(y); in_range(z)"},
    {"le-cancel-minuend", kExact, "x - y <= x - z", "z <= y", "", "in_range(y); in_range(z)"},
    {"eq-cancel-subtrahend", kInts, "x - z == y - z", "x == y", "", "in_range(x); in_range(y)"},
    {"lt-cancel-subtrahend", kExact, "x - z < y - z", "x < y", "", "in_range(x); in_range(y)"},
    {"le-cancel-subtrahend", kExact, "x - z <= y - z", "x <= y", "", "in_range(x); in_range(y)"},

    {"eq-sum-with-term", kInts, "x + y == x", "y == 0", "", "in_range(y)"},
    {"ne-sum-with-term", kInts, "x + y != x", "y != 0", "", "in_range(y)"},
    {"lt-sum-with-term", kExact, "x + y < x", "y < 0", "", "in_range(y)"},
    {"le-sum-with-term", kExact, "x + y <= x", "y <= 0", "", "in_range(y)"},
    {"lt-term-with-sum", kExact, "x < x + y", "0 < y", "", "in_range(y)"},
    {"le-term-with-sum", kExact, "x <= x + y", "0 <= y", "", "in_range(y)"},
    {"eq-difference-zero", kInts, "x - y == 0", "x == y", "", "in_range(x); in_range(y)"},
    {"ne-difference-zero", kInts, "x - y != 0", "x != y", "", "in_range(x); in_range(y)"},
    {"lt-difference-zero", kExact, "x - y < 0", "x < y", "", "in_range(x); in_range(y)"},
    {"le-difference-zero", kExact, "x - y <= 0", "x <= y", "", "in_range(x); in_range(y)"},
    {"lt-zero-difference", kExact, "0 < x - y", "y < x", "", "in_range(x); in_range(y)"},
    {"le-zero-difference", kExact, "0 <= x - y", "y <= x", "", "in_range(x); in_range(y)"},

    {"eq-offset", kInts, "x + c0 == c1", "x == c1 - c0", "", "in_range(x)"},
    {"ne-offset", kInts, "x + c0 != c1", "x != c1 - c0", "", "in_range(x)"},
    {"lt-offset", kExact, "x + c0 < c1", "x < c1 - c0", "", "in_range(x)"},
    {"le-offset", kExact, "x + c0 <= c1", "x <= c1 - c0", "", "in_range(x)"},
    {"gt-offset", kExact, "c1 < x + c0", "c1 - c0 < x", "", "in_range(x)"},
    {"ge-offset", kExact, "c1 <= x + c0", "c1 - c0 <= x", "", "in_range(x)"},
    {"eq-offset-down", kInts, "x - c0 == c1", "x == c1 + c0", "", "in_range(x)"},
    {"ne-offset-down", kInts, "x - c0 != c1", "x != c1 + c0", "", "in_range(x)"},
    {"lt-offset-down", kExact, "x - c0 < c1", "x < c1 + c0", "", "in_range(x)"},
    {"le-offset-down", kExact, "x - c0 <= c1", "x <= c1 + c0", "", "in_range(x)"},
    {"gt-offset-down", kExact, "c1 < x - c0", "c1 + c0 < x", "", "in_range(x)"},
    {"ge-offset-down", kExact, "c1 <= x - c0", "c1 + c0 <= x", "", "in_range(x)"},
    {"eq-from-constant", kInts, "c0 - x == c1", "x == c0 - c1", "", "in_range(x)"},
    {"ne-from-constant", kInts, "c0 - x != c1", "x != c0 - c1", "", "in_range(x)"},
    {"lt-from-constant", kExact, "c0 - x < c1", "c0 - c1 < x", "", "in_range(x)"},
    {"le-from-constant", kExact, "c0 - x <= c1", "c0 - c1 <= x", "", "in_range(x)"},
    {"gt-from-constant", kExact, "c1 < c0 - x", "x < c0 - c1", "", "in_range(x)"},
    {"ge-from-constant", kExact, "c1 <= c0 - x", "x <= c0 - c1", "", "in_range(x)"},

    {"eq-offsets", kExact, "x + c0 == y + c1", "x == y + (c1 - c0)", "",
     "in_range(x); in_range(y + (c1 - c0))"},
    {"lt-offsets", kExact, "x + c0 < y + c1", "x < y + (c1 - c0)", "",
     "in_range(x); in_range(y + (c1 - c0))"},
    {"le-offsets", kExact, "x + c0 <= y + c1", "x <= y + (c1 - c0)", "",
     "in_range(x); in_range(y + (c1 - c0))"},

    {"eq-negs", kInts, "-x == -y", "x == y", "", "in_range(x); in_range(y)"},
    {"lt-negs", kExact, "-x < -y", "y < x", "", "in_range(x); in_range(y)"},
    {"le-negs", kExact, "-x <= -y", "y <= x", "", "in_range(x); in_range(y)"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> comparison() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
