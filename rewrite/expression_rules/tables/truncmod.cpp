// The remainder of division toward zero: x - truncdiv(x, y) * y, so the sign of the dividend.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"truncmod-one", kInts, "T.truncmod(x, 1)", "0"},
    {"truncmod-minus-one", kSigned, "T.truncmod(x, -1)", "0"},
    {"truncmod-of-zero", kSigned, "T.truncmod(0, x)", "0"},
    {"truncmod-self", kSigned, "T.truncmod(x, x)", "0"},

    {"truncmod-not-negative", kExact, "T.truncmod(x, y)", "x % y", "", "0 <= x; 0 < y"},
    {"truncmod-unsigned", kUnsigned, "T.truncmod(x, y)", "x % y"},
    {"truncmod-neg", kExact, "T.truncmod(-x, y)", "-T.truncmod(x, y)", "", "in_range(x)"},

    {"truncmod-of-multiple", kExact, "T.truncmod(x * c1, c2)", "0", "c2 != 0 and c1 % c2 == 0", "",
     "",
     "whole(c1, c2); factor(x, c1, c1 // c2, c2); exact(x * c1, x * (c1 // c2), c2)"},
    {"truncmod-of-factor", kExact, "T.truncmod(x * y, y)", "0", "", "", "",
     "exact(x * y, x, y)"},
    {"truncmod-of-truncmod", kExact, "T.truncmod(T.truncmod(x, c1), c2)", "T.truncmod(x, c2)",
     "c2 > 0 and c1 % c2 == 0", "", "",
     "whole(c1, c2); factor(T.truncdiv(x, c1), c1, c1 // c2, c2); "
     "sum(T.truncdiv(x, c1) * (c1 // c2), T.truncdiv(T.truncmod(x, c1), c2), c2); "
     "truncated(x, c2, T.truncdiv(x, c1) * (c1 // c2) + T.truncdiv(T.truncmod(x, c1), c2), T.truncmod(T.truncmod(x, c1), c2))"},
    {"truncmod-of-truncmod-smaller", kExact, "T.truncmod(T.truncmod(x, c1), c2)",
     "T.truncmod(x, c1)", "0 < c1 and c1 <= c2"},
    {"truncmod-cancel-scale", kExact, "T.truncmod(x * c1, y * c1)", "T.truncmod(x, y) * c1",
     "c1 > 0", "", "",
     "scaled-truncated(x, y, c1, y * c1, x * c1); grow(x, c1); grow(y, c1)"},
    {"truncmod-of-scaled", kExact, "T.truncmod(x * c1, c2)", "T.truncmod(x, c2 // c1) * c1",
     "c1 > 0 and c2 != 0 and c2 % c1 == 0", "", "",
     "whole(c2, c1); grow(x, c1); grow(c2 // c1, c1); "
     "scaled-truncated(x, c2 // c1, c1, c2, x * c1)"},
    {"truncmod-of-sub-truncmod", kExact, "T.truncmod(x - T.truncmod(x, y), y)", "0", "", "", "",
     "truncated(x - T.truncmod(x, y), y, T.truncdiv(x, y), 0)"},
    {"truncmod-negs", kExact, "T.truncmod(-x, -y)", "-T.truncmod(x, y)", "",
     "in_range(x); in_range(y)", "",
     "negation(y, T.truncdiv(x, y)); truncated(-x, -y, T.truncdiv(x, y), -T.truncmod(x, y))"},
    {"truncmod-bounded", kSigned, "T.truncmod(x, y)", "x", "", "-y < x; x < y; 0 < y"},
    {"truncmod-of-bit", kExact, "T.truncmod(x * c1 + c2, c3)",
     "x * (T.truncmod(c1 + c2, c3) - T.truncmod(c2, c3)) + T.truncmod(c2, c3)", "c3 != 0",
     "0 <= x; x <= 1", "",
     "bit(x, c1); bit(x, T.truncmod(c1 + c2, c3) - T.truncmod(c2, c3))"},
    {"truncmod-is-itself", kExact, "T.truncmod(x, c1) == x", "T.abs(x) < c1", "c1 > 0",
     "KIND_MIN < x; definite(x)"},
    {"truncmod-is-itself-swapped", kExact, "x == T.truncmod(x, c1)", "T.abs(x) < c1", "c1 > 0",
     "KIND_MIN < x; definite(x)"},
    {"truncmod-is-not-itself", kExact, "T.truncmod(x, c1) != x", "c1 <= T.abs(x)", "c1 > 0",
     "KIND_MIN < x; definite(x)"},
    {"truncmod-is-not-itself-swapped", kExact, "x != T.truncmod(x, c1)", "c1 <= T.abs(x)", "c1 > 0",
     "KIND_MIN < x; definite(x)"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> truncmod() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
