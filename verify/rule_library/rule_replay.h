// Replaying a counterexample of a rule's schema: both sides evaluated on what the model says of
// their variables. The evaluator is the program semantics, so it is independent of the encoder and
// solver.
#pragma once

#include "analysis/prover/prover.h"
#include "ir/domains/evaluate.h"
#include "rewrite/expression_rules/rule_instance.h"

namespace proviso::verify {

struct RuleReplay {
    ir::Evaluation left;
    ir::Evaluation right;
    bool applies = false;  // the conditions hold and computed constants exist
    // The left side does not fault, and the right side faults or is not what refines it.
    bool differs = false;
    std::string left_text;  // a value or a fault, in words
    std::string right_text;
};

// `model` is of the schema that rule_schema made in `ctx`. A variable that it leaves out is 0.
RuleReplay replay_rule(ir::Context& ctx, const rewrite::RuleInstance& rule,
                       const std::vector<analysis::ModelValue>& model);

}  // namespace proviso::verify
