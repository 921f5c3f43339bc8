// Casts. Between integers a cast wraps; it is an identity only where the value is known to fit.
#include "rewrite/rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"cast-same", kAll, "T.Cast('KIND', x)", "x"},
    {"cast-wide-and-back", kExact | kUnsigned | kDouble, "T.Cast('KIND', T.Cast('WIDE', x))", "x", "", "",
     "widening keeps the value"},
    {"cast-through-int32", kWrapSigned | kWrapUInt8 | kWrapUInt16 | kBoolean,
     "T.Cast('int64', T.Cast('int32', x))", "T.Cast('int64', x)"},
    {"cast-narrow-twice", kInts, "T.Cast('int8', T.Cast('int16', x))", "T.Cast('int8', x)"},
    {"cast-narrow-twice-unsigned", kInts, "T.Cast('uint8', T.Cast('uint16', x))",
     "T.Cast('uint8', x)"},

    {"cast-of-bool-is-zero", kBoolean, "T.Cast('int32', p) == 0", "not p"},
    {"cast-of-bool-is-not-zero", kBoolean, "T.Cast('int32', p) != 0", "p"},
    {"cast-of-bool-is-one", kBoolean, "T.Cast('int32', p) == 1", "p"},
    {"cast-to-bool", kInts, "T.Cast('bool', x)", "x != 0"},

    {"eq-of-casts", kExact | kUnsigned, "T.Cast('WIDE', x) == T.Cast('WIDE', y)", "x == y"},
    {"ne-of-casts", kExact | kUnsigned, "T.Cast('WIDE', x) != T.Cast('WIDE', y)", "x != y"},
    {"lt-of-casts", kExact | kUnsigned, "T.Cast('WIDE', x) < T.Cast('WIDE', y)", "x < y"},
    {"le-of-casts", kExact | kUnsigned, "T.Cast('WIDE', x) <= T.Cast('WIDE', y)", "x <= y"},
    {"min-of-casts", kExact | kUnsigned, "T.min(T.Cast('WIDE', x), T.Cast('WIDE', y))",
     "T.Cast('WIDE', T.min(x, y))"},
    {"max-of-casts", kExact | kUnsigned, "T.max(T.Cast('WIDE', x), T.Cast('WIDE', y))",
     "T.Cast('WIDE', T.max(x, y))"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> cast() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
