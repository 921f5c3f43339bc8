// Sums and differences of integers. In Z and modulo 2^n these are the laws of a ring; they observe
// nothing and need nothing.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"add-zero", kInts, "x + 0", "x"},
    {"sub-zero", kInts, "x - 0", "x"},
    {"zero-sub", kInts, "0 - x", "-x"},
    {"sub-self", kInts, "x - x", "0"},
    {"add-neg", kInts, "x + (-y)", "x - y"},
    {"sub-neg", kInts, "x - (-y)", "x + y"},
    {"neg-neg", kNumbers, "-(-x)", "x", "", "", "on floats: flips the sign bit twice"},
    {"neg-sub", kInts, "-(x - y)", "y - x"},

    {"sub-add-same", kInts, "(x - y) + y", "x"},
    {"add-sub-same", kInts, "(x + y) - y", "x"},
    {"sub-sum-same", kInts, "x - (x + y)", "-y"},
    {"sub-sub-same", kInts, "(x - y) - x", "-y"},
    {"sub-difference-same", kInts, "x - (x - y)", "y"},
    {"sub-of-sums", kInts, "(x + y) - (x + z)", "y - z"},
    {"sub-of-differences-left", kInts, "(x - y) - (x - z)", "z - y"},
    {"sub-of-differences-right", kInts, "(x - z) - (y - z)", "x - y"},
    {"add-of-differences", kInts, "(x - y) + (y - z)", "x - z"},

    {"add-constants", kInts, "(x + c0) + c1", "x + (c0 + c1)"},
    {"sub-add-constants", kInts, "(x - c0) + c1", "x + (c1 - c0)"},
    {"add-sub-constants", kInts, "(x + c0) - c1", "x + (c0 - c1)"},
    {"sub-sub-constants", kInts, "(x - c0) - c1", "x - (c0 + c1)"},
    {"constant-sub-sum", kInts, "c0 - (x + c1)", "(c0 - c1) - x"},
    {"constant-sub-difference", kInts, "c0 - (x - c1)", "(c0 + c1) - x"},
    {"constant-sub-from", kInts, "c0 - (c1 - x)", "x + (c0 - c1)"},
    {"constant-from-add", kInts, "(c0 - x) + c1", "(c0 + c1) - x"},

    {"add-same", kInts, "x + x", "x * 2"},
    {"add-scaled-same", kExact, "x * c0 + x", "x * (c0 + 1)"},
    {"sub-scaled-same", kExact, "x * c0 - x", "x * (c0 - 1)"},
    {"sub-from-scaled", kExact, "x - x * c0", "x * (1 - c0)"},
    {"add-scaled-scaled", kExact, "x * c0 + x * c1", "x * (c0 + c1)"},
    {"sub-scaled-scaled", kExact, "x * c0 - x * c1", "x * (c0 - c1)"},

    {"min-plus-max", kInts, "T.min(x, y) + T.max(x, y)", "x + y"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> add_sub() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
