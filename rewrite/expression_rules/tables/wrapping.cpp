// Integers that wrap. Modulo 2^n they are a ring too, so constants gather as in exact integers; no
// order survives a sum, and no division cancels a product.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note, lemmas, licences
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"wrap-mul-constants", kWrapping, "(x * c0) * c1", "x * (c0 * c1)"},
    {"wrap-mul-neg-constant", kWrapping, "(-x) * c0", "x * (-c0)"},
    {"wrap-neg-mul-constant", kWrapping, "-(x * c0)", "x * (-c0)"},
    {"wrap-add-scaled-same", kWrapping, "x * c0 + x", "x * (c0 + 1)"},
    {"wrap-sub-scaled-same", kWrapping, "x * c0 - x", "x * (c0 - 1)"},
    {"wrap-sub-from-scaled", kWrapping, "x - x * c0", "x * (1 - c0)"},
    {"wrap-add-scaled-scaled", kWrapping, "x * c0 + x * c1", "x * (c0 + c1)"},
    {"wrap-sub-scaled-scaled", kWrapping, "x * c0 - x * c1", "x * (c0 - c1)"},
    {"wrap-add-common-scale", kWrapping, "x * c0 + y * c0", "(x + y) * c0"},
    {"wrap-sub-common-scale", kWrapping, "x * c0 - y * c0", "(x - y) * c0"},
    {"wrap-mul-largest", kUnsigned, "x * c0", "-x", "c0 == KIND_MAX"},
    {"wrap-neg-mul-neg", kWrapping, "-((-x) * y)", "x * y"},
    {"wrap-mul-one-neg", kWrapping, "(-x) * y", "-(x * y)"},

    {"wrap-eq-offsets", kWrapping, "x + c0 == y + c1", "x == y + (c1 - c0)"},
    {"wrap-ne-offsets", kWrapping, "x + c0 != y + c1", "x != y + (c1 - c0)"},
    {"wrap-eq-neg", kWrapping, "-x == c0", "x == -c0"},
    {"wrap-ne-neg", kWrapping, "-x != c0", "x != -c0"},
    {"wrap-ne-negs", kWrapping, "-x != -y", "x != y"},
    {"wrap-ne-cancel-minuend", kWrapping, "x - y != x - z", "y != z"},
    {"wrap-ne-cancel-subtrahend", kWrapping, "x - z != y - z", "x != y"},
    {"wrap-eq-sum-zero", kWrapping, "x + y == 0", "x == -y"},

    {"unsigned-below-one", kUnsigned, "x < 1", "x == 0"},
    {"unsigned-at-least-one", kUnsigned, "1 <= x", "x != 0"},
    {"unsigned-not-negative", kUnsigned, "0 <= x", "True"},
    {"unsigned-rest-below-divisor", kWrapUInt8, "x % y < y", "True"},
    {"unsigned-rest-at-most", kWrapUInt8, "x % y <= x", "True"},
    {"unsigned-quotient-at-most", kWrapUInt8, "x // y <= x", "True"},
    {"unsigned-floordiv-bounded", kWrapUInt8 | kWrapUInt16,
     "x // y", "0", "", "x < y"},
    {"unsigned-floormod-bounded", kWrapUInt8 | kWrapUInt16,
     "x % y", "x", "", "x < y"},
    {"unsigned-floordiv-one-step", kWrapUInt8, "x // y", "1", "", "y <= x; x - y < y"},
    {"unsigned-floormod-one-step", kWrapUInt8, "x % y", "x - y", "", "y <= x; x - y < y"},
    {"unsigned-floordiv-self", kWrapUInt8 | kWrapUInt16,
     "x // x", "1"},
    {"unsigned-floormod-self", kWrapUInt8 | kWrapUInt16,
     "x % x", "0"},
    {"unsigned-floordiv-of-zero", kUnsigned, "0 // x", "0"},
    {"unsigned-floormod-of-zero", kUnsigned, "0 % x", "0"},
    {"unsigned-floordiv-of-floordiv", kWrapUInt8, "(x // c1) // c2", "x // (c1 * c2)",
     "c1 > 0 and c2 > 0 and (c1 * c2) // c1 == c2", "", "the product of the divisors fits"},
    {"unsigned-floormod-of-floormod", kWrapUInt8, "(x % c1) % c2", "x % c2",
     "c2 > 0 and c1 > 0 and c1 % c2 == 0"},
    {"unsigned-floormod-smaller", kWrapUInt8, "(x % c1) % c2", "x % c1", "0 < c1 and c1 <= c2"},
    {"unsigned-floordiv-of-floormod", kWrapUInt8, "(x % c1) // c2", "0", "0 < c1 and c1 <= c2"},
    {"unsigned-difference-below", kUnsigned, "x - y <= x", "True", "", "y <= x"},
    {"unsigned-sum-above", kUnsigned, "x <= x + y", "True", "", "x + y >= y",
     "where the sum has not wrapped"},
    {"wrap-floordiv-floormod-whole", kWrapUInt8 | kWrapInt8, "(x // y) * y + x % y", "x"},
    {"wrap-sub-floordiv-multiple", kWrapUInt8 | kWrapInt8, "x - (x // y) * y", "x % y"},
    {"unsigned-rest-or-multiple", kWrapUInt8, "x % c0 | x // c0 * c0", "x",
     "c0 > 0 and (c0 & (c0 - 1)) == 0"},
    {"unsigned-multiple-or-rest", kWrapUInt8, "x // c0 * c0 | x % c0", "x",
     "c0 > 0 and (c0 & (c0 - 1)) == 0"},
    {"unsigned-floormod-of-multiple", kWrapUInt8, "(x * c1) % c0", "0",
     "c0 > 0 and (c0 & (c0 - 1)) == 0 and c1 % c0 == 0", "", "the divisor divides 2^n"},
    {"unsigned-floormod-drop-constant", kWrapUInt8, "(x + c1) % c0", "x % c0",
     "c0 > 0 and (c0 & (c0 - 1)) == 0 and c1 % c0 == 0"},
    {"wrap-truncdiv-truncmod-whole", kWrapInt8, "T.truncdiv(x, y) * y + T.truncmod(x, y)", "x"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> wrapping() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
