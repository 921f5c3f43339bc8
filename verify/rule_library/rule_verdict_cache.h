// Solvers' verdicts on rule schemas, kept between runs. The key holds everything that a verdict
// depends on: the obligation's id, the solvers' versions and their limits. An UNKNOWN for want of
// resources is kept too: it is what these solvers say within these limits.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "analysis/prover/proof_cache.h"
#include "verify/rule_library/rules_verify.h"

namespace proviso::verify {

class RuleVerdictCache {
  public:
    RuleVerdictCache(const RulesVerifyOptions& options, const std::string& z3_version,
                     const std::string& cvc5_version);

    // Fills in the solvers' verdicts and the model of `v.obligation`; false when they are not
    // known. May be called from several threads.
    bool find(RuleVerdict& v);
    void keep(const RuleVerdict& v);

  private:
    struct Entry {
        SolverVerdict z3;
        SolverVerdict cvc5;
        NamedValues model;
    };

    analysis::ProofCache cache_;
    std::string suffix_;  // versions and limits
    std::mutex mutex_;
    std::map<std::string, Entry> entries_;  // of this run
};

}  // namespace proviso::verify
