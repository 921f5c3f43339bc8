// The obligations that a proof log speaks of: those of steps, of the source's layouts, and those
// that failed.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/log/open.h"

namespace proviso::tools {

// Who owes an obligation.
struct ObligationUse {
    std::string who;       // "step 3: split at body/1", "layout of A", "refusal 1: split at body/1"
    std::size_t step = 0;  // its number; 0: none
    std::string purpose;
    std::string verdict;  // in the log: "PROVED by cvc5", "REFUTED"
    std::string kind;
    std::string site;                                        // that it is about; may be empty
    std::string buffer;                                      // the same
    std::vector<std::pair<std::string, std::string>> model;  // values that break it
    const analysis::Obligation* obligation = nullptr;        // derived again; null: of a refusal
};

// By id, "sha256:" + hex.
class LoggedObligations {
  public:
    LoggedObligations(ir::Context& ctx, const verify::Bundle& log, const verify::Rederived& again);

    // The one whose id begins with these digits, of which there are at least four; "sha256:" may
    // stand before them.
    Result<std::string> find(const std::string& beginning) const;
    const std::vector<ObligationUse>& uses(const std::string& id) const { return uses_.at(id); }
    const std::map<std::string, std::vector<ObligationUse>>& all() const { return uses_; }
    // The text of its certificate; "" where the log has none.
    std::string certificate(const std::string& id) const;
    // Its SMT-LIB text, with comments.
    std::string commented(const std::string& id) const;

  private:
    void add_refusals();

    ir::Context& ctx_;
    const verify::Bundle& log_;
    std::vector<analysis::Obligation> layouts_;
    std::map<std::string, std::vector<ObligationUse>> uses_;
};

}  // namespace proviso::tools
