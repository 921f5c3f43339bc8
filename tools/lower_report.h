// What `proviso lower` says when it is done, for people and for machines.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/cpu/speed/speed.h"
#include "rewrite/passes/remaining.h"
#include "tools/commands.h"
#include "tools/lower_parts.h"
#include "tools/support/converters.h"
#include "verify/check/whole.h"
#include "verify/harness/has_input.h"
#include "verify/log/duties.h"
#include "verify/log/write.h"

namespace proviso::tools {

struct LoweringReport {
    struct Applied {
        std::string primitive;
        std::size_t steps = 0;
        std::string plan;  // that it chose; or empty
        int line = 0;      // of the call, from 1; 0: of none
        std::string file;  // that it stands in, where that is an imported one
        bool query = false;
        std::vector<std::string> gives;  // blocks or loops, by name
        std::string why_nothing;         // where a call that is no query changed nothing
    };
    std::vector<Applied> applied;
    std::vector<std::pair<std::string, std::string>> written;   // path, SHA-256 in hex
    std::vector<std::pair<std::string, std::string>> imported;  // schedules: file, digest
    std::vector<std::pair<std::string, std::string>> chosen;    // of choices: name, value
    std::vector<rewrite::Rejection> left;       // divisions that the lowering could not write out
    ir::Function left_in;                       // the program that these are of
    std::vector<rewrite::Rejection> not_flat;   // buffers that --flatten left as they are
    std::vector<rewrite::Remaining> remaining;  // asked for by --explain
    std::optional<backend::Speed> speed;        // asked for by --explain-speed
    std::optional<verify::LogSummary> log;
    verify::WholeResult whole;       // source against result
    ProgramParts parts;              // of --share-memory and --prepare
    verify::Duties duties;           // of the caller
    verify::InputSearch inputs;      // of the source
    std::string symbol;              // of the function in C
    std::vector<std::string> notes;  // about the program as it was read
    double seconds = 0;
};

// --print-after: what a step has changed, or each. An error: there is no such step.
Status print_steps(const std::string& which, const rewrite::Derivation& derivation);

// The number of a step, which --print-after gives; absent: it is none.
std::optional<std::size_t> step_number(const std::string& text);

// The report to standard error and the program or the JSON to standard output, as `options` ask.
void print_report(ir::Context& ctx, const LowerOptions& options,
                  const rewrite::Derivation& derivation,
                  const std::vector<rewrite::Adapter>& adapters, const LoweringReport& report);

}  // namespace proviso::tools
