// Mutants: rules with one slip each, made from the library's own rules by the slips that people
// make when they write such rules. Every mutant has to be found wrong, or be proved right: the
// share that is, is how far the checks of rules can be trusted. Nothing here is trusted.
//
// Slips are made in all parts of a rule, at every place where they fit; two slips that give the
// same rule, or the rule itself, count once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rewrite/expression_rules/rule_instance.h"

namespace proviso::verify {

enum class Slip : std::uint8_t {
    GuardDropped,      // `where`, or a part of it
    NeedDropped,       // one of `needs`
    OffByOne,          // a constant, a literal, or the whole right side
    DivisionFlavour,   // floor for truncation, or the other way round
    Strictness,        // < for <=, or the other way round
    OperandsSwapped,   // of an operator that does not commute; the arms of a choice
    OperatorReplaced,  // + for -, min for max, and for or, == for !=, ..
    TermReplaced,      // another variable of the same type; a truth value decided
    SignFlipped,       // a negation more or less, of a number or of a truth value
    EvaluatesMore,     // T.Select for T.if_then_else
};
inline constexpr int kSlips = 10;
const char* slip_name(Slip slip);  // "guard dropped"

struct RuleMutant {
    Slip slip = Slip::OffByOne;
    rewrite::RuleInstance rule;    // `rule.rule` is the rule that it was made from
    std::string text;              // left → right, with its conditions
    bool conditions_only = false;  // the sides are those of the rule
};

// The mutants of a rule for its kind, in a fixed order. Their patterns live in `ctx`, as the
// rule's do.
std::vector<RuleMutant> mutants_of(ir::Context& ctx, const rewrite::RuleInstance& rule);

// The kind that a rule is mutated for: int32 where it claims it, else the first of int8, uint8,
// bool, float32 that it claims, else its first.
ir::ScalarType home_kind(const rewrite::ExpressionRule& rule);

// "left → right  where .. needs ..", from the patterns.
std::string instance_text(const rewrite::RuleInstance& rule);

}  // namespace proviso::verify
