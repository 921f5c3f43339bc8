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
#include "verify/harness/has_input.h"

namespace proviso::tools {

Failure failure(const Diagnostic& d);

struct ScheduledProgram {
    explicit ScheduledProgram(LoweringRequest request);
    // Reads the program and applies the schedule. Nothing: both are done.
    std::optional<Failure> run();

    Diagnostic placed(const Diagnostic& said) const;
    const ir::Function& source() const { return derivation->source(); }
    const ir::Function& current() const { return derivation->current(); }

    LoweringRequest asked;
    ir::Context ctx;
    analysis::Prover prover;
    std::optional<rewrite::Derivation> derivation;
    std::optional<rewrite::Proposer> proposer;
    verify::InputSearch inputs;
    std::vector<std::string> notes;
    std::vector<rewrite::ScheduleReport::Done> done;
    std::string schedule_text;  // and what it imports, as a log has it
    std::string shown;          // by the schedule
    CallList calls;

  private:
    std::optional<Failure> schedule();
};

}  // namespace proviso::tools
