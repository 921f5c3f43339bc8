// `sch.choose`: a schedule with parameters. What there is to choose from stands in the text, so it
// is known before any call runs:
//
//   tile = sch.choose([2, 4, 8])              the choice `tile`, of three values
//   sch.unroll(row) if sch.choose("unroll", [True, False]) else None
//
// `proviso tune` finds values, `proviso lower` takes them. A value is put in the place of its call
// before the schedule runs, so nothing here is trusted: it is an argument of calls like any other.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/result.h"
#include "ir/text/reader/python/python.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::rewrite {

struct ScheduleChoice {
    std::string name;
    std::vector<std::string> values;  // as `str` of Python writes them; no two are alike
};

// By the name of a choice the text of its value.
using ChosenValues = std::map<std::string, std::string>;

struct ScheduleChoices {
    std::vector<ScheduleChoice> all;  // in the order of the text
    std::string hash;                 // "sha256:…", of the schedule and of what it imports
};

// The choices of a schedule. Fails where the text is none, and where a choice has no name or is not
// among constants.
Result<ScheduleChoices> schedule_choices(std::string_view text, const std::string& file);

// Those of its module, and their calls replaced by the values; a mistake, or a choice without a
// value, ends in ir::fail.
std::vector<ScheduleChoice> choices_in(const ir::python::Module& module);
Unit choose(ir::python::Module& module, const ChosenValues& chosen);

// That each of these is a choice, and has that value.
Status check_chosen(const std::vector<ScheduleChoice>& all, const ChosenValues& chosen);

// run_schedule of reader.h with these values.
Result<ScheduleReport> run_schedule(Proposer& proposer, std::string_view text,
                                    const std::string& file, const ScheduleProgress& progress,
                                    const ChosenValues& chosen);

}  // namespace proviso::rewrite
