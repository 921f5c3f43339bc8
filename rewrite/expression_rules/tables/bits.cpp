// Bit operations. On exact integers they observe their operands and read them as two's complement
// of the type's width. Masks of low bits become remainders, which the other tables know more about.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note, lemmas, licences
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"and-same", kInts, "x & x", "x"},
    {"or-same", kInts, "x | x", "x"},
    {"xor-same", kInts, "x ^ x", "0"},
    {"and-with-zero", kInts, "x & 0", "0"},
    {"or-with-zero", kInts, "x | 0", "x"},
    {"xor-with-zero", kInts, "x ^ 0", "x"},
    {"and-with-ones", kSigned, "x & -1", "x"},
    {"or-with-ones", kSigned, "x | -1", "-1"},
    {"and-with-largest", kUnsigned, "x & c0", "x", "c0 == KIND_MAX"},
    {"or-with-largest", kUnsigned, "x | c0", "c0", "c0 == KIND_MAX"},
    {"xor-twice", kInts, "(x ^ y) ^ y", "x"},
    {"xor-common", kInts, "(x ^ y) ^ (x ^ z)", "y ^ z"},
    {"bits-and-absorbs-or", kInts, "x & (x | y)", "x"},
    {"bits-or-absorbs-and", kInts, "x | (x & y)", "x"},
    {"and-again", kInts, "x & (x & y)", "x & y"},
    {"or-again", kInts, "x | (x | y)", "x | y"},
    {"bits-and-constants", kInts, "(x & c0) & c1", "x & (c0 & c1)"},
    {"bits-or-constants", kInts, "(x | c0) | c1", "x | (c0 | c1)"},
    {"xor-constants", kInts, "(x ^ c0) ^ c1", "x ^ (c0 ^ c1)"},
    {"or-of-masks", kInts, "(x & c0) | (x & c1)", "x & (c0 | c1)"},
    {"xor-of-masks", kInts, "(x & c0) ^ (x & c1)", "x & (c0 ^ c1)"},
    {"and-of-set", kInts, "(x | c0) & (x | c1)", "x | (c0 & c1)"},
    {"or-of-ands", kInts, "(x & y) | (x & z)", "x & (y | z)"},
    {"and-of-ors", kInts, "(x | y) & (x | z)", "x | (y & z)"},
    {"xor-of-ands", kInts, "(x & y) ^ (x & z)", "x & (y ^ z)"},
    {"and-plus-or", kInts, "(x & y) + (x | y)", "x + y"},
    {"and-plus-xor", kInts, "(x & y) + (x ^ y)", "x | y"},
    {"or-minus-and", kInts, "(x | y) - (x & y)", "x ^ y"},
    {"or-minus-xor", kInts, "(x | y) - (x ^ y)", "x & y"},
    {"sum-minus-or", kInts, "(x + y) - (x | y)", "x & y"},
    {"sum-minus-and", kInts, "(x + y) - (x & y)", "x | y"},
    {"and-or-xor", kInts, "(x & y) | (x ^ y)", "x | y"},
    {"and-xor-xor", kInts, "(x & y) ^ (x ^ y)", "x | y"},
    {"or-xor-and", kInts, "(x | y) ^ (x & y)", "x ^ y"},
    {"or-xor-xor", kInts, "(x | y) ^ (x ^ y)", "x & y"},
    {"or-and-xor", kInts, "(x | y) & (x ^ y)", "x ^ y"},
    {"xor-or-term", kInts, "(x ^ y) | x", "x | y"},
    {"or-or-xor", kInts, "(x | y) | (x ^ y)", "x | y"},
    {"and-and-or", kInts, "(x & y) & (x | y)", "x & y"},
    {"and-and-xor", kInts, "(x & y) & (x ^ y)", "0"},

    {"set-then-masked-out", kInts, "(x | c0) & c1", "x & c1", "(c0 & c1) == 0"},
    {"set-then-masked-in", kInts, "(x | c0) & c1", "c1", "(c0 & c1) == c1"},
    {"masked-then-set", kInts, "(x & c0) | c1", "c1", "(c0 & c1) == c0"},
    {"flipped-then-masked-out", kInts, "(x ^ c0) & c1", "x & c1", "(c0 & c1) == 0"},
    {"mask-covers-mask", kInts, "(x & c0) | (x & c1)", "x & c0", "(c0 & c1) == c1"},

    {"xor-is-zero", kInts, "(x ^ y) == 0", "x == y"},
    {"xor-is-not-zero", kInts, "(x ^ y) != 0", "x != y"},
    {"xor-is-constant", kInts, "(x ^ c0) == c1", "x == (c0 ^ c1)"},
    {"xor-is-not-constant", kInts, "(x ^ c0) != c1", "x != (c0 ^ c1)"},
    {"eq-xor-common", kInts, "(x ^ z) == (y ^ z)", "x == y"},
    {"ne-xor-common", kInts, "(x ^ z) != (y ^ z)", "x != y"},
    {"mask-is-impossible", kInts, "(x & c0) == c1", "False", "(c0 & c1) != c1"},
    {"mask-is-never", kInts, "(x & c0) != c1", "True", "(c0 & c1) != c1"},
    {"set-is-impossible", kInts, "(x | c0) == c1", "False", "(c0 & c1) != c0"},
    {"set-is-never", kInts, "(x | c0) != c1", "True", "(c0 & c1) != c0"},
    {"and-is-at-most", kUnsigned, "(x & y) <= x", "True"},
    {"or-is-at-least", kUnsigned, "x <= (x | y)", "True"},
    {"mask-is-below", kInts, "(x & c0) < c1", "True", "0 <= c0 and c0 < c1"},
    {"mask-is-at-most", kInts, "(x & c0) <= c1", "True", "0 <= c0 and c0 <= c1"},
    {"mask-is-not-negative", kSigned, "0 <= (x & c0)", "True", "0 <= c0"},
    {"mask-is-negative-never", kSigned, "(x & c0) < 0", "False", "0 <= c0"},

    {"mask-of-low-bits", kExact, "x & c0", "x % (c0 + 1)", "0 < c0 and (c0 & (c0 + 1)) == 0"},
    {"mask-1", kInts, "x & 1", "x % 2"},
    {"mask-3", kInts, "x & 3", "x % 4"},
    {"mask-7", kInts, "x & 7", "x % 8"},
    {"mask-15", kInts, "x & 15", "x % 16"},
    {"mask-31", kInts, "x & 31", "x % 32"},
    {"mask-63", kInts, "x & 63", "x % 64"},
    {"mask-255", kExact | kWrapUInt16 | kWrapUInt32 | kWrapUInt64, "x & 255", "x % 256"},
    {"mask-1023", kExact | kWrapUInt16 | kWrapUInt32 | kWrapUInt64, "x & 1023", "x % 1024"},
    {"mask-4095", kExact | kWrapUInt16 | kWrapUInt32 | kWrapUInt64, "x & 4095", "x % 4096"},
    {"mask-65535", kExact, "x & 65535", "x % 65536"},
    {"mask-1048575", kExact, "x & 1048575", "x % 1048576"},
    {"mask-16777215", kExact, "x & 16777215", "x % 16777216"},
    {"mask-1073741823", kExact, "x & 1073741823", "x % 1073741824"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> bits() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
