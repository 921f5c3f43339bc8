// What is said of a schedule's call that was refused.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "ir/context.h"
#include "rewrite/schedule/reader/reader.h"
#include "tools/support/support.h"

namespace proviso::tools {

struct ToldRefusal {
    Diagnostic diagnostic;  // with what failed, the values, and what would help
    ExitCode code;          // kRefuted, or kUnknown where no run shows it
};
// What is said of `done.refusal`, which must be there; `current`: the program as the schedule left
// it. `long_runs`: as in explain.h. `out`: the same, as --json prints it.
ToldRefusal describe_refusal(ir::Context& ctx, const rewrite::ScheduleReport& done,
                             const ir::Function& current, std::uint64_t long_runs,
                             nlohmann::json& out);

// Prints what failed, the values that break it, what the interpreter saw, and what would help, of
// `done.refusal`, which must be there; `current`: the program as the schedule left it. Gives the
// exit code. `long_runs`: as in explain.h. `told`, where wanted: what --json prints, and as "place"
// the line of the schedule with a caret.
int report_refusal(ir::Context& ctx, const rewrite::ScheduleReport& done,
                   const ir::Function& current, bool as_json, std::uint64_t long_runs = 0,
                   nlohmann::json* told = nullptr);

}  // namespace proviso::tools
