// Logic over comparisons: negations, contradictions, tautologies, intervals. What holds on floats
// is said so: NaN is neither below, nor above, nor equal.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"not-lt", kInts, "not (x < y)", "y <= x"},
    {"not-le", kInts, "not (x <= y)", "y < x"},
    {"not-eq", kAll, "not (x == y)", "x != y", "", "", "on floats too: NaN != NaN"},
    {"not-ne", kAll, "not (x != y)", "x == y"},

    {"lt-and-gt", kNumbers, "x < y and y < x", "False"},
    {"lt-and-ge", kNumbers, "x < y and y <= x", "False"},
    {"le-and-gt", kNumbers, "x <= y and y < x", "False"},
    {"le-and-ge", kNumbers, "x <= y and y <= x", "x == y"},
    {"lt-and-eq", kNumbers, "x < y and x == y", "False"},
    {"eq-and-lt", kNumbers, "x == y and x < y", "False"},
    {"le-and-eq", kNumbers, "x <= y and x == y", "x == y"},
    {"eq-and-le", kNumbers, "x == y and x <= y", "x == y"},
    {"le-and-ne", kNumbers, "x <= y and x != y", "x < y"},
    {"ne-and-le", kNumbers, "x != y and x <= y", "x < y"},
    {"lt-and-le", kNumbers, "x < y and x <= y", "x < y"},
    {"le-and-lt", kNumbers, "x <= y and x < y", "x < y"},
    {"lt-and-ne", kNumbers, "x < y and x != y", "x < y"},
    {"ne-and-lt", kNumbers, "x != y and x < y", "x < y"},
    {"eq-and-ne", kAll, "x == y and x != y", "False"},
    {"ne-and-eq", kAll, "x != y and x == y", "False"},

    {"lt-or-ge", kInts, "x < y or y <= x", "True"},
    {"le-or-gt", kInts, "x <= y or y < x", "True"},
    {"le-or-ge", kInts, "x <= y or y <= x", "True"},
    {"lt-or-gt", kInts, "x < y or y < x", "x != y"},
    {"lt-or-eq", kNumbers, "x < y or x == y", "x <= y"},
    {"eq-or-lt", kNumbers, "x == y or x < y", "x <= y"},
    {"lt-or-le", kNumbers, "x < y or x <= y", "x <= y"},
    {"le-or-lt", kNumbers, "x <= y or x < y", "x <= y"},
    {"le-or-eq", kNumbers, "x <= y or x == y", "x <= y"},
    {"lt-or-ne", kInts, "x < y or x != y", "x != y"},
    {"eq-or-ne", kAll, "x == y or x != y", "True"},
    {"ne-or-eq", kAll, "x != y or x == y", "True"},

    {"lt-and-lt-constants", kInts, "x < c0 and x < c1", "x < T.min(c0, c1)"},
    {"le-and-le-constants", kInts, "x <= c0 and x <= c1", "x <= T.min(c0, c1)"},
    {"gt-and-gt-constants", kInts, "c0 < x and c1 < x", "T.max(c0, c1) < x"},
    {"ge-and-ge-constants", kInts, "c0 <= x and c1 <= x", "T.max(c0, c1) <= x"},
    {"lt-or-lt-constants", kInts, "x < c0 or x < c1", "x < T.max(c0, c1)"},
    {"le-or-le-constants", kInts, "x <= c0 or x <= c1", "x <= T.max(c0, c1)"},
    {"gt-or-gt-constants", kInts, "c0 < x or c1 < x", "T.min(c0, c1) < x"},
    {"ge-or-ge-constants", kInts, "c0 <= x or c1 <= x", "T.min(c0, c1) <= x"},

    {"lt-and-gt-empty", kInts, "x < c0 and c1 < x", "False", "c0 <= c1"},
    {"gt-and-lt-empty", kInts, "c1 < x and x < c0", "False", "c0 <= c1"},
    {"lt-and-ge-empty", kInts, "x < c0 and c1 <= x", "False", "c0 <= c1"},
    {"ge-and-lt-empty", kInts, "c1 <= x and x < c0", "False", "c0 <= c1"},
    {"le-and-ge-empty", kInts, "x <= c0 and c1 <= x", "False", "c0 < c1"},
    {"ge-and-le-empty", kInts, "c1 <= x and x <= c0", "False", "c0 < c1"},
    {"lt-or-ge-full", kInts, "x < c0 or c1 <= x", "True", "c1 <= c0"},
    {"ge-or-lt-full", kInts, "c1 <= x or x < c0", "True", "c1 <= c0"},
    {"eq-and-eq-constants", kInts, "x == c0 and x == c1", "False", "c0 != c1"},
    {"ne-or-ne-constants", kInts, "x != c0 or x != c1", "True", "c0 != c1"},
    {"eq-and-lt-constant", kInts, "x == c0 and x < c1", "x == c0", "c0 < c1"},
    {"eq-and-lt-constant-not", kInts, "x == c0 and x < c1", "False", "c1 <= c0"},
    {"lt-and-ne-constant", kInts, "x < c0 and x != c1", "x < c0", "c0 <= c1"},
    {"lt-or-eq-constant", kInts, "x < c0 or x == c1", "x < c0", "c1 < c0"},
    {"ne-and-lt-constant", kInts, "x != c1 and x < c0", "x < c0", "c0 <= c1"},
    {"lt-and-ne-last", kInts, "x < c0 and x != c1", "x < c1", "c1 < c0 and c0 - c1 == 1"},
    {"gt-and-ne-first", kInts, "c0 < x and x != c1", "c1 < x", "c0 < c1 and c1 - c0 == 1"},
    {"ne-and-lt-last", kInts, "x != c1 and x < c0", "x < c1", "c1 < c0 and c0 - c1 == 1"},
    {"ne-and-gt-first", kInts, "x != c1 and c0 < x", "c1 < x", "c0 < c1 and c1 - c0 == 1"},
    {"le-and-ne-last", kInts, "x <= c0 and x != c1", "x < c0", "c0 == c1"},
    {"ge-and-ne-first", kInts, "c0 <= x and x != c1", "c0 < x", "c0 == c1"},
    {"gt-and-ne-constant", kInts, "c0 < x and x != c1", "c0 < x", "c1 <= c0"},
    {"eq-and-gt-constant", kInts, "x == c0 and c1 < x", "x == c0", "c1 < c0"},
    {"eq-and-gt-constant-not", kInts, "x == c0 and c1 < x", "False", "c0 <= c1"},
    {"lt-and-eq-constant", kInts, "x < c1 and x == c0", "x == c0", "c0 < c1"},
    {"lt-and-eq-constant-not", kInts, "x < c1 and x == c0", "False", "c1 <= c0"},
    {"gt-and-eq-constant", kInts, "c1 < x and x == c0", "x == c0", "c1 < c0"},
    {"gt-and-eq-constant-not", kInts, "c1 < x and x == c0", "False", "c0 <= c1"},
    {"eq-and-ne-constant", kInts, "x == c0 and x != c1", "x == c0", "c0 != c1"},
    {"ne-and-eq-constant", kInts, "x != c1 and x == c0", "x == c0", "c0 != c1"},
    {"eq-or-ne-constant", kInts, "x == c0 or x != c1", "x != c1", "c0 != c1"},
    {"ne-or-lt-constant", kInts, "x != c0 or x < c1", "True", "c0 < c1"},
    {"ne-or-gt-constant", kInts, "x != c0 or c1 < x", "True", "c1 < c0"},
    {"gt-or-eq-constant", kInts, "c0 < x or x == c1", "c0 < x", "c0 < c1"},
    {"lt-or-eq-last", kInts, "x < c0 or x == c1", "x <= c0", "c0 == c1"},
    {"gt-or-eq-first", kInts, "c0 < x or x == c1", "c0 <= x", "c0 == c1"},
    {"lt-or-gt-full", kInts, "x < c0 or c1 < x", "True", "c1 < c0"},
    {"lt-or-gt-all-but-one", kInts, "x < c0 or c1 < x", "x != c0", "c0 == c1"},
    {"between-one", kInts, "c0 <= x and x <= c1", "x == c0", "c0 == c1"},
    {"between-one-half-open", kInts, "c0 <= x and x < c1", "x == c0", "c0 < c1 and c1 - c0 == 1"},
    {"between-one-open", kInts, "c0 < x and x < c1", "x == c0 + 1",
     "c0 < c1 and c1 - 1 > c0 and c1 - 1 - c0 == 1"},
    {"between-one-open-swapped", kInts, "x < c1 and c0 < x", "x == c0 + 1",
     "c0 < c1 and c1 - 1 > c0 and c1 - 1 - c0 == 1"},
    {"between-one-half-open-swapped", kInts, "x < c1 and c0 <= x", "x == c0",
     "c0 < c1 and c1 - c0 == 1"},
    {"between-one-last", kInts, "c0 < x and x <= c1", "x == c1", "c0 < c1 and c1 - c0 == 1"},
    {"between-one-last-swapped", kInts, "x <= c1 and c0 < x", "x == c1",
     "c0 < c1 and c1 - c0 == 1"},
    {"all-but-one-swapped", kInts, "c1 < x or x < c0", "x != c0", "c0 == c1"},
    {"all-but-one-half-open", kInts, "x < c0 or c1 <= x", "x != c0", "c0 < c1 and c1 - c0 == 1"},
    {"all-but-one-half-open-swapped", kInts, "c1 <= x or x < c0", "x != c0",
     "c0 < c1 and c1 - c0 == 1"},
    {"le-or-eq-next", kInts, "x <= c0 or x == c1", "x <= c1", "c0 < c1 and c1 - c0 == 1"},
    {"ge-or-eq-previous", kInts, "c0 <= x or x == c1", "c1 <= x", "c1 < c0 and c0 - c1 == 1"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> logic_compare() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
