// A program read and scheduled: what `lower` and `bounds` begin with, for lowered_program.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "ir/context.h"
#include "rewrite/kernel/derivation.h"
#include "rewrite/schedule/reader/reader.h"
#include "tools/library/lowered_program.h"
#include "tools/page/derivation_page.h"

namespace proviso::tools {

// `more`: members beside "diagnostic"; without a "verdict" it is "ERROR".
Failure failure(const Diagnostic& d, nlohmann::json more);
Failure failure(const Diagnostic& d);

struct ScheduledProgram {
    explicit ScheduledProgram(LoweringRequest request);
    // Reads the program, and then applies the schedule, where there is one. Nothing: it is done.
    std::optional<Failure> read();
    std::optional<Failure> schedule();

    const ir::Function& source() const { return derivation->source(); }
    const ir::Function& current() const { return derivation->current(); }

    LoweringRequest asked;
    ir::Context ctx;
    analysis::Prover prover;
    std::optional<rewrite::Derivation> derivation;
    std::optional<rewrite::Proposer> proposer;
    std::vector<std::string> notes;
    std::vector<rewrite::ScheduleReport::Done> done;
    std::string schedule_text;  // and what it imports, as a log has it
    std::string shown;          // by the schedule
    CallList calls;
};

}  // namespace proviso::tools
