// More on bits: complements, masks beside remainders by powers of two, and digits put together by
// `|` and `^`, which are sums where no bit meets another.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note, lemmas, licences
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"flip-all-is-linear", kExact, "x ^ -1", "-1 - x", "", "definite(x)"},
    {"and-with-complement", kExact, "x & (-1 - x)", "0"},
    {"or-with-complement", kExact, "x | (-1 - x)", "-1"},
    {"xor-with-complement", kExact, "x ^ (-1 - x)", "-1"},
    {"and-of-complements", kExact, "(-1 - x) & (-1 - y)", "-1 - (x | y)"},
    {"or-of-complements", kExact, "(-1 - x) | (-1 - y)", "-1 - (x & y)"},
    {"xor-of-complements", kExact, "(-1 - x) ^ (-1 - y)", "x ^ y"},
    {"masked-or-complement", kExact, "(x & y) | (x & (-1 - y))", "x"},
    {"masked-xor-complement", kExact, "(x & y) ^ (x & (-1 - y))", "x"},
    {"masked-plus-complement", kExact, "(x & y) + (x & (-1 - y))", "x"},
    {"set-and-complement", kExact, "(x | y) & (x | (-1 - y))", "x"},
    {"either-complement", kExact, "(x & (-1 - y)) | ((-1 - x) & y)", "x ^ y"},
    {"absorb-complement-or", kExact, "x | ((-1 - x) & y)", "x | y"},
    {"absorb-complement-and", kExact, "x & ((-1 - x) | y)", "x & y"},
    {"and-with-flipped", kExact, "x & (x ^ c0)", "x & (-1 - c0)"},
    {"and-with-complement-signed", kWrapSigned, "x & (x ^ -1)", "0"},
    {"or-with-complement-signed", kWrapSigned, "x | (x ^ -1)", "-1"},
    {"or-with-flipped", kInts, "x | (x ^ c0)", "x | c0"},
    {"and-of-flips", kWrapSigned, "(x ^ -1) & (y ^ -1)", "(x | y) ^ -1"},
    {"or-of-flips", kWrapSigned, "(x ^ -1) | (y ^ -1)", "(x & y) ^ -1"},
    {"xor-of-flips", kInts, "(x ^ c0) ^ (y ^ c0)", "x ^ y"},
    {"and-or-flip", kWrapSigned, "(x & y) | (x & (y ^ -1))", "x"},
    {"either-flip", kWrapSigned, "(x & (y ^ -1)) | ((x ^ -1) & y)", "x ^ y"},
    {"eq-and-flips", kInts, "(x ^ c0) == (y ^ c1)", "x == (y ^ (c0 ^ c1))"},

    {"and-twice-plus-xor", kExact, "(x & y) * 2 + (x ^ y)", "x + y"},
    {"or-twice-minus-xor", kExact, "(x | y) * 2 - (x ^ y)", "x + y"},
    {"mask-less-term", kExact, "x - (x & c0)", "x & (-1 - c0)"},
    {"sum-of-apart-masks", kInts, "(x & c0) + (x & c1)", "x & (c0 | c1)", "(c0 & c1) == 0"},
    {"sum-of-mask-and-rest", kExact, "(x & c0) + x % c1", "x & (c0 | (c1 - 1))",
     "0 < c1 and (c1 & (c1 - 1)) == 0 and (c0 & (c1 - 1)) == 0"},
    {"or-of-mask-and-rest", kExact, "(x & c0) | x % c1", "x & (c0 | (c1 - 1))",
     "0 < c1 and (c1 & (c1 - 1)) == 0"},

    {"xor-of-mask-and-rest", kExact, "(x & c0) ^ x % c1", "x & (c0 ^ (c1 - 1))",
     "0 < c1 and (c1 & (c1 - 1)) == 0"},
    {"or-of-higher-bits", kExact, "x | c0", "x + c0", "0 < c0",
     "0 <= x; x < (c0 & -c0); definite(x)", "x has only bits below the lowest of c0"},
    {"xor-of-higher-bits", kExact, "x ^ c0", "x + c0", "0 < c0",
     "0 <= x; x < (c0 & -c0); definite(x)"},
    {"and-of-higher-bits", kExact, "x & c0", "0", "0 < c0", "0 <= x; x < (c0 & -c0)"},

    {"rest-of-mask", kExact, "(x & c0) % c1", "x & (c0 & (c1 - 1))",
     "0 < c1 and (c1 & (c1 - 1)) == 0"},
    {"rest-of-set", kExact, "(x | c0) % c1", "x % c1",
     "0 < c1 and (c1 & (c1 - 1)) == 0 and (c0 & (c1 - 1)) == 0"},
    {"rest-of-set-wholly", kExact, "(x | c0) % c1", "c1 - 1",
     "0 < c1 and (c1 & (c1 - 1)) == 0 and (c0 & (c1 - 1)) == c1 - 1"},
    {"rest-of-flipped", kExact, "(x ^ c0) % c1", "x % c1",
     "0 < c1 and (c1 & (c1 - 1)) == 0 and (c0 & (c1 - 1)) == 0"},
    {"mask-of-rest", kExact, "(x % c1) & c0", "x & (c0 & (c1 - 1))",
     "0 < c1 and (c1 & (c1 - 1)) == 0"},
    {"whole-of-set", kExact, "(x | c0) // c1", "x // c1",
     "0 < c1 and (c1 & (c1 - 1)) == 0 and 0 <= c0 and c0 < c1"},
    {"whole-of-flipped", kExact, "(x ^ c0) // c1", "x // c1",
     "0 < c1 and (c1 & (c1 - 1)) == 0 and 0 <= c0 and c0 < c1"},

    {"or-of-digits", kExact, "x * c0 | y", "x * c0 + y",
     "0 < c0 and (c0 & (c0 - 1)) == 0", "0 <= y; y < c0; definite(y)", "no bit meets another"},
    {"xor-of-digits", kExact, "x * c0 ^ y", "x * c0 + y",
     "0 < c0 and (c0 & (c0 - 1)) == 0", "0 <= y; y < c0; definite(y)"},
    {"and-of-digits", kExact, "x * c0 & y", "0", "0 < c0 and (c0 & (c0 - 1)) == 0",
     "0 <= y; y < c0"},
    {"floordiv-common-and", kExact, "(x // c0) & (y // c0)", "(x & y) // c0",
     "0 < c0 and (c0 & (c0 - 1)) == 0"},
    {"floordiv-common-or", kExact, "(x // c0) | (y // c0)", "(x | y) // c0",
     "0 < c0 and (c0 & (c0 - 1)) == 0"},
    {"floordiv-common-xor", kExact, "(x // c0) ^ (y // c0)", "(x ^ y) // c0",
     "0 < c0 and (c0 & (c0 - 1)) == 0"},
    {"rests-common-and", kExact, "x % c0 & y % c0", "(x & y) % c0",
     "0 < c0 and (c0 & (c0 - 1)) == 0"},
    {"rests-common-or", kExact, "x % c0 | y % c0", "(x | y) % c0",
     "0 < c0 and (c0 & (c0 - 1)) == 0"},
    {"rests-common-xor", kExact, "x % c0 ^ y % c0", "(x ^ y) % c0",
     "0 < c0 and (c0 & (c0 - 1)) == 0"},
    {"shl-then-shr-exact", kExact, "(x << y) >> y", "x"},
    {"not-negative-and", kSigned, "0 <= (x & y)", "True", "", "0 <= x"},
    {"not-negative-or", kSigned, "0 <= (x | y)", "0 <= x", "", "0 <= y"},
    {"not-negative-xor", kSigned, "0 <= (x ^ y)", "0 <= x", "", "0 <= y"},
    {"negative-and", kSigned, "(x & y) < 0", "False", "", "0 <= x"},
    {"negative-or", kSigned, "(x | y) < 0", "x < 0", "", "0 <= y"},
    {"negative-xor", kSigned, "(x ^ y) < 0", "x < 0", "", "0 <= y"},
    {"and-is-at-most-signed", kSigned, "(x & y) <= x", "True", "", "0 <= x"},
    {"or-is-at-least-signed", kSigned, "x <= (x | y)", "True", "", "0 <= y"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> bits_joined() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
