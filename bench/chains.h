// Chains of stages at real sizes: what a lowering takes, primitive by primitive, against its audit;
// and how each primitive grows with the number of stages.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace proviso::bench {

// {"chains": [{"name", "lower_ms", "log_ms", "audit_ms", "audit_per_lowering", "verified",
//              "primitives": {name: ms}}],
//  "growth": [{"primitive", "stages": [..], "ms": [..], "ms_a_call": [..],
//              "exponent" and "exponent_a_call": between the last two}]}.
// Audits use certificates only and validate no step: the buffers are too large for that.
nlohmann::json measure_chains();

// The same as lines of text.
std::string chains_text(const nlohmann::json& measured);

}  // namespace proviso::bench
