// Division that rounds toward zero. Where both operands are known not to be negative it becomes
// floor division, which the other tables know more about. The two families are never mixed
// otherwise.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"truncdiv-one", kInts, "T.truncdiv(x, 1)", "x"},
    {"truncdiv-minus-one", kSigned, "T.truncdiv(x, -1)", "-x"},
    {"truncdiv-of-zero", kSigned, "T.truncdiv(0, x)", "0"},
    {"truncdiv-self", kSigned, "T.truncdiv(x, x)", "1"},

    {"truncdiv-not-negative", kSigned, "T.truncdiv(x, y)", "x // y", "", "0 <= x; 0 < y"},
    {"truncdiv-unsigned", kUnsigned, "T.truncdiv(x, y)", "x // y"},
    {"truncdiv-neg", kExact, "T.truncdiv(-x, y)", "-T.truncdiv(x, y)", "", "in_range(x)",
     "rounding toward zero is odd; floor division is not"},

    {"truncdiv-of-multiple", kExact, "T.truncdiv(x * c1, c2)", "x * (c1 // c2)",
     "c2 != 0 and c1 % c2 == 0", "", "",
     "whole(c1, c2); factor(x, c1, c1 // c2, c2); exact(x * c1, x * (c1 // c2), c2)"},
    {"truncdiv-of-divisor", kExact, "T.truncdiv(x * c1, c2)", "T.truncdiv(x, c2 // c1)",
     "c1 > 0 and c2 != 0 and c2 % c1 == 0", "", "",
     "whole(c2, c1); grow(x, c1); grow(c2 // c1, c1); "
     "scaled-truncated(x, c2 // c1, c1, c2, x * c1)"},
    {"truncdiv-cancel-factor", kExact, "T.truncdiv(x * y, y)", "x"},
    {"truncdiv-split-multiple", kExact, "T.truncdiv(x * c1 + y, c2)", "x * (c1 // c2) + y // c2",
     "c1 > 0 and c2 > 0 and c1 % c2 == 0", "0 <= x; 0 <= y; in_range(y)", "",
     "factor(x, c1, c1 // c2, c2); sign(x, c1); truncation(x * c1 + y, c2); "
     "away(x * c1 + y, x * (c1 // c2), y, c2)"},
    {"truncdiv-of-negative-multiple", kExact, "T.truncdiv(x * c1 - y, c2)", "x * (c1 // c2)",
     "c1 < 0 and c2 > 0 and c1 % c2 == 0", "0 <= x; 0 <= y; y < c2", "",
     "whole(c1, c2); factor(x, c1, c1 // c2, c2); sign(x, -c1); negation(c1, x); "
     "truncated(x * c1 - y, c2, x * (c1 // c2), -y)"},
    {"truncdiv-of-truncdiv", kExact, "T.truncdiv(T.truncdiv(x, c1), c2)", "T.truncdiv(x, c1 * c2)",
     "c1 != 0 and c2 != 0", "", "",
     "product-positive(c1, c2); product-positive(-c1, c2); product-positive(c1, -c2); "
     "product-positive(-c1, -c2); negation(c1, c2); negation(c2, c1); negations(c1, c2); "
     "nested-truncated(x, c1, c2, c1 * c2, T.truncdiv(x, c1))"},
    {"truncdiv-of-truncmod", kExact, "T.truncdiv(T.truncmod(x, c1), c2)", "0",
     "0 < c1 and c1 <= c2"},
    {"truncdiv-bounded", kSigned, "T.truncdiv(x, y)", "0", "", "-y < x; x < y; 0 < y"},

    {"truncdiv-cancel-scale", kExact, "T.truncdiv(x * c1, y * c1)", "T.truncdiv(x, y)", "c1 > 0",
     "", "",
     "scaled-truncated(x, y, c1, y * c1, x * c1); grow(x, c1); grow(y, c1)"},
    {"truncdiv-cancel-term", kExact, "T.truncdiv(x * y, z * y)", "T.truncdiv(x, z)", "",
     "in_range(x); in_range(z)", "",
     "scaled-truncated(x, z, y, z * y, x * y)"},
    {"truncdiv-digits", kExact, "T.truncdiv(T.truncmod(x, c2), c1) * c1 + T.truncmod(x, c1)",
     "T.truncmod(x, c2)", "c1 > 0 and c2 > 0 and c2 % c1 == 0", "", "",
     "factor(T.truncdiv(x, c2), c2, c2 // c1, c1); "
     "sum(T.truncdiv(x, c2) * (c2 // c1), T.truncdiv(T.truncmod(x, c2), c1), c1); "
     "truncated(x, c1, T.truncdiv(x, c2) * (c2 // c1) + T.truncdiv(T.truncmod(x, c2), c1), T.truncmod(T.truncmod(x, c2), c1))"},
    {"truncdiv-of-sub-truncmod", kExact, "T.truncdiv(x - T.truncmod(x, y), y)", "T.truncdiv(x, y)",
     "", "", "",
     "truncated(x - T.truncmod(x, y), y, T.truncdiv(x, y), 0)"},
    {"truncdiv-negs", kExact, "T.truncdiv(-x, -y)", "T.truncdiv(x, y)", "",
     "in_range(x); in_range(y)", "",
     "negation(y, T.truncdiv(x, y)); truncated(-x, -y, T.truncdiv(x, y), -T.truncmod(x, y))"},
    {"truncdiv-truncmod-whole", kExact, "T.truncdiv(x, y) * y + T.truncmod(x, y)", "x"},
    {"sub-truncdiv-multiple", kExact, "x - T.truncdiv(x, y) * y", "T.truncmod(x, y)"},
    {"truncdiv-of-bit", kExact, "T.truncdiv(x * c1 + c2, c3)",
     "x * (T.truncdiv(c1 + c2, c3) - T.truncdiv(c2, c3)) + T.truncdiv(c2, c3)", "c3 > 0",
     "0 <= x; x <= 1", "",
     "bit(x, c1); bit(x, T.truncdiv(c1 + c2, c3) - T.truncdiv(c2, c3)); whole(c1 + c2, c3); "
     "whole(c2, c3); "
     "truncated(x * c1 + c2, c3, T.truncdiv(c1 + c2, c3), T.truncmod(c1 + c2, c3)); "
     "truncated(x * c1 + c2, c3, T.truncdiv(c2, c3), T.truncmod(c2, c3))"},
    {"truncdiv-is-zero", kExact, "T.truncdiv(x, c1) == 0", "T.abs(x) < c1", "c1 > 0",
     "KIND_MIN < x; definite(x)"},
    {"truncdiv-is-not-zero", kExact, "T.truncdiv(x, c1) != 0", "c1 <= T.abs(x)", "c1 > 0",
     "KIND_MIN < x; definite(x)"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> truncdiv() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
