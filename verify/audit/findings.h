// What an audit tells beside a theorem: which steps owed what, what translation validation says of
// them, whether there are inputs, of which places a theorem says nothing, and what nobody has
// looked at. None of it makes a theorem; some of it is a reason for none.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verify/audit/discharge.h"
#include "verify/harness/has_input.h"
#include "verify/tv/validate.h"

namespace proviso::verify {

struct AuditOptions;
struct AuditReport;
struct Rederived;

// What the log says and the audit did not look at.
struct NotChecked {
    std::string what;  // "subject f.h", "policy"
    std::string why;
};

// A use of an obligation.
struct AuditedObligation {
    std::string purpose;
    std::size_t check = 0;  // index into AuditReport::checks
};

struct AuditedStep {
    std::string rule;
    std::string site;
    std::vector<AuditedObligation> obligations;
    std::optional<TvResult> validation;
};

struct Findings {
    std::vector<AuditedObligation> brought;  // what the source's layouts owe: "layout of A: ..."
    std::vector<AuditedStep> steps;
    std::vector<Facts> facts;                  // of each check
    std::vector<analysis::Obligation> claims;  // that each check is about, in the program's names
    InputSearch inputs;                        // of the source
    std::vector<NotChecked> not_checked;
    // Assumptions that contradict each other, "A1 and A2", and how many obligations are about
    // places that no run reaches for that reason.
    std::map<std::string, std::size_t> conflicts;
};

// `all`: the obligations that were checked. Steps are validated where the report names no problem.
Findings findings_of(ir::Context& ctx, const Rederived& again, const AuditOptions& options,
                     const std::vector<analysis::Obligation>& all, const AuditReport& report);

// A name from the log, which may hold anything, for a terminal.
std::string printable(const std::string& name);

}  // namespace proviso::verify
