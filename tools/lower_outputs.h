// What `proviso lower` writes, and where: over nothing that it reads or has written, and into no
// proof log.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/gpu/module.h"
#include "tools/commands.h"
#include "verify/sign/keys.h"

namespace proviso::tools {

// The GPU that code is asked for; nothing: the CPU. Fails where there is none of that name, where
// an option is not about it, or where something to emit is not of it.
Result<std::optional<backend::gpu::Target>> target_of(const LowerOptions& options);

// Before any work: whether everything may go where the options say. The key to sign the log with,
// where one is asked for.
Result<std::optional<verify::PrivateKey>> prepare_outputs(const LowerOptions& options);

// Before the report is written: it is none of these files, which have their hashes.
Status keeps_what_is_written(const LowerOptions& options,
                             const std::vector<std::pair<std::string, std::string>>& written);

}  // namespace proviso::tools
