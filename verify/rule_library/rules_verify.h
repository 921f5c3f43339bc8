// Proofs of the rule library: the schema of every rule, for every kind that it claims, given to Z3
// and to cvc5; and the refused rules, each refuted with a counterexample that the evaluator
// replays.
//
//   PROVED   both solvers, independently, on the same obligation, and on the laws that it uses
//   REFUTED  a solver has a counterexample: the rule is wrong, which is a defect of the library
//   OPEN     anything else, with the reason; each application of the rule then has to carry its own
//            obligation, with its constants filled in
//
// The report depends on the rules, the solvers and the limits only, not on the number of jobs.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/prover/prover.h"
#include "rewrite/expression_rules/rule_instance.h"

namespace proviso::verify {

struct RulesVerifyOptions {
    unsigned jobs = 1;                 // threads, each with a Context of its own per rule
    std::uint64_t rlimit = 2'000'000;  // Z3 resource units per schema
    std::uint64_t cvc5_rlimit = 400'000;
    int wall_limit_s = 20;  // of a cvc5 process
    std::string cache_dir;  // verdicts by obligation id; empty: none kept
    std::string family;     // only this family; empty: all
    std::string only;       // only rules whose name contains this
    // Called after each instantiation, one call at a time, with how many are done and how many
    // there are.
    std::function<void(std::size_t done, std::size_t all)> progress = {};
};

struct SolverVerdict {
    analysis::Verdict verdict = analysis::Verdict::Unknown;
    std::string why;  // Unknown: why
};

enum class RuleStatus : std::uint8_t { Proved, Open, Refuted };
const char* rule_status_name(RuleStatus status);  // "PROVED", "OPEN", "REFUTED"

using NamedValues = std::vector<std::pair<std::string, std::string>>;
NamedValues named_values(const std::vector<analysis::ModelValue>& model);

struct RuleVerdict {
    std::string rule;
    std::string family;
    std::string kind;
    std::string obligation;  // id
    SolverVerdict z3;
    SolverVerdict cvc5;
    RuleStatus status = RuleStatus::Open;
    std::string reason;  // Open: why
    NamedValues model;   // Refuted
};

struct RefusedVerdict {
    std::string rule;
    std::string kind;
    std::string text;      // left → right
    std::string why;       // in words
    bool refuted = false;  // a solver found a counterexample to the schema
    std::string by;
    bool replayed = false;  // the evaluator found the two sides different on it
    std::string left;       // what the sides give there: a value, or the fault
    std::string right;
    NamedValues model;
};

struct RulesReport {
    std::string table_digest;
    std::string z3_version;
    std::string cvc5_version;
    std::vector<RuleVerdict> rules;
    std::vector<RuleVerdict> laws;  // laws.h, where a rule above uses one; `kind` empty
    std::vector<RefusedVerdict> refused;

    std::size_t count(RuleStatus status) const;
    // "3011 of 3042 instantiations proved".
    std::string figure() const;
    // Nothing refuted in the library, laws proved, everything refuted and replayed in the refused
    // table.
    bool ok() const;
};

RulesReport verify_rules(std::span<const rewrite::ExpressionRule> rules,
                         const RulesVerifyOptions& options);
// One instantiation: its schema, by both solvers within the limits. No cache, no laws.
RuleVerdict verify_instance(const rewrite::RuleInstance& rule, const RulesVerifyOptions& options);
// The id of the instantiation's schema: what its verdict is a verdict on.
std::string schema_id(const rewrite::RuleInstance& rule);
// The refused table.
std::vector<RefusedVerdict> verify_refused(const RulesVerifyOptions& options);
// Both, over the whole library; of one family, its rules only.
RulesReport verify_rule_library(const RulesVerifyOptions& options);

nlohmann::json to_json(const RulesReport& report);
// A table by family, then what is open and refuted, then the refused rules.
std::string to_text(const RulesReport& report);

}  // namespace proviso::verify
