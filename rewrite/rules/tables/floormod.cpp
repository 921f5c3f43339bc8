// Floor modulo: x - (x // y) * y, so the sign of the divisor. It faults where x // y faults.
#include "rewrite/rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"floormod-one", kInts, "x % 1", "0"},
    {"floormod-minus-one", kSigned, "x % -1", "0"},
    {"floormod-of-zero", kSigned, "0 % x", "0"},
    {"floormod-self", kSigned, "x % x", "0"},

    {"floormod-of-multiple", kExact, "(x * c1) % c2", "0", "c2 != 0 and c1 % c2 == 0"},
    {"floormod-of-factor", kExact, "(x * y) % y", "0"},
    {"floormod-of-factor-sum", kExact, "(x * y + z) % y", "z % y", "", "0 < y; in_range(z)"},
    {"floormod-drop-multiple", kExact, "(x * c1 + y) % c2", "y % c2",
     "c2 > 0 and c1 % c2 == 0", "in_range(y)"},
    {"floormod-drop-subtracted", kExact, "(y - x * c1) % c2", "y % c2",
     "c2 > 0 and c1 % c2 == 0", "in_range(y)"},
    {"floormod-drop-constant", kExact, "(x + c0) % c2", "x % c2",
     "c2 > 0 and c0 % c2 == 0", "in_range(x)"},
    {"floormod-keep-rest", kExact, "(x * c1 + y) % c2", "(x % (c2 // c1)) * c1 + y",
     "c1 > 0 and c2 > 0 and c2 % c1 == 0", "0 <= y; y < c1; in_range(x)"},
    {"floormod-of-scaled", kExact, "(x * c1) % c2", "(x % (c2 // c1)) * c1",
     "c1 > 0 and c2 > 0 and c2 % c1 == 0", "",
     "x is in range because x * c1 is"},

    {"floormod-of-floormod", kExact, "(x % c1) % c2", "x % c2", "c2 > 0 and c1 % c2 == 0"},
    {"floormod-of-floormod-smaller", kExact, "(x % c1) % c2", "x % c1", "0 < c1 and c1 <= c2"},
    {"floormod-of-sum-of-floormod", kExact, "(x % c1 + y) % c1", "(x + y) % c1", "c1 > 0",
     "in_range(x + y)"},
    {"floormod-of-sub-floormod", kExact, "(x - x % c1) % c1", "0", "c1 > 0"},

    {"floormod-bounded", kSigned, "x % y", "x", "", "0 <= x; x < y"},
    {"floormod-bounded-below", kExact, "x % y", "x + y", "", "-y <= x; x < 0; 0 < y"},
    {"floormod-one-step", kExact, "x % c1", "x - c1", "c1 > 0", "c1 <= x; x < c1 * 2"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> floormod() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
