// What a page shows of a derivation, as JSON, from the lines that a proof log has of it. The
// scripts of the page read it (steps.js says how).
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/obligation.h"

namespace proviso::tools {

// A call of the schedule, and how many steps it took.
struct ScheduleCall {
    std::string name;  // "split"; "lower" where no line of a schedule asked for the steps
    std::string file;  // that it stands in, where that is an imported one
    int line = 0;      // from 1; 0: of none
    int caller = 0;    // line of the schedule that called a function of that file; 0: none
    std::size_t steps = 0;
    bool refused = false;  // it ended the schedule, and took none
};

// A schedule as a log has it: with its calls in a last line, "# calls: [...]". Of none: none.
std::string with_calls(const std::string& schedule, const std::vector<ScheduleCall>& calls);
nlohmann::json calls_json(const std::vector<ScheduleCall>& calls);

// A logged schedule taken apart: {"text", "imported": [{"name", "text"}], "calls"}.
nlohmann::json schedule_json(const std::string& logged);

// The steps: {"rule", "site", "args", "edits", "licences", "before", "after", "owes"} each, where
// "owes" lists {"purpose", "kind", "site", "buffer", "check"}; "check" is what `check` gives for an
// id. Lines that are none, as a log may have that is broken, are shown as such.
nlohmann::json steps_json(const std::vector<std::string>& lines,
                          const std::function<nlohmann::json(const std::string& id)>& check);

// Lines of refusals.jsonl, without what chains them.
nlohmann::json refusals_json(const std::vector<std::string>& lines);

// Texts that are read when somebody asks for one: each claim in the program's names and, as `smt`
// gives it, in SMT-LIB: {"facts": [text], "claims": [{"facts": [index], "goal", "smt"}], "most",
// "left_out"}. Claims from where the texts have more than kMostText bytes on are null, and counted.
inline constexpr std::size_t kMostText = std::size_t{8} << 20;
nlohmann::json claims_json(const std::vector<analysis::Obligation>& claims,
                           const std::function<std::string(std::size_t)>& smt);

}  // namespace proviso::tools
