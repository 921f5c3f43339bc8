// The derivation again, from the source program and the steps' rules, sites and arguments alone.
// Programs and obligations are built by the rules; what the log says of them is only compared.
#pragma once

#include <optional>
#include <vector>

#include "rewrite/kernel/step.h"
#include "verify/audit/bundle.h"
#include "verify/log/record.h"

namespace proviso::verify {

struct Rederived {
    ir::Function source;
    std::vector<rewrite::Step> steps;  // obligations re-derived; `by` as the log claims
    Record record;                     // what the log should have been
    const ir::Function& final() const { return record.final; }
};

// Walks the steps of a whole bundle. What does not match is appended to `bundle.problems`; the
// first step that cannot be followed ends the walk, and nothing is given.
std::optional<Rederived> rederive(ir::Context& ctx, Bundle& bundle);

}  // namespace proviso::verify
