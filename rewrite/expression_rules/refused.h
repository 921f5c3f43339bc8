// Rules that are well known from other compilers, from RFCs or from school, and wrong under these
// semantics. Users come looking for them; each has the reason in words, and `proviso rules
// --refused` shows a counterexample that a solver found and the evaluator replays. They are data as
// the others are, so that the same prover can refuse them, and are never matched.
#pragma once

#include "rewrite/expression_rules/expression_rule.h"

namespace proviso::rewrite {

struct RefusedRule {
    ExpressionRule rule;    // `note` says why it is wrong
    std::string_view kind;  // the type that its counterexample is asked for
    // What would make it right, in words; empty: nothing.
    std::string_view instead = {};
};

const std::vector<RefusedRule>& refused_rules();

}  // namespace proviso::rewrite
