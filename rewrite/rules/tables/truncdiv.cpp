// Division that rounds toward zero. Where both operands are known not to be negative it becomes
// floor division, which the other tables know more about. The two families are never mixed
// otherwise.
#include "rewrite/rules/expression_rule.h"

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
     "whole(c1, c2); factor(x, c1, c1 // c2, c2); truncation(x * c1, c2); "
     "exact(x * c1, x * (c1 // c2), c2); exact(-(x * c1), -(x * (c1 // c2)), c2); "
     "negation(x * (c1 // c2), c2); truncation-negative(x * c1, c2); truncation(x * c1, -c2); "
     "exact(x * c1, -(x * (c1 // c2)), -c2); exact(-(x * c1), x * (c1 // c2), -c2); "
     "negation(c2, x * (c1 // c2)); negations(x * (c1 // c2), c2)"},
    {"truncdiv-of-divisor", kExact, "T.truncdiv(x * c1, c2)", "T.truncdiv(x, c2 // c1)",
     "c1 > 0 and c2 > 0 and c2 % c1 == 0", "", "",
     "sign(c2 // c1, c1); grow(x, c1); sign(x, c1); negation(x, c1); truncation(x * c1, c2); "
     "truncation(x, c2 // c1); drop-rest(x, 0, c2 // c1, c1, c2, x * c1); "
     "drop-rest(-x, 0, c2 // c1, c1, c2, -(x * c1))"},
    {"truncdiv-cancel-factor", kExact, "T.truncdiv(x * y, y)", "x"},
    {"truncdiv-split-multiple", kExact, "T.truncdiv(x * c1 + y, c2)", "x * (c1 // c2) + y // c2",
     "c1 > 0 and c2 > 0 and c1 % c2 == 0", "0 <= x; 0 <= y; in_range(y)", "",
     "factor(x, c1, c1 // c2, c2); sign(x, c1); truncation(x * c1 + y, c2); "
     "away(x * c1 + y, x * (c1 // c2), y, c2)"},
    {"truncdiv-of-truncdiv", kExact, "T.truncdiv(T.truncdiv(x, c1), c2)", "T.truncdiv(x, c1 * c2)",
     "c1 > 0 and c2 > 0", "", "",
     "product-positive(c1, c2); truncation(x, c1); truncation(T.truncdiv(x, c1), c2); "
     "truncation(x, c1 * c2); nested(x, c1, c2, c1 * c2, T.truncdiv(x, c1)); "
     "nested(-x, c1, c2, c1 * c2, -T.truncdiv(x, c1)); division(x, c1); division(-x, c1); "
     "sign((-x) // c1, c1)"},
    {"truncdiv-of-truncmod", kExact, "T.truncdiv(T.truncmod(x, c1), c2)", "0",
     "0 < c1 and c1 <= c2"},
    {"truncdiv-bounded", kSigned, "T.truncdiv(x, y)", "0", "", "-y < x; x < y; 0 < y"},

    {"truncdiv-cancel-scale", kExact, "T.truncdiv(x * c1, y * c1)", "T.truncdiv(x, y)", "c1 > 0",
     "", "",
     "truncation(x * c1, y * c1); truncation(x, y); truncation-negative(x * c1, y * c1); "
     "truncation-negative(x, y); truncation(x * c1, -(y * c1)); truncation(x, -y); "
     "drop-rest(x, 0, y, c1, y * c1, x * c1); drop-rest(-x, 0, y, c1, y * c1, -(x * c1)); "
     "drop-rest(x, 0, -y, c1, -(y * c1), x * c1); "
     "drop-rest(-x, 0, -y, c1, -(y * c1), -(x * c1)); negation(x, c1); negation(y, c1); "
     "sign(x, c1); sign(y, c1); grow(x, c1); grow(y, c1)"},
    {"truncdiv-cancel-term", kExact, "T.truncdiv(x * y, z * y)", "T.truncdiv(x, z)", "",
     "0 < y; in_range(x); in_range(z)", "",
     "scale(x, T.truncdiv(x, z) * z + T.truncmod(x, z), y); "
     "sum(T.truncdiv(x, z) * z, T.truncmod(x, z), y); assoc(T.truncdiv(x, z), z, y); "
     "mono(T.truncmod(x, z), z, y); mono(-z, T.truncmod(x, z), y); "
     "mono(T.truncmod(x, z), -z, y); mono(z, T.truncmod(x, z), y); negation(z, y); "
     "sign(T.truncmod(x, z), y); sign(x, y); sign(z, y); grow(x, y); grow(z, y); "
     "truncated(x * y, z * y, T.truncdiv(x, z), T.truncmod(x, z) * y)"},
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
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> truncdiv() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
