// Verdicts of solvers by obligation id: in memory, and in the proof cache. Only PROVED and REFUTED
// are kept; an answer that was not found may be found with another budget.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/prover/proof_cache.h"
#include "analysis/prover/prover.h"

namespace proviso::analysis {

struct StoredVerdict {
    Verdict verdict = Verdict::Unknown;
    std::string by;
    std::vector<std::string> values;  // Refuted: SMT-LIB texts in the order of the model query
};

class VerdictStore {
  public:
    // `folder` as for ProofCache. `settings` tells what a verdict depends on beside the question,
    // such as versions and limits, and is asked at the first use of the folder; verdicts found
    // under other settings are not seen.
    VerdictStore(std::string folder, std::function<std::string()> settings);

    std::optional<StoredVerdict> find(const std::string& id);
    void keep(const std::string& id, const StoredVerdict& verdict);

  private:
    std::string key_of(const std::string& id);

    ProofCache cache_;
    std::function<std::string()> ask_settings_;
    std::string settings_;
    std::map<std::string, StoredVerdict> known_;
};

}  // namespace proviso::analysis
