// What `proviso lower --share-memory` and `--prepare` make of the lowered program.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"
#include "rewrite/passes/share_memory.h"
#include "tools/commands.h"

namespace proviso::tools {

struct ProgramParts {
    std::optional<rewrite::MemoryPlan> memory;
    struct Prepared {
        std::vector<std::string> weights;  // that `prepare` reads
        std::vector<std::string> packed;   // buffers that it makes
        std::int64_t packed_bytes = 0;     // of what callers lend
        std::int64_t workspace_bytes = 0;
    };
    std::optional<Prepared> prepared;
};

// Takes the steps of a memory plan that leaves packed buffers alone. Fails where the options name
// weights that are none.
Result<ProgramParts> divide_program(rewrite::Proposer& p, const LowerOptions& options);

std::string parts_text(const ProgramParts& parts, const std::string& symbol);
void add_parts(nlohmann::json& out, const ProgramParts& parts);

}  // namespace proviso::tools
