// Choices and the operators around them: an operator on constants moves into the arms, where it is
// computed; an operator that both arms share moves out.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note, lemmas, licences
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"select-add-select", kInts, "T.Select(p, x, y) + T.Select(p, z, w)",
     "T.Select(p, x + z, y + w)", "", "definite(x); definite(y); definite(z); definite(w)",
     "the right side computes in both arms"},
    {"select-sub-select", kInts, "T.Select(p, x, y) - T.Select(p, z, w)",
     "T.Select(p, x - z, y - w)", "", "definite(x); definite(y); definite(z); definite(w)"},
    {"select-mul-select", kExact, "T.Select(p, x, y) * T.Select(p, z, w)",
     "T.Select(p, x * z, y * w)", "", "definite(x); definite(y); definite(z); definite(w)"},
    {"select-constants-add", kInts, "T.Select(p, c0, c1) + c2",
     "T.Select(p, c0 + c2, c1 + c2)"},
    {"select-constants-mul", kExact, "T.Select(p, c0, c1) * c2",
     "T.Select(p, c0 * c2, c1 * c2)"},
    {"select-constants-sub", kInts, "T.Select(p, c0, c1) - c2", "T.Select(p, c0 - c2, c1 - c2)"},
    {"select-constants-sub-from", kInts, "c2 - T.Select(p, c0, c1)",
     "T.Select(p, c2 - c0, c2 - c1)"},
    {"select-constants-floordiv", kExact, "T.Select(p, c0, c1) // c2",
     "T.Select(p, c0 // c2, c1 // c2)", "c2 > 0"},
    {"select-constants-floormod", kExact, "T.Select(p, c0, c1) % c2",
     "T.Select(p, c0 % c2, c1 % c2)", "c2 > 0"},
    {"select-constants-min", kInts, "T.min(T.Select(p, c0, c1), c2)",
     "T.Select(p, T.min(c0, c2), T.min(c1, c2))"},
    {"select-constants-max", kInts, "T.max(T.Select(p, c0, c1), c2)",
     "T.Select(p, T.max(c0, c2), T.max(c1, c2))"},
    {"select-constants-lt", kInts, "T.Select(p, c0, c1) < c2",
     "T.Select(p, c0 < c2, c1 < c2)"},
    {"select-constants-le", kInts, "T.Select(p, c0, c1) <= c2",
     "T.Select(p, c0 <= c2, c1 <= c2)"},
    {"select-constants-eq", kInts, "T.Select(p, c0, c1) == c2",
     "T.Select(p, c0 == c2, c1 == c2)"},
    {"select-constants-ne", kInts, "T.Select(p, c0, c1) != c2",
     "T.Select(p, c0 != c2, c1 != c2)"},
    {"select-constants-gt", kInts, "c2 < T.Select(p, c0, c1)",
     "T.Select(p, c2 < c0, c2 < c1)"},
    {"select-constants-ge", kInts, "c2 <= T.Select(p, c0, c1)",
     "T.Select(p, c2 <= c0, c2 <= c1)"},

    {"select-neg", kNumbers, "T.Select(p, -x, -y)", "-T.Select(p, x, y)", "", "definite(p)"},
    {"select-common-subtrahend", kInts, "T.Select(p, x - z, y - z)", "T.Select(p, x, y) - z", "",
     "definite(p)"},
    {"select-common-minuend", kInts, "T.Select(p, z - x, z - y)", "z - T.Select(p, x, y)", "",
     "definite(p)"},
    {"select-common-min", kInts, "T.Select(p, T.min(x, z), T.min(y, z))",
     "T.min(T.Select(p, x, y), z)"},
    {"select-common-max", kInts, "T.Select(p, T.max(x, z), T.max(y, z))",
     "T.max(T.Select(p, x, y), z)"},
    {"select-crossed-sum", kInts, "T.Select(p, x, y) + T.Select(p, y, x)", "x + y"},
    {"select-widened", kInts, "T.Select(p, T.Cast('WIDE', x), T.Cast('WIDE', y))",
     "T.Cast('WIDE', T.Select(p, x, y))"},

    {"if-add-if", kInts, "T.if_then_else(p, x, y) + T.if_then_else(p, z, w)",
     "T.if_then_else(p, x + z, y + w)"},
    {"if-sub-if", kInts, "T.if_then_else(p, x, y) - T.if_then_else(p, z, w)",
     "T.if_then_else(p, x - z, y - w)"},
    {"if-mul-if", kExact, "T.if_then_else(p, x, y) * T.if_then_else(p, z, w)",
     "T.if_then_else(p, x * z, y * w)"},
    {"if-constants-add", kInts, "T.if_then_else(p, c0, c1) + c2",
     "T.if_then_else(p, c0 + c2, c1 + c2)"},
    {"if-constants-mul", kExact, "T.if_then_else(p, c0, c1) * c2",
     "T.if_then_else(p, c0 * c2, c1 * c2)"},
    {"if-constants-sub", kInts, "T.if_then_else(p, c0, c1) - c2", "T.if_then_else(p, c0 - c2, c1 - c2)"},
    {"if-constants-sub-from", kInts, "c2 - T.if_then_else(p, c0, c1)",
     "T.if_then_else(p, c2 - c0, c2 - c1)"},
    {"if-constants-floordiv", kExact, "T.if_then_else(p, c0, c1) // c2",
     "T.if_then_else(p, c0 // c2, c1 // c2)", "c2 > 0"},
    {"if-constants-floormod", kExact, "T.if_then_else(p, c0, c1) % c2",
     "T.if_then_else(p, c0 % c2, c1 % c2)", "c2 > 0"},
    {"if-constants-min", kInts, "T.min(T.if_then_else(p, c0, c1), c2)",
     "T.if_then_else(p, T.min(c0, c2), T.min(c1, c2))"},
    {"if-constants-max", kInts, "T.max(T.if_then_else(p, c0, c1), c2)",
     "T.if_then_else(p, T.max(c0, c2), T.max(c1, c2))"},
    {"if-constants-lt", kInts, "T.if_then_else(p, c0, c1) < c2",
     "T.if_then_else(p, c0 < c2, c1 < c2)"},
    {"if-constants-le", kInts, "T.if_then_else(p, c0, c1) <= c2",
     "T.if_then_else(p, c0 <= c2, c1 <= c2)"},
    {"if-constants-eq", kInts, "T.if_then_else(p, c0, c1) == c2",
     "T.if_then_else(p, c0 == c2, c1 == c2)"},
    {"if-constants-ne", kInts, "T.if_then_else(p, c0, c1) != c2",
     "T.if_then_else(p, c0 != c2, c1 != c2)"},
    {"if-constants-gt", kInts, "c2 < T.if_then_else(p, c0, c1)",
     "T.if_then_else(p, c2 < c0, c2 < c1)"},
    {"if-constants-ge", kInts, "c2 <= T.if_then_else(p, c0, c1)",
     "T.if_then_else(p, c2 <= c0, c2 <= c1)"},

    {"if-neg", kNumbers, "T.if_then_else(p, -x, -y)", "-T.if_then_else(p, x, y)"},
    {"if-common-subtrahend", kInts, "T.if_then_else(p, x - z, y - z)", "T.if_then_else(p, x, y) - z"},
    {"if-common-minuend", kInts, "T.if_then_else(p, z - x, z - y)", "z - T.if_then_else(p, x, y)"},
    {"if-common-min", kInts, "T.if_then_else(p, T.min(x, z), T.min(y, z))",
     "T.min(T.if_then_else(p, x, y), z)"},
    {"if-common-max", kInts, "T.if_then_else(p, T.max(x, z), T.max(y, z))",
     "T.max(T.if_then_else(p, x, y), z)"},
    {"if-widened", kInts, "T.if_then_else(p, T.Cast('WIDE', x), T.Cast('WIDE', y))",
     "T.Cast('WIDE', T.if_then_else(p, x, y))"},


    {"if-min-if", kInts, "T.min(T.if_then_else(p, x, y), T.if_then_else(p, z, w))",
     "T.if_then_else(p, T.min(x, z), T.min(y, w))"},
    {"if-max-if", kInts, "T.max(T.if_then_else(p, x, y), T.if_then_else(p, z, w))",
     "T.if_then_else(p, T.max(x, z), T.max(y, w))"},
    {"if-is-implies", kBoolean, "T.if_then_else(p, q, True)", "(not p) or q"},
    {"if-is-and-not", kBoolean, "T.if_then_else(p, False, q)", "(not p) and q"},
    {"if-and-else-same", kAll, "T.if_then_else(p, T.if_then_else(q, x, y), x)",
     "T.if_then_else(p and (not q), y, x)"},

    {"select-min-select", kInts, "T.min(T.Select(p, x, y), T.Select(p, z, w))",
     "T.Select(p, T.min(x, z), T.min(y, w))", "",
     "in_range(x); in_range(y); in_range(z); in_range(w)", "the right side observes all arms"},
    {"select-max-select", kInts, "T.max(T.Select(p, x, y), T.Select(p, z, w))",
     "T.Select(p, T.max(x, z), T.max(y, w))", "",
     "in_range(x); in_range(y); in_range(z); in_range(w)"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> distribution() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
