// What the checks of the two theorems could get wrong (docs/refinement.md), obligation by
// obligation: for each fault a proposal that is wrong, that a sound build refuses, and that a build
// with the fault accepts. No rule would propose it; untrusted code may.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/purpose.h"
#include "rewrite/derived/proposal_text.h"

namespace proviso::fuzz {

using rewrite::PartialsText;
using rewrite::PartialText;
using rewrite::PartText;
using rewrite::ProposalReader;
using rewrite::ProposalText;
using rewrite::RelayoutText;
using rewrite::StagingText;

struct StagingOf {
    std::string before;  // the body of a function
    StagingText text;
};
struct RelayoutOf {
    std::string before;
    RelayoutText text;
};

struct PartialsOf {
    std::string before;
    PartialsText text;
};

using ProposalOf = std::variant<ProposalText, StagingOf, RelayoutOf, PartialsOf>;

struct TheoremFault {
    const char* obligation;  // "THEOREM: WORDS", as in docs/refinement.md
    // `planted` in the code; or "omit:WORDS", the obligation is not stated; or "omit:WORDS, part
    // K", what it asks for lacks its K-th conjunct.
    std::string id;
    const char* what;
    ProposalOf wrong;
    bool runs = true;                      // some run shows that it is wrong
    std::vector<std::string> ghosts = {};  // names that are in no scope
};

// All of them, by obligation, in a fixed order. Ids are unique.
const std::vector<TheoremFault>& theorem_faults();

// The parts, one file each.
const std::vector<TheoremFault>& control_faults();
const std::vector<TheoremFault>& correspondence_faults();
const std::vector<TheoremFault>& staging_faults();
const std::vector<TheoremFault>& partials_faults();
const std::vector<TheoremFault>& tuples_faults();
const std::vector<TheoremFault>& layout_faults();

// A proposal about a function with this head.
struct HostileProposal {
    std::string head;
    ProposalOf wrong;
    std::vector<std::string> ghosts;
};
HostileProposal hostile_proposal(const TheoremFault& fault);

// What becomes of a proposal in the build as it is.
struct Examined {
    std::string no_match;                 // why nothing is asked
    std::vector<analysis::Purpose> open;  // what is not proved
    bool compared = false;                // some run of the source had no fault
    std::optional<std::string> seen;      // what a run sees that the source does not allow
    bool accepted() const { return no_match.empty() && open.empty(); }
};
struct Examination {
    int runs = 40;
    bool run_refused = false;      // runs also where something is open
    std::uint64_t step_limit = 0;  // of a run; 0: the usual one
    // Changes a rescheduling of the statement at the site before it is tried.
    std::function<void(ir::Context&, const ir::Function&, const ir::Site&, rewrite::Rescheduling&)>
        change = {};
};
// An error: the texts are no proposal.
Result<Examined> examine(const HostileProposal& proposal, const Examination& how);

// Of the proposal of a fault, runs where it is accepted.
struct TheoremOutcome {
    std::string refusal;              // empty: it is accepted
    std::optional<std::string> seen;  // then: what a run sees that the source does not allow
};
TheoremOutcome try_proposal(const TheoremFault& fault);

}  // namespace proviso::fuzz
