// Where `proviso lower` writes: over nothing that it reads or has written, and into no proof log.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/commands.h"
#include "verify/sign/keys.h"

namespace proviso::tools {

// Before any work: whether everything may go where the options say. The key to sign the log with,
// where one is asked for.
Result<std::optional<verify::PrivateKey>> prepare_outputs(const LowerOptions& options);

// Before the report is written: it is none of these files, which have their hashes.
Status keeps_what_is_written(const LowerOptions& options,
                             const std::vector<std::pair<std::string, std::string>>& written);

}  // namespace proviso::tools
