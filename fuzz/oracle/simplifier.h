// The simplifier against the evaluator: what it promises of every expression.
#pragma once

#include <optional>
#include <string>

#include "fuzz/gen/questions.h"
#include "rewrite/expression_rules/rule_book.h"

namespace proviso::fuzz {

struct SimplifierCounts {
    std::uint64_t expressions = 0;
    std::uint64_t changed = 0;
    std::uint64_t smaller = 0;
    std::uint64_t with_facts = 0;
    std::uint64_t exhausted = 0;  // every value of their one 8-bit variable was tried
    std::uint64_t samples = 0;    // on which the expression had a value
    std::uint64_t faults = 0;     // samples on which it had none, and the result may do as it likes
    std::uint64_t nodes_before = 0;
    std::uint64_t nodes_after = 0;

    void add(const SimplifierCounts& other);
};

struct SimplifierFinding {
    std::string kind;    // "value", "fault", "size", "idempotent", "limit"
    std::string detail;  // the question, the result, values
    Question question;   // made smaller
};

// Simplifies the question's expression under its facts, and checks that wherever the facts hold and
// the expression has a value, the result has it too (any, where it is indeterminate); that the
// result has no more nodes; that simplifying it anew, with nothing remembered, changes nothing; and
// that no limit was met. `shrink`: a finding is made smaller before it is given.
std::optional<SimplifierFinding> check_simplifier(
    ir::Context& ctx, const Question& question, std::uint64_t seed, SimplifierCounts& counts,
    bool shrink = true, const rewrite::RuleBook& book = rewrite::RuleBook::standard());

}  // namespace proviso::fuzz
