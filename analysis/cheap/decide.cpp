#include "analysis/cheap/decide.h"

#include <algorithm>

namespace proviso::analysis::cheap {

std::optional<std::string> decide(ir::Context& ctx, const Obligation& obligation) {
    (void)ctx;
    const auto& facts = obligation.facts;
    if (ir::is_true(obligation.goal)) return "syntax";
    if (std::find(facts.begin(), facts.end(), obligation.goal) != facts.end()) return "syntax";
    return std::nullopt;
}

}  // namespace proviso::analysis::cheap
