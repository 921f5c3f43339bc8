// Casts. Between integers a cast wraps; it is an identity only where the value is known to fit.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"cast-same", kAll, "T.Cast('KIND', x)", "x"},
    {"cast-wide-and-back", kExact | kUnsigned | kDouble, "T.Cast('KIND', T.Cast('WIDE', x))", "x", "", "",
     "widening keeps the value"},
    {"cast-of-bools-both", kBoolean, "T.Cast('int32', p) * T.Cast('int32', q)",
     "T.Cast('int32', p and q)"},
    {"cast-through-int32", kWrapSigned | kWrapUInt8 | kWrapUInt16 | kBoolean,
     "T.Cast('int64', T.Cast('int32', x))", "T.Cast('int64', x)"},
    {"cast-int32-and-back", kWrapSigned | kWrapUInt8 | kWrapUInt16,
     "T.Cast('KIND', T.Cast('int32', x))", "x"},
    {"cast-int64-and-back", kWrapSigned | kWrapUInt8 | kWrapUInt16 | kWrapUInt32,
     "T.Cast('KIND', T.Cast('int64', x))", "x"},
    {"cast-uint32-and-back", kWrapSigned | kWrapUInt8 | kWrapUInt16,
     "T.Cast('KIND', T.Cast('uint32', x))", "x"},
    {"cast-int8-in-range", kExact, "T.Cast('KIND', T.Cast('int8', x))", "x", "",
     "-128 <= x; x <= 127"},
    {"cast-int16-in-range", kExact, "T.Cast('KIND', T.Cast('int16', x))", "x", "",
     "-32768 <= x; x <= 32767"},
    {"cast-uint8-in-range", kExact, "T.Cast('KIND', T.Cast('uint8', x))", "x", "",
     "0 <= x; x <= 255"},
    {"cast-uint16-in-range", kExact, "T.Cast('KIND', T.Cast('uint16', x))", "x", "",
     "0 <= x; x <= 65535"},
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

    {"cast-wide-eq-zero", kExact | kUnsigned, "T.Cast('WIDE', x) == 0", "x == 0"},
    {"cast-wide-ne-zero", kExact | kUnsigned, "T.Cast('WIDE', x) != 0", "x != 0"},
    {"cast-wide-lt-zero", kExact | kUnsigned, "T.Cast('WIDE', x) < 0", "x < 0"},
    {"cast-wide-le-zero", kExact | kUnsigned, "T.Cast('WIDE', x) <= 0", "x <= 0"},
    {"cast-wide-gt-zero", kExact | kUnsigned, "0 < T.Cast('WIDE', x)", "0 < x"},
    {"cast-wide-ge-zero", kExact | kUnsigned, "0 <= T.Cast('WIDE', x)", "0 <= x"},

    {"add-of-casts", kExactInt32, "T.Cast('int64', x) + T.Cast('int64', y)",
     "T.Cast('int64', x + y)", "", "in_range(x + y)"},
    {"sub-of-casts", kExactInt32, "T.Cast('int64', x) - T.Cast('int64', y)",
     "T.Cast('int64', x - y)", "", "in_range(x - y)"},
    {"mul-of-casts", kExactInt32, "T.Cast('int64', x) * T.Cast('int64', y)",
     "T.Cast('int64', x * y)", "", "in_range(x * y)"},
    {"floordiv-of-casts", kExactInt32, "T.Cast('int64', x) // T.Cast('int64', y)",
     "T.Cast('int64', x // y)", "", "0 < y", "-2147483648 // -1 is no int32"},
    {"floormod-of-casts", kExactInt32, "T.Cast('int64', x) % T.Cast('int64', y)",
     "T.Cast('int64', x % y)", "", "0 < y"},
    {"truncdiv-of-casts", kExactInt32, "T.truncdiv(T.Cast('int64', x), T.Cast('int64', y))",
     "T.Cast('int64', T.truncdiv(x, y))", "", "0 < y"},
    {"truncmod-of-casts", kExactInt32, "T.truncmod(T.Cast('int64', x), T.Cast('int64', y))",
     "T.Cast('int64', T.truncmod(x, y))", "", "0 < y"},
    {"cast-narrow-in-range", kExactInt64, "T.Cast('int64', T.Cast('int32', x))", "x", "",
     "-2147483648 <= x; x <= 2147483647"},
    {"cast-of-byte-not-negative", kWrapUInt8, "0 <= T.Cast('int32', x)", "True"},
    {"cast-of-byte-negative", kWrapUInt8, "T.Cast('int32', x) < 0", "False"},
    {"cast-of-byte-below", kWrapUInt8, "T.Cast('int32', x) < 256", "True"},
    {"cast-of-byte-at-most", kWrapUInt8, "T.Cast('int32', x) <= 255", "True"},
    {"cast-same-width-back", kWrapUInt8, "T.Cast('uint8', T.Cast('int8', x))", "x"},
    {"cast-same-width-back-signed", kWrapInt8, "T.Cast('int8', T.Cast('uint8', x))", "x"},
    {"cast-same-width-back-16", kWrapUInt16, "T.Cast('uint16', T.Cast('int16', x))", "x"},

    {"cast-of-bool-below-one", kBoolean, "T.Cast('int32', p) < 1", "not p"},
    {"cast-of-bool-positive", kBoolean, "0 < T.Cast('int32', p)", "p"},
    {"cast-of-bool-at-least-one", kBoolean, "1 <= T.Cast('int32', p)", "p"},
    {"cast-of-bool-at-most-zero", kBoolean, "T.Cast('int32', p) <= 0", "not p"},
    {"cast-of-bool-is-not-one", kBoolean, "T.Cast('int32', p) != 1", "not p"},
    {"cast-of-bool-not-negative", kBoolean, "0 <= T.Cast('int32', p)", "True"},
    {"cast-of-bool-at-most-one", kBoolean, "T.Cast('int32', p) <= 1", "True"},
    {"cast-of-bools-equal", kBoolean, "T.Cast('int32', p) == T.Cast('int32', q)", "p == q"},
    {"cast-of-bools-different", kBoolean, "T.Cast('int32', p) != T.Cast('int32', q)", "p != q"},
    {"cast-of-bools-product", kBoolean, "T.Cast('int32', p) * T.Cast('int32', p)",
     "T.Cast('int32', p)"},

    {"cast-float32-and-back", kWrapSigned | kWrapUInt8 | kWrapUInt16,
     "T.Cast('KIND', T.Cast('float32', x))", "x"},
    {"cast-float64-and-back", kWrapSigned | kWrapUInt8 | kWrapUInt16 | kWrapUInt32,
     "T.Cast('KIND', T.Cast('float64', x))", "x"},
    {"floor-of-narrow", kWrapSigned | kWrapUInt8 | kWrapUInt16, "T.floor(T.Cast('float32', x))",
     "T.Cast('float32', x)"},
    {"ceil-of-narrow", kWrapSigned | kWrapUInt8 | kWrapUInt16, "T.ceil(T.Cast('float32', x))",
     "T.Cast('float32', x)"},
    {"float-cast-wide-and-back", kHalf | kBrain | kSingle, "T.Cast('KIND', T.Cast('WIDE', x))", "x"},
    {"float-eq-of-casts", kFloats, "T.Cast('WIDE', x) == T.Cast('WIDE', y)", "x == y"},
    {"float-ne-of-casts", kFloats, "T.Cast('WIDE', x) != T.Cast('WIDE', y)", "x != y"},
    {"float-lt-of-casts", kFloats, "T.Cast('WIDE', x) < T.Cast('WIDE', y)", "x < y"},
    {"float-le-of-casts", kFloats, "T.Cast('WIDE', x) <= T.Cast('WIDE', y)", "x <= y"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> cast() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
