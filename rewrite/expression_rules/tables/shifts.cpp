// Shifts. A shift by less than 0 or by the width or more is a fault, so what a left side shifts by
// is known. On exact integers shifting by a constant is multiplying or dividing by a power of two.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note, lemmas, licences
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"shl-zero", kInts, "x << 0", "x"},
    {"shr-zero", kInts, "x >> 0", "x"},
    {"zero-shl", kInts, "0 << x", "0"},
    {"zero-shr", kInts, "0 >> x", "0"},
    {"shl-is-mul", kInts, "x << c0", "x * (1 << c0)"},
    {"shr-is-floordiv", kExact, "x >> c0", "x // (1 << c0)", "0 < c0",
     "", "an arithmetic shift rounds down"},
    {"shr-is-floordiv-unsigned", kWrapUInt8, "x >> c0", "x // (1 << c0)"},
    {"minus-one-shr", kWrapSigned, "-1 >> x", "-1"},
    {"shl-of-shl", kWrapSigned | kWrapUInt8 | kWrapUInt16 | kWrapUInt32,
     "(x << c0) << c1", "x << (c0 + c1)",
     "0 <= c0 and 0 <= c1 and (1 << (c0 + c1)) != 0"},
    {"shl-of-shl-out", kUnsigned, "(x << c0) << c1", "0",
     "c0 < 64 and c1 < 64 and (KIND_MAX << c0) << c1 == 0"},
    {"shr-of-shr", kWrapSigned | kWrapUInt8 | kWrapUInt16 | kWrapUInt32,
     "(x >> c0) >> c1", "x >> (c0 + c1)",
     "0 <= c0 and 0 <= c1 and (1 << (c0 + c1)) != 0"},
    {"shr-of-shr-out", kUnsigned, "(x >> c0) >> c1", "0",
     "c0 < 64 and c1 < 64 and (KIND_MAX >> c0) >> c1 == 0"},
    {"shl-then-shr", kUnsigned, "(x << c0) >> c0", "x & (KIND_MAX >> c0)"},
    {"shr-then-shl", kUnsigned, "(x >> c0) << c0", "x & (KIND_MAX << c0)"},
    {"shr-then-shl-signed", kWrapSigned, "(x >> c0) << c0", "x & (-1 << c0)"},
    {"shl-then-shr-by-term", kUnsigned, "(x << y) >> y", "x", "", "x <= (KIND_MAX >> y)"},
    {"shl-common-count", kWrapSigned | kWrapUInt8 | kWrapUInt16 | kWrapUInt32,
     "(x << y) + (z << y)", "(x + z) << y"},
    {"shl-common-count-sub", kWrapSigned | kWrapUInt8 | kWrapUInt16 | kWrapUInt32,
     "(x << y) - (z << y)", "(x - z) << y"},
    {"shl-common-count-and", kWrapping, "(x << y) & (z << y)", "(x & z) << y"},
    {"shl-common-count-or", kWrapping, "(x << y) | (z << y)", "(x | z) << y"},
    {"shl-common-count-xor", kWrapping, "(x << y) ^ (z << y)", "(x ^ z) << y"},
    {"shr-common-count-and", kInts, "(x >> y) & (z >> y)", "(x & z) >> y"},
    {"shr-common-count-or", kInts, "(x >> y) | (z >> y)", "(x | z) >> y"},
    {"shr-common-count-xor", kInts, "(x >> y) ^ (z >> y)", "(x ^ z) >> y"},
    {"shl-of-neg", kWrapSigned | kWrapUInt8 | kWrapUInt16 | kWrapUInt32,
     "(-x) << y", "-(x << y)"},
    {"shl-of-product", kWrapping, "(x * c0) << c1", "x * (c0 << c1)"},
    {"shr-common-min", kWrapUInt8 | kWrapUInt16,
     "T.min(x >> z, y >> z)", "T.min(x, y) >> z"},
    {"shr-common-max", kWrapUInt8 | kWrapUInt16,
     "T.max(x >> z, y >> z)", "T.max(x, y) >> z"},
    {"mask-then-shr-out", kUnsigned, "(x & c0) >> c1", "0", "c1 < 64 and (c0 >> c1) == 0"},
    {"shl-then-mask-out", kUnsigned, "(x << c0) & c1", "0",
     "c0 < 64 and ((KIND_MAX << c0) & c1) == 0"},
    {"shr-then-mask-all", kUnsigned, "(x >> c0) & c1", "x >> c0",
     "c0 < 64 and ((KIND_MAX >> c0) & c1) == KIND_MAX >> c0"},
    {"shr-is-zero", kUnsigned, "(x >> c0) == 0", "x < (1 << c0)"},
    {"shr-is-not-zero", kUnsigned, "(x >> c0) != 0", "(1 << c0) <= x"},
    {"shr-below-constant", kUnsigned, "(x >> c0) < c1", "x < (c1 << c0)",
     "c0 < 64 and (c1 << c0) >> c0 == c1"},
    {"shr-at-most-itself", kUnsigned, "(x >> y) <= x", "True"},
    {"shr-is-negative", kSigned, "(x >> y) < 0", "x < 0"},
    {"shr-is-not-negative", kSigned, "0 <= (x >> y)", "0 <= x"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> shifts() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
