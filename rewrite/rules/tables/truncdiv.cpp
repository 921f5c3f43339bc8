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
     "c2 != 0 and c1 % c2 == 0"},
    {"truncdiv-of-divisor", kExact, "T.truncdiv(x * c1, c2)", "T.truncdiv(x, c2 // c1)",
     "c1 > 0 and c2 > 0 and c2 % c1 == 0"},
    {"truncdiv-cancel-factor", kExact, "T.truncdiv(x * y, y)", "x"},
    {"truncdiv-split-multiple", kExact, "T.truncdiv(x * c1 + y, c2)", "x * (c1 // c2) + y // c2",
     "c1 > 0 and c2 > 0 and c1 % c2 == 0", "0 <= x; 0 <= y; in_range(y)"},
    {"truncdiv-of-truncdiv", kExact, "T.truncdiv(T.truncdiv(x, c1), c2)", "T.truncdiv(x, c1 * c2)",
     "c1 > 0 and c2 > 0"},
    {"truncdiv-of-truncmod", kExact, "T.truncdiv(T.truncmod(x, c1), c2)", "0",
     "0 < c1 and c1 <= c2"},
    {"truncdiv-bounded", kSigned, "T.truncdiv(x, y)", "0", "", "-y < x; x < y; 0 < y"},

    {"truncdiv-truncmod-whole", kExact, "T.truncdiv(x, y) * y + T.truncmod(x, y)", "x"},
    {"sub-truncdiv-multiple", kExact, "x - T.truncdiv(x, y) * y", "T.truncmod(x, y)"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> truncdiv() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
