// Choice. T.Select evaluates both arms, T.if_then_else only the chosen one. Neither observes its
// arms. Turning T.if_then_else into T.Select would evaluate an arm that may fault: no rule here
// does. Nor does one turn the condition of a T.Select, which may be indeterminate, into the left
// side of `and` or `or`, where that is a fault.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"select-true", kAll, "T.Select(True, x, y)", "x"},
    {"select-false", kAll, "T.Select(False, x, y)", "y"},
    {"if-true", kAll, "T.if_then_else(True, x, y)", "x"},
    {"if-false", kAll, "T.if_then_else(False, x, y)", "y"},
    {"select-same-arms", kAll, "T.Select(p, x, x)", "x"},
    {"if-same-arms", kAll, "T.if_then_else(p, x, x)", "x"},
    {"select-not", kAll, "T.Select(not p, x, y)", "T.Select(p, y, x)"},
    {"if-not", kAll, "T.if_then_else(not p, x, y)", "T.if_then_else(p, y, x)"},

    {"select-nested-then", kAll, "T.Select(p, T.Select(p, x, y), z)", "T.Select(p, x, z)"},
    {"select-nested-else", kAll, "T.Select(p, x, T.Select(p, y, z))", "T.Select(p, x, z)"},
    {"if-nested-then", kAll, "T.if_then_else(p, T.if_then_else(p, x, y), z)",
     "T.if_then_else(p, x, z)"},
    {"if-nested-else", kAll, "T.if_then_else(p, x, T.if_then_else(p, y, z))",
     "T.if_then_else(p, x, z)"},
    {"select-and", kAll, "T.Select(p, T.Select(q, x, y), y)", "T.Select(p and q, x, y)", "",
     "definite(p)"},
    {"select-or", kAll, "T.Select(p, x, T.Select(q, x, y))", "T.Select(p or q, x, y)", "",
     "definite(p)"},
    {"if-and", kAll, "T.if_then_else(p, T.if_then_else(q, x, y), y)",
     "T.if_then_else(p and q, x, y)"},
    {"if-or", kAll, "T.if_then_else(p, x, T.if_then_else(q, x, y))",
     "T.if_then_else(p or q, x, y)"},

    {"select-is-condition", kBoolean, "T.Select(p, True, False)", "p"},
    {"select-is-negation", kBoolean, "T.Select(p, False, True)", "not p"},
    {"if-is-condition", kBoolean, "T.if_then_else(p, True, False)", "p"},
    {"if-is-negation", kBoolean, "T.if_then_else(p, False, True)", "not p"},
    {"if-is-and", kBoolean, "T.if_then_else(p, q, False)", "p and q"},
    {"if-is-or", kBoolean, "T.if_then_else(p, True, q)", "p or q"},

    {"select-is-min", kNumbers, "T.Select(x < y, x, y)", "T.min(y, x)", "", "",
     "T.min(y, x) is `x < y ? x : y`, on floats too"},
    {"select-is-max", kNumbers, "T.Select(x < y, y, x)", "T.max(x, y)", "", "",
     "T.max(x, y) is `x < y ? y : x`, on floats too"},
    {"if-is-min", kNumbers, "T.if_then_else(x < y, x, y)", "T.min(y, x)"},
    {"if-is-max", kNumbers, "T.if_then_else(x < y, y, x)", "T.max(x, y)"},
    {"select-le-is-min", kInts, "T.Select(x <= y, x, y)", "T.min(x, y)"},
    {"select-le-is-max", kInts, "T.Select(x <= y, y, x)", "T.max(x, y)"},
    {"if-le-is-min", kInts, "T.if_then_else(x <= y, x, y)", "T.min(x, y)"},
    {"if-le-is-max", kInts, "T.if_then_else(x <= y, y, x)", "T.max(x, y)"},
    {"select-negative-is-abs", kSigned, "T.Select(x < 0, -x, x)", "T.abs(x)"},
    {"select-not-positive-is-abs", kSigned, "T.Select(x <= 0, -x, x)", "T.abs(x)"},
    {"select-positive-is-abs", kSigned, "T.Select(0 < x, x, -x)", "T.abs(x)"},
    {"select-not-negative-is-abs", kSigned, "T.Select(0 <= x, x, -x)", "T.abs(x)"},
    {"if-negative-is-abs", kSigned, "T.if_then_else(x < 0, -x, x)", "T.abs(x)"},
    {"if-not-positive-is-abs", kSigned, "T.if_then_else(x <= 0, -x, x)", "T.abs(x)"},
    {"if-positive-is-abs", kSigned, "T.if_then_else(0 < x, x, -x)", "T.abs(x)"},
    {"if-not-negative-is-abs", kSigned, "T.if_then_else(0 <= x, x, -x)", "T.abs(x)"},
    {"select-eq", kInts | kBoolean, "T.Select(x == y, x, y)", "y"},
    {"select-ne", kInts | kBoolean, "T.Select(x != y, x, y)", "x"},
    {"if-eq", kInts | kBoolean, "T.if_then_else(x == y, x, y)", "y"},
    {"if-ne", kInts | kBoolean, "T.if_then_else(x != y, x, y)", "x"},

    {"select-common-term", kSigned, "T.Select(p, x + z, y + z)", "T.Select(p, x, y) + z",
     "", "definite(p)", "an indeterminate choice is not computed with"},
    {"if-common-term", kSigned, "T.if_then_else(p, x + z, y + z)", "T.if_then_else(p, x, y) + z"},
    {"select-common-factor", kExact, "T.Select(p, x * z, y * z)", "T.Select(p, x, y) * z",
     "", "definite(p)"},
    {"if-common-factor", kExact, "T.if_then_else(p, x * z, y * z)",
     "T.if_then_else(p, x, y) * z"},
    {"choice-and-its-opposite", kExactInt32, "T.Cast('KIND', p) + T.Select(p, 0, 1)", "1"},
    {"select-one-or-zero", kExactInt32, "T.Select(p, 1, 0)", "T.Cast('KIND', p)"},
    {"if-one-or-zero", kExactInt32, "T.if_then_else(p, 1, 0)", "T.Cast('KIND', p)"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> select() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
