// Products of integers. Constants move to the right and out of sums, so that the terms of an index
// come out as term * constant.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"mul-zero", kInts, "x * 0", "0"},
    {"mul-one", kInts, "x * 1", "x"},
    {"mul-minus-one", kSigned, "x * -1", "-x"},
    {"mul-constants", kExact, "(x * c0) * c1", "x * (c0 * c1)"},
    {"mul-sum", kInts, "(x + c0) * c1", "x * c1 + c0 * c1"},
    {"mul-difference", kInts, "(x - c0) * c1", "x * c1 - c0 * c1"},
    {"mul-constant-difference", kInts, "(c0 - x) * c1", "c0 * c1 - x * c1"},
    {"mul-neg-constant", kExact, "(-x) * c0", "x * (-c0)"},
    {"neg-mul-constant", kExact, "-(x * c0)", "x * (-c0)"},
    {"mul-neg-neg", kInts, "(-x) * (-y)", "x * y"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> mul() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
