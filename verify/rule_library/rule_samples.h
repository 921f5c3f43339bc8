// A rule on concrete values: both sides evaluated on samples of what its variables may stand for.
// The evaluator is the program semantics, independent of schema, encoder and solvers. It cannot
// show that a rule is right; that one is wrong it shows in microseconds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/domains/evaluate.h"
#include "rewrite/expression_rules/pattern_build.h"

namespace proviso::verify {

// What each variable of the left side gives: a value, indet, or a fault (a term that faults).
struct RuleSample {
    std::array<ir::Evaluated, rewrite::kSlots> terms;
};

// What the two sides give on a sample that meets `where` and `needs`.
struct SidesOnSample {
    ir::Evaluated left;
    ir::Evaluated right;
    bool refines = true;  // where the left side does not fault, the right side refines it
};

class RuleSampler {
  public:
    // A function of the rule and the seed.
    RuleSampler(const rewrite::RuleInstance& rule, std::uint64_t seed);

    RuleSample next();
    // None where the rule does not apply: `where` or `needs` do not hold, or a constant that it
    // computes does not exist. `needs` count as holding only where they are definite.
    std::optional<SidesOnSample> look(const RuleSample& sample) const;
    // "x = 7, c0 = 4", in the order of the left side.
    std::string str(const RuleSample& sample) const;
    // The left side's variables.
    const std::vector<ir::Expr>& variables() const { return variables_; }
    // A value for people: a number, "indet", or "a fault (zero divisor)".
    std::string in_words(const ir::Evaluated& e) const;

  private:
    ir::Value value(ir::ScalarType type, bool constant);
    void meet_conditions(RuleSample& sample);
    bool refines(const SidesOnSample& s) const;

    const rewrite::RuleInstance& rule_;
    std::vector<ir::Expr> variables_;
    std::vector<ir::Expr> computed_;   // constant parts of the right side and of `needs`
    std::vector<ir::Expr> where_;      // the parts of `where`
    bool up_to_zeros_ = false;         // licence no_signed_zero
    std::vector<ir::Integer> needed_;  // numbers in `needs`: what is off by one shows near them
    std::vector<ir::Integer>
        drawn_;  // those, and of the sample in the making: others are near them
    ir::Chooser random_;
};

// The first of at most `tries` samples on which the rule is wrong. None for rules under the licence
// `reassociate`, whose sides differ in rounding.
std::optional<RuleSample> find_wrong_sample(RuleSampler& sampler, const rewrite::RuleInstance& rule,
                                            int tries);

}  // namespace proviso::verify
