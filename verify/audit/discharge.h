// Re-discharging obligations, in parallel: the certificate of each one that differs is checked, and
// where there is none, each solver is asked, as a program (analysis/smt/solvers.h). A solver that
// is not installed answers nothing: Unknown.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/obligation.h"
#include "analysis/prover/verdict.h"

namespace proviso::verify {

struct DischargeOptions {
    bool use_certificates = true;
    bool ask_certified = false;  // ask the solvers also where a certificate is accepted
    bool use_z3 = true;
    bool use_cvc5 = true;
    bool check_facts = true;           // ask whether the facts of each claim can hold (facts.h)
    std::uint64_t rlimit = 4'000'000;  // Z3 resource units a query
    std::uint64_t cvc5_rlimit = 800'000;
    int wall_limit_s = 60;  // a solver that exceeds its budget is stopped then
    int memory_mib = 1024;  // a larger question, by an estimate, is not given to Z3
    unsigned jobs = 0;      // threads; 0: one a core
    bool measure = false;   // how long each obligation takes: another report each time
};

enum class Facts : std::uint8_t {
    Satisfiable,
    Contradictory,    // the claim is vacuous
    Unknown,          // not decided within the budget
    ByContradiction,  // the claim is that the facts contradict each other
    NotAsked,
};
struct CertificateAnswer {
    bool asked = false;  // there is one
    bool accepted = false;
    std::string why;        // rejected
    std::size_t steps = 0;  // accepted
};

struct SolverAnswer {
    bool asked = false;
    analysis::Verdict verdict = analysis::Verdict::Unknown;
    std::string why;  // Unknown: the reason; Refuted: values
};

struct ObligationCheck {
    std::string id;
    analysis::Purpose purpose;  // of its first use
    std::size_t first = 0;      // number of the obligation
    std::size_t uses = 0;
    CertificateAnswer certificate;
    SolverAnswer z3;
    SolverAnswer cvc5;
    Facts facts = Facts::NotAsked;
    std::optional<std::int64_t> microseconds = {};  // of all that, where it is measured

    // PROVED when a certificate or a solver proved it and none refuted it; REFUTED when one refuted
    // it and none proved it; UNKNOWN otherwise.
    analysis::Verdict verdict() const;
    bool disagree() const;
    // 3: a certificate proved it; 2: two solvers did; 1: one did; 0: nothing.
    int grade() const;
};

// One entry an id, in order of first use. `certificates`: by the hex of the id; nothing is believed
// of them.
std::vector<ObligationCheck> discharge(ir::Context& ctx,
                                       const std::vector<analysis::Obligation>& obligations,
                                       const DischargeOptions& options,
                                       const std::map<std::string, std::string>& certificates = {});

}  // namespace proviso::verify
