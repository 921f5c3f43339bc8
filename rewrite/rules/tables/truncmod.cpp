// The remainder of division toward zero: x - truncdiv(x, y) * y, so the sign of the dividend.
#include "rewrite/rules/expression_rule.h"

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

    {"truncmod-of-multiple", kExact, "T.truncmod(x * c1, c2)", "0", "c2 != 0 and c1 % c2 == 0"},
    {"truncmod-of-factor", kExact, "T.truncmod(x * y, y)", "0"},
    {"truncmod-of-truncmod", kExact, "T.truncmod(T.truncmod(x, c1), c2)", "T.truncmod(x, c2)",
     "c2 > 0 and c1 % c2 == 0"},
    {"truncmod-of-truncmod-smaller", kExact, "T.truncmod(T.truncmod(x, c1), c2)",
     "T.truncmod(x, c1)", "0 < c1 and c1 <= c2"},
    {"truncmod-bounded", kSigned, "T.truncmod(x, y)", "x", "", "-y < x; x < y; 0 < y"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> truncmod() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
