// `proviso lower --emit adapters`: what is written of conversion code, and the logs of its proofs.
#pragma once

#include <string>
#include <vector>

#include "rewrite/schedule/adapters.h"
#include "verify/sign/keys.h"

namespace proviso::tools {

// The functions as TVMScript, with a comment on what they do.
std::string adapters_text(const std::vector<rewrite::Adapter>& adapters);

// Steps and obligations of the round trips.
std::size_t round_trip_steps(const std::vector<rewrite::Adapter>& adapters);
std::size_t round_trip_obligations(const std::vector<rewrite::Adapter>& adapters);

// The logs of the proofs, beside the program's log: of "log" these are "log.adapters/A/round-trip",
// "log.adapters/A/pack" and "log.adapters/A/unpack"; of "log.tar", "log.adapters/A/pack.tar" and so
// on. `key`: who signs them; may be null.
Status write_adapter_logs(const std::vector<rewrite::Adapter>& adapters, const std::string& log,
                          const verify::PrivateKey* key);

}  // namespace proviso::tools
