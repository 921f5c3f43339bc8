// What is said of a schedule's call that was refused.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "ir/context.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::tools {

// What failed, the values that break it, what the interpreter saw, and what would help, of
// `done.refusal`, which must be there; `current`: the program as the schedule left it. `long_runs`:
// as in explain.h. `d` is for people, `told` for machines. Gives the exit code.
int tell_refusal(ir::Context& ctx, const rewrite::ScheduleReport& done, const ir::Function& current,
                 std::uint64_t long_runs, Diagnostic& d, nlohmann::json& told);

// Prints that. `told`, where wanted: what --json prints, and as "place" the line of the schedule
// with a caret.
int report_refusal(ir::Context& ctx, const rewrite::ScheduleReport& done,
                   const ir::Function& current, bool as_json, std::uint64_t long_runs = 0,
                   nlohmann::json* told = nullptr);

}  // namespace proviso::tools
