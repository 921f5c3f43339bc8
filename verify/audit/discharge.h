// Re-discharging obligations: each one that differs is asked of each solver once, in a fresh
// context or process, in parallel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/prover.h"

namespace proviso::verify {

struct DischargeOptions {
    bool use_z3 = true;
    bool use_cvc5 = true;
    bool check_facts = true;           // ask whether the facts of each claim can hold
    std::uint64_t rlimit = 4'000'000;  // Z3 resource units a query
    std::uint64_t cvc5_rlimit = 800'000;
    int wall_limit_s = 60;  // of a cvc5 process
    unsigned jobs = 0;      // threads; 0: one a core
    std::string cache_dir;  // verdicts kept between audits; empty: none
};

enum class Facts : std::uint8_t {
    Satisfiable,
    Contradictory,    // the claim is vacuous
    Unknown,          // not decided within the budget
    ByContradiction,  // the claim is that the facts contradict each other
    NotAsked,
};
const char* facts_name(Facts f);

struct SolverAnswer {
    bool asked = false;
    analysis::Verdict verdict = analysis::Verdict::Unknown;
    std::string why;  // Unknown: the reason; Refuted: values
};

struct ObligationCheck {
    std::string id;
    std::string purpose;  // of its first use
    std::size_t uses = 0;
    SolverAnswer z3;
    SolverAnswer cvc5;
    Facts facts = Facts::NotAsked;

    // PROVED when a solver proved it and none refuted it; REFUTED when one refuted it and none
    // proved it; UNKNOWN otherwise.
    analysis::Verdict verdict() const;
    bool disagree() const;
    // 2: two solvers proved it; 1: one did; 0: none.
    int grade() const;
};

// One entry an id, in order of first use.
std::vector<ObligationCheck> discharge(ir::Context& ctx,
                                       const std::vector<analysis::Obligation>& obligations,
                                       const DischargeOptions& options);

}  // namespace proviso::verify
