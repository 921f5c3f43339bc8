// A rule: a pure function from a program, a site and arguments to the rewritten program and the
// obligations that make the rewrite right. Rules search for nothing: whatever needs guessing comes
// in as an argument (a witness, a claim).
//
// Everything in rewrite/kernel and rewrite/rules is trusted. What a rule's obligations must cover
// is defined in docs/semantics.md, "When a rewrite is right".
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/obligation.h"
#include "ir/result.h"
#include "ir/site.h"

namespace proviso::rewrite {

struct Proposal {
    ir::Function after;
    std::vector<analysis::Obligation> obligations;
    std::vector<std::string> licences;  // licences of the function that the step makes use of
};

class Rule {
  public:
    virtual ~Rule() = default;
    virtual std::string name() const = 0;
    virtual std::string summary() const = 0;  // one line, for people
    // Raised with each change of what the rule takes, gives or owes: a proof log names it, and an
    // audit takes no step of another version.
    virtual int version() const { return 1; }
    // A Diagnostic means: the rule does not match here, or the arguments are not well-formed.
    virtual Result<Proposal> propose(ir::Context& ctx, const ir::Function& before,
                                     const ir::Site& site, const nlohmann::json& args) const = 0;
};

// All rules, in a fixed order; null when there is none of that name.
const std::vector<const Rule*>& all_rules();
const Rule* find_rule(const std::string& name);

}  // namespace proviso::rewrite
