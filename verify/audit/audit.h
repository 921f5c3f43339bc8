// The audit of a proof log: everything again, by other means. The log is read strictly; programs
// and obligations are re-derived by the rules from the source; every obligation is re-discharged;
// the statement is re-made and compared; and what has been shown is said as a theorem.
//
// What an audit trusts: the rules and the semantics (rewrite/rules, rewrite/kernel, ir/), how
// analysis/ states and encodes obligations, one of the solvers (grade E1), their agreement (E2), or
// the certificate checker alone (E3).
// Not: schedules, passes, caches, the prover's cheap deciders, or anything that the log says.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "verify/audit/bundle.h"
#include "verify/audit/discharge.h"
#include "verify/audit/findings.h"
#include "verify/log/record.h"
#include "verify/sign/signatures.h"

namespace proviso::verify {

struct AuditOptions {
    // Least grade for each obligation. E1: one solver; E2: both; E3: a certificate. With "+v", each
    // step has to be validated, too.
    std::string policy = "E2";
    DischargeOptions discharge = {};
    bool validate = true;  // translation validation of every step
    TvOptions tv = {};
    // Outputs at hand, file name -> SHA-256 in hex: each must be a subject of the statement.
    std::map<std::string, std::string> artefacts;
    bool strict = false;  // a theorem that may be empty is not enough
    // Weights, where the final program is called in two parts (analysis/parts/two_parts.h).
    std::vector<std::string> prepared = {};
    // Of whom one must have signed the statement; none: signatures are told, and not checked.
    std::vector<PublicKey> trusted_keys = {};
};

// Exit codes of `proviso audit`; when several fit, the one that is listed first.
enum class AuditExit : std::uint8_t {
    Broken = 2,    // malformed, a chain or a derivation that does not hold together
    Failed = 1,    // an obligation or a step refuted, or evidence below the policy
    Unknown = 3,   // an obligation that no solver decided, or a function without inputs (with
                   // `strict`, also where none was found)
    Verified = 0,  // verified at the policy
};

struct AuditReport : Findings {
    std::string folder;  // or file
    std::string policy;
    std::vector<Problem> problems;        // with the file and the line
    std::vector<ObligationCheck> checks;  // one a distinct obligation
    std::vector<CheckedSignature> signatures;
    std::size_t refusals = 0;      // listed in the log; no part of the theorem
    std::string merkle_root;       // over the steps
    std::string statement_digest;  // of run.json
    std::string source_hash;
    std::string final_hash;
    std::string function;
    Duties duties;        // of the caller
    std::string theorem;  // in words; empty unless verified
    bool strict = false;

    AuditExit exit() const;
    int exit_code() const { return static_cast<int>(exit()); }
    std::size_t count(analysis::Verdict v) const;  // distinct obligations
    std::size_t graded(int grade) const;           // PROVED with that grade
    std::size_t vacuous() const;                   // PROVED from contradictory facts
    std::size_t validated() const;                 // steps BOUNDED
    // Numbers of the steps (from 1) that translation validation says nothing of, by the reason.
    std::map<std::string, std::vector<std::size_t>> not_validated() const;

    std::string text(bool verbose = false) const;
    std::string notes(bool verbose) const;  // the end of it
    nlohmann::json json() const;
};

// Never fails otherwise than by the report. The context gets the programs.
AuditReport audit(ir::Context& ctx, const std::string& log, const AuditOptions& options = {});

}  // namespace proviso::verify
