// Refusals and what remains of a program, for people and for machines.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rewrite/passes/remaining.h"

namespace proviso::tools {

// The step, its obligation, the values that break it, and what the interpreter saw when it ran both
// programs on them: as notes of `d`, and as members of `out`. Sets the hint where `d` has none.
// Gives the verdict on the step: values that break an obligation refute it only if some run shows
// it; else it is "not proved", UNKNOWN. `long_runs`: steps of one run of the interpreter where
// shorter ones all end too early; 0: no such runs.
analysis::Verdict describe_rejection(ir::Context& ctx, const ir::Function& current,
                                     const rewrite::Rejection& no, Diagnostic& d,
                                     nlohmann::json& out, std::uint64_t long_runs = 0);

// What the interpreter saw when it ran a program whose launches would race, on the values that say
// so: both threads and the cell, as a note of `d` and as a member of `out`. Gives the verdict, as
// above.
analysis::Verdict describe_race(ir::Context& ctx, const ir::Function& f,
                                const std::vector<analysis::ModelValue>& model, Diagnostic& d,
                                nlohmann::json& out);

// {"kind", "site", "text", "why", "hint", and of the refusal: "rule", "obligation", "model",
// "replay"} for each. `long_runs`: as above.
nlohmann::json remaining_json(ir::Context& ctx, const ir::Function& current,
                              const std::vector<rewrite::Remaining>& all, std::uint64_t long_runs);
std::string remaining_text(ir::Context& ctx, const ir::Function& current,
                           const std::vector<rewrite::Remaining>& all, std::uint64_t long_runs);

// Floor divisions in the final program, which the back end expands, by no step of the proof:
// {"division", "site", "why"} for each, or a warning a line.
nlohmann::json divisions_left_json(const ir::Function& current,
                                   const std::vector<rewrite::Rejection>& left);
std::string divisions_left_text(const ir::Function& current,
                                const std::vector<rewrite::Rejection>& left);

// Buffers that --flatten left as they are: {"buffer", "why"} for each, or a warning a line.
nlohmann::json not_flat_json(const std::vector<rewrite::Rejection>& kept);
std::string not_flat_text(const std::vector<rewrite::Rejection>& kept);

}  // namespace proviso::tools
