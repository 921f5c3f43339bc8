// Floats under licences that a function grants (docs/semantics.md). Each names its licence, and is
// proved for what the licence says: under no_signed_zero, that the sides agree but for the sign of
// a zero; under reassociate, that both are sums of the same terms. Where it matters that a value is
// finite, that is among the `needs`: the licence finite(A) makes it a fact about loads from A.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note, lemmas, licences
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"nsz-add-zero", kFloats, "x + 0.0", "x", "", "", "", "", "no_signed_zero"},
    {"nsz-sub-minus-zero", kFloats, "x - -0.0", "x", "", "", "", "", "no_signed_zero"},
    {"nsz-zero-sub", kFloats, "0.0 - x", "-x", "", "", "", "", "no_signed_zero"},
    {"nsz-neg-sub", kFloats, "-(x - y)", "y - x", "", "", "", "", "no_signed_zero"},
    {"nsz-neg-sub-negs", kFloats, "(-x) - y", "-(x + y)", "", "", "", "", "no_signed_zero"},
    {"nsz-mul-zero-finite", kFloats, "x * 0.0", "0.0", "", "T.abs(x) < T.KIND('inf')", "", "",
     "no_signed_zero"},
    {"nsz-zero-div", kFloats, "0.0 / x", "0.0", "", "x != 0.0; x <= T.KIND('inf')", "", "",
     "no_signed_zero"},
    {"nsz-select-eq", kFloats, "T.Select(x == y, x, y)", "y", "", "", "", "", "no_signed_zero"},
    {"nsz-select-abs", kFloats, "T.Select(x < 0.0, -x, x)", "T.abs(x)", "", "", "", "",
     "no_signed_zero"},
    {"nsz-relu-of-abs", kFloats, "T.max(0.0, T.abs(x))", "T.abs(x)", "", "x <= T.KIND('inf')", "", "",
     "no_signed_zero"},
    {"nsz-max-opposite", kFloats, "T.max(x, -x)", "T.abs(x)", "", "", "", "", "no_signed_zero"},
    {"nsz-min-opposite", kFloats, "T.min(x, -x)", "-T.abs(x)", "", "", "", "", "no_signed_zero"},
    {"reassociate-add-constants", kFloats, "(x + c0) + c1", "x + (c0 + c1)", "", "", "", "",
     "reassociate"},
    {"reassociate-sub-add-constants", kFloats, "(x - c0) + c1", "x + (c1 - c0)", "", "", "", "",
     "reassociate"},
    {"reassociate-add-sub-constants", kFloats, "(x + c0) - c1", "x + (c0 - c1)", "", "", "", "",
     "reassociate"},
    {"reassociate-sub-sub-constants", kFloats, "(x - c0) - c1", "x - (c0 + c1)", "", "", "", "",
     "reassociate"},
    {"reassociate-constants-of-sums", kFloats, "(x + c0) + (y + c1)", "(x + y) + (c0 + c1)", "", "",
     "", "", "reassociate"},
    {"reassociate-constant-sub-sum", kFloats, "c0 - (x + c1)", "(c0 - c1) - x", "", "", "", "",
     "reassociate"},
    {"reassociate-constant-sub-difference", kFloats, "c0 - (x - c1)", "(c0 + c1) - x", "", "", "", "",
     "reassociate"},
    {"reassociate-constant-sub-from", kFloats, "c0 - (c1 - x)", "x + (c0 - c1)", "", "", "", "",
     "reassociate"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> float_licensed() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
