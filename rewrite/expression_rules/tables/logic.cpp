// Logic. `and` and `or` evaluate their right side only where the left one does not decide, so a
// rule may drop an evaluation but never add one: the order of p, q and r below matters.
#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite::tables {

namespace {

// name, kinds, left, right, where, needs, note
// clang-format off
constexpr ExpressionRule kRules[] = {
    {"not-not", kBoolean, "not (not p)", "p"},
    {"true-and", kBoolean, "True and p", "p"},
    {"and-true", kBoolean, "p and True", "p"},
    {"false-and", kBoolean, "False and p", "False"},
    {"and-false", kBoolean, "p and False", "False", "", "", "a fault of p may go"},
    {"true-or", kBoolean, "True or p", "True"},
    {"or-true", kBoolean, "p or True", "True"},
    {"false-or", kBoolean, "False or p", "p"},
    {"or-false", kBoolean, "p or False", "p"},

    {"and-self", kBoolean, "p and p", "p"},
    {"or-self", kBoolean, "p or p", "p"},
    {"and-not", kBoolean, "p and (not p)", "False"},
    {"not-and", kBoolean, "(not p) and p", "False"},
    {"or-not", kBoolean, "p or (not p)", "True"},
    {"not-or", kBoolean, "(not p) or p", "True"},

    {"and-absorbs-or", kBoolean, "p and (p or q)", "p"},
    {"or-absorbs-and", kBoolean, "p or (p and q)", "p"},
    {"or-and-first", kBoolean, "(p or q) and p", "p"},
    {"and-or-first", kBoolean, "(p and q) or p", "p"},
    {"and-or-second", kBoolean, "(q and p) or p", "p", "", "",
     "p is evaluated either way, unless q and p hold"},
    {"and-repeated", kBoolean, "p and (p and q)", "p and q"},
    {"and-repeated-later", kBoolean, "p and (q and p)", "p and q"},
    {"and-repeated-last", kBoolean, "(p and q) and p", "p and q"},
    {"and-repeated-same", kBoolean, "(p and q) and q", "p and q"},
    {"or-repeated", kBoolean, "p or (p or q)", "p or q"},
    {"or-repeated-later", kBoolean, "p or (q or p)", "p or q"},
    {"or-repeated-last", kBoolean, "(p or q) or p", "p or q"},
    {"or-repeated-same", kBoolean, "(p or q) or q", "p or q"},
    {"and-or-not", kBoolean, "p and ((not p) or q)", "p and q"},
    {"or-and-not", kBoolean, "p or ((not p) and q)", "p or q"},
    {"not-and-or", kBoolean, "(not p) and (p or q)", "(not p) and q"},
    {"not-or-and", kBoolean, "(not p) or (p and q)", "(not p) or q"},

    {"or-common-first", kBoolean, "(p and q) or (p and r)", "p and (q or r)"},
    {"and-common-first", kBoolean, "(p or q) and (p or r)", "p or (q and r)"},
    {"or-common-last", kBoolean, "(q and p) or (r and p)", "(q or r) and p"},
    {"and-common-last", kBoolean, "(q or p) and (r or p)", "(q and r) or p"},

    {"not-of-and", kBoolean, "not (p and q)", "(not p) or (not q)"},
    {"not-of-or", kBoolean, "not (p or q)", "(not p) and (not q)"},

    {"and-absorbs-or-later", kBoolean, "p and (q or p)", "p"},
    {"or-absorbs-and-later", kBoolean, "p or (q and p)", "p"},
    {"or-and-second", kBoolean, "(q or p) and p", "p", "", "",
     "p is evaluated either way, unless q or p holds without it"},
    {"or-not-and-second", kBoolean, "((not p) or q) and p", "p and q"},
    {"and-not-or-second", kBoolean, "((not p) and q) or p", "p or q"},
    {"and-or-complement", kBoolean, "(p and q) or ((not p) and q)", "q"},
    {"or-and-complement", kBoolean, "(p or q) and ((not p) or q)", "q"},
    {"and-or-complement-last", kBoolean, "(p and q) or (p and (not q))", "p"},
    {"or-and-complement-last", kBoolean, "(p or q) and (p or (not q))", "p"},
    {"both-or-neither", kBoolean, "(p and q) or ((not p) and (not q))", "p == q"},
    {"one-but-not-both", kBoolean, "(p or q) and ((not p) or (not q))", "p != q"},
    {"one-or-the-other", kBoolean, "(p and (not q)) or ((not p) and q)", "p != q"},
    {"and-eq", kBoolean, "p and p == q", "p and q"},
    {"and-ne", kBoolean, "p and p != q", "p and (not q)"},
    {"or-eq", kBoolean, "p or p == q", "p or (not q)"},
    {"or-ne", kBoolean, "p or p != q", "p or q"},
    {"eq-of-eq", kBoolean, "(p == q) == q", "p"},
    {"ne-of-ne", kBoolean, "(p != q) != q", "p"},
    {"eq-of-ne", kBoolean, "(p != q) == q", "not p"},
    {"not-eq-not", kBoolean, "(not p) == q", "p != q"},
    {"not-ne-not", kBoolean, "(not p) != q", "p == q"},

    {"eq-true", kBoolean, "p == True", "p"},
    {"eq-false", kBoolean, "p == False", "not p"},
    {"ne-true", kBoolean, "p != True", "not p"},
    {"ne-false", kBoolean, "p != False", "p"},
    {"eq-not-self", kBoolean, "p == (not p)", "False"},
    {"ne-not-self", kBoolean, "p != (not p)", "True"},
    {"eq-nots", kBoolean, "(not p) == (not q)", "p == q"},
    {"ne-nots", kBoolean, "(not p) != (not q)", "p != q"},
};
// clang-format on

}  // namespace

std::span<const ExpressionRule> logic() {
    return kRules;
}

}  // namespace proviso::rewrite::tables
