// Solvers' verdicts on rule schemas, kept in one file between runs. The key holds everything that a
// verdict depends on: the obligation's id, the solvers' versions and their limits. An UNKNOWN
// for want of resources is kept too: it is what these solvers say within these limits.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "verify/rules_verify.h"

namespace proviso::verify {

class RuleVerdictCache {
  public:
    // Reads <cache_dir>/rule-verdicts.json where there is one; a file that does not read is
    // ignored.
    RuleVerdictCache(const RulesVerifyOptions& options, const std::string& z3_version,
                     const std::string& cvc5_version);

    // Fills in the solvers' verdicts and the model of `v.obligation`; false when they are not
    // known.
    bool find(RuleVerdict& v);
    void keep(const RuleVerdict& v);
    // Writes the file, in the order of the keys.
    void save();

  private:
    void write();  // under the lock

    struct Entry {
        SolverVerdict z3;
        SolverVerdict cvc5;
        NamedValues model;
    };

    std::string folder_;
    std::string suffix_;  // versions and limits
    std::mutex mutex_;
    std::map<std::string, Entry> entries_;
    std::size_t unsaved_ = 0;
};

}  // namespace proviso::verify
