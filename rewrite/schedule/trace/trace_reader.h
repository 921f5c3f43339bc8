// TVM's traces, `[instructions, decisions]` in JSON, as schedules: each instruction becomes a call
// on the schedule object, which the interpreter of schedules runs like any other. What is read here
// is shape alone: kinds, arguments, names, decisions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/result.h"
#include "ir/text/reader/python/python.h"

namespace proviso::rewrite {

// That a schedule of this name is a trace: it ends in ".json".
bool is_trace(const std::string& file);

struct TraceProgram {
    ir::python::Module module;  // its calls; all of an instruction stands where that begins
    // "instruction 4 (Split)", where each begins; counted from 0, as decisions count them.
    std::vector<std::pair<ir::python::Position, std::string>> instructions;

    // A mistake, or a refusal, of one of the calls: with the instruction named.
    Diagnostic named(Diagnostic d) const;
};

// `function`: the name of the one that is scheduled, which a trace may call "main".
Result<TraceProgram> read_trace(std::string_view text, const std::string& file,
                                const std::string& function);

}  // namespace proviso::rewrite
