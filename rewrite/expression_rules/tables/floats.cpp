// Floats, strict: bit for bit, with all NaNs one value. What is missing here is missing on purpose;
// the refused table (refused.h) says why.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"float-add-minus-zero", kFloats, "x + -0.0", "x", "", "", "+0.0 would turn -0.0 into +0.0"},
    {"float-sub-zero", kFloats, "x - 0.0", "x"},
    {"float-minus-zero-sub", kFloats, "-0.0 - x", "-x"},
    {"float-mul-one", kFloats, "x * 1.0", "x"},
    {"float-mul-minus-one", kFloats, "x * -1.0", "-x"},
    {"float-div-one", kFloats, "x / 1.0", "x"},
    {"float-div-minus-one", kFloats, "x / -1.0", "-x"},
    {"float-add-neg", kFloats, "x + (-y)", "x - y"},
    {"float-sub-neg", kFloats, "x - (-y)", "x + y"},
    {"float-mul-negs", kFloats, "(-x) * (-y)", "x * y"},
    {"float-div-negs", kFloats, "(-x) / (-y)", "x / y"},
    {"float-lt-negs", kFloats, "-x < -y", "y < x"},
    {"float-le-negs", kFloats, "-x <= -y", "y <= x"},
    {"float-eq-negs", kFloats, "-x == -y", "x == y"},
    {"float-add-same", kFloats, "x + x", "x * 2.0", "", "", "doubling is exact, or overflows in both"},
    {"float-max-least", kFloats, "T.max(x, T.KIND('-inf'))", "x", "", "",
     "in this order only: T.max(-inf, NaN) is -inf"},
    {"float-min-greatest", kFloats, "T.min(x, T.KIND('inf'))", "x"},
    {"float-lt-least", kFloats, "x < T.KIND('-inf')", "False"},
    {"float-gt-greatest", kFloats, "T.KIND('inf') < x", "False"},
    {"float-abs-neg", kFloats, "T.abs(-x)", "T.abs(x)"},
    {"float-abs-abs", kFloats, "T.abs(T.abs(x))", "T.abs(x)"},
    {"float-cast-to-bool", kFloats, "T.Cast('bool', x)", "x != 0.0"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> floats() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
