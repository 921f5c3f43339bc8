// Verdicts of solvers by obligation id: in memory, and in a folder with one small file each. Only
// PROVED and REFUTED are kept; an answer that was not found may be found with another budget.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/prover.h"

namespace proviso::analysis {

struct StoredVerdict {
    Verdict verdict = Verdict::Unknown;
    std::string by;
    std::vector<std::string> values;  // Refuted: SMT-LIB texts in the order of the model query
};

class VerdictStore {
  public:
    // `folder` is made when missing; empty: memory only. Files written by another version of the
    // encoder or with other solver settings are not read.
    explicit VerdictStore(std::string folder);

    std::optional<StoredVerdict> find(const std::string& id);
    void keep(const std::string& id, const StoredVerdict& verdict);

  private:
    std::string path_of(const std::string& id) const;

    std::string folder_;
    std::map<std::string, StoredVerdict> known_;
};

}  // namespace proviso::analysis
