// The mutants of the rule library (rule_mutants.h) and what became of each.
//
//   evaluated   the evaluator found values on which the sides differ
//   solver      the schema was refuted; the counterexample replayed on the evaluator, where it
//   could valid       the mutant is right: its schema is proved, or its conditions imply the rule's
//   UNDECIDED   none of these: a failure of the checks, listed by name
//
// Cheap first: most mutants fall within microseconds.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "verify/rule_library/rule_mutants.h"
#include "verify/rule_library/rules_verify.h"

namespace proviso::verify {

enum class MutantFate : std::uint8_t { Evaluated, Solver, Valid, Undecided };
inline constexpr int kMutantFates = 4;
const char* mutant_fate_name(MutantFate fate);

struct MutantVerdict {
    std::string rule;
    std::string family;
    std::string kind;
    Slip slip = Slip::OffByOne;
    std::string text;
    MutantFate fate = MutantFate::Undecided;
    bool replayed = false;  // Solver: on the evaluator
    std::string how;        // the values and what the sides give; who proved it; why undecided
};

struct MutantOptions {
    unsigned jobs = 1;
    std::string family;  // only this family; empty: all
    std::string rule;    // only this rule; empty: all
    std::function<void(std::size_t done, std::size_t all)> progress = {};  // rules
};

struct MutantReport {
    std::size_t rules = 0;
    std::size_t fewest = 0;              // mutants of the rule that has fewest
    std::vector<MutantVerdict> mutants;  // rule by rule, in the order of the tables

    std::size_t count(MutantFate fate) const;
    bool ok() const { return count(MutantFate::Undecided) == 0; }
};

MutantReport verify_mutants(std::span<const rewrite::ExpressionRule> rules,
                            const MutantOptions& options);

nlohmann::json to_json(const MutantReport& report);
// Tables by slip and by family, then what is undecided.
std::string to_text(const MutantReport& report);
// One line: what became of it, and how.
std::string to_text(const MutantVerdict& verdict);

}  // namespace proviso::verify
