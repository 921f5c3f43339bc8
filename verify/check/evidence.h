// What a derivation rests on: how many of its obligations have a certificate, are proved by both
// solvers, or by one of them alone. An audit asks the same, and is not bound by what is said here.
#pragma once

#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::verify {

struct Evidence {
    std::string policy = "E3";         // the strictest that the log meets: E1, E2 or E3
    std::vector<std::string> by_both;  // obligations without a certificate, "RULE at SITE: PURPOSE"
    std::vector<std::string> by_one;   // and those that one solver alone proves
};

// `options`: budgets of the solvers.
Evidence evidence_of(const rewrite::Derivation& derivation, analysis::ProverOptions options);

}  // namespace proviso::verify
