// Schedules as text: Python calls on a schedule object, as in a TVM session, with functions, loops
// over ranges and choices around them (interpreter.h).
//
//   b = sch.get_block("row_sum")
//   i, j = sch.get_loops(b)
//   sch.transform_layout(b, "A", lambda i, j: [i, j // 4, j % 4], pad_value=0.0)
//   sch.sequential_buffer_access(b, "A")
//   sch.remove_branching_through_overcompute(block=b)
//
// A call that cannot be justified is refused, and the schedule ends there with the program as it
// was before that call.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ir/result.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

struct ScheduleReport {
    struct Done {
        std::string primitive = {};
        std::size_t steps = 0;
        std::string note = {};        // what it chose: "A: assumption at the start"
        std::size_t inner_steps = 0;  // of an outlined function, before they become one step here
        int line = 0;           // of the call, from 1; 0: what an outlined function has become
        std::string file = {};  // that it stands in, where that is an imported one
        bool query = false;     // asks only: get_block, get_loops, work_on
        // Of a call in a function of an imported file: that function, as the schedule called it.
        // The end of such a function is told as well, with its steps as inner ones, but not kept.
        std::string within = {};
        bool composite = false;
        std::vector<std::string> gives = {};  // blocks or loops by name
        std::string shown = {};               // what it is to show: sch.show(), print(…)
        std::string why_nothing = {};         // of a call that changed nothing and was meant to
    };
    std::vector<Done> done;          // primitives that were applied
    std::optional<Refusal> refusal;  // where it stopped; the diagnostic has the place
    std::string refused_primitive;
    std::string takes;  // what it takes: "it takes a serial loop, …"
    int refused_line = 0;
    std::optional<ir::Function> refused_in;  // the function that it was about, as it was then
    std::string refused_at;  // lines of a program, with carets under what the refusal is about
    std::vector<std::string> outlined;  // functions that were made of stages, in order
    // The calls that were accepted, in the form of TVM's traces (rewrite/schedule/trace/), or,
    // where a trace cannot say one, which.
    std::string trace = {};
    std::string not_in_trace = {};
    // Files that the schedule imports, by their names without folders, and their texts.
    std::vector<std::pair<std::string, std::string>> imported = {};
};

// Called after each primitive, for progress.
using ScheduleProgress = std::function<void(const ScheduleReport::Done& done)>;

// A Diagnostic is a mistake in the schedule's text; a refusal is in the report. Of a `file` that
// ends in ".json" the text is a trace.
Result<ScheduleReport> run_schedule(Proposer& proposer, std::string_view text,
                                    const std::string& file,
                                    const ScheduleProgress& progress = nullptr);

}  // namespace proviso::rewrite
