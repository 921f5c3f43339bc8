// Writes the proof log of a derivation, which an auditor can check without the program that made
// it: a folder, or one file. The same derivation gives the same bytes, on any machine with the same
// solvers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "ir/result.h"
#include "rewrite/kernel/derivation.h"
#include "verify/sign/keys.h"

namespace proviso::verify {

struct LogOptions {
    std::string policy = "E2";                     // least grade of evidence that the run is for
    std::string schedule;                          // text of the schedule that was applied, if any
    std::map<std::string, std::string> artefacts;  // further outputs: name -> SHA-256 in hex
    bool solver_versions = true;                   // name the solvers of this machine
    bool certificates = true;                      // look for one for each obligation
    const PrivateKey* key = nullptr;               // signs the statement; null: nobody
};

struct LogSummary {
    std::string statement_digest;  // of run.json: what an auditor is told by another way
    std::string merkle_root;       // over the steps
    std::size_t steps = 0;
    std::size_t refusals = 0;
    std::size_t objects = 0;
    std::vector<std::string> without_certificate;  // obligations: "RULE at SITE: PURPOSE"
};

// Where and how: write_files.h. Fails, too, on an unknown policy.
Result<LogSummary> write_log(const rewrite::Derivation& derivation, const std::string& path,
                             const LogOptions& options = {});

}  // namespace proviso::verify
