// The order in which a program becomes code, for `proviso lower` and for LoweredProgram alike: what
// is looked at before its schedule, and what follows it. What one refuses, the other refuses too,
// in the same words.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "backend/gpu/module.h"
#include "rewrite/passes/passes.h"
#include "rewrite/passes/proposer.h"
#include "rewrite/schedule/reader/reader.h"
#include "tools/commands.h"
#include "tools/lower_parts.h"
#include "tools/page/derivation_page.h"
#include "verify/check/whole.h"
#include "verify/harness/has_input.h"

namespace proviso::tools {

// Why a lowering has ended before its end.
struct LoweringEnd {
    Diagnostic diagnostic;  // with its place, where one is known
    std::string told;  // what --json prints; empty: the input is wrong, and {"error": …} is said
    int code;          // that of the command
};

class LoweringOrder {
  public:
    // `text` gives the program's, to look places up in; `options` outlive this.
    LoweringOrder(const LowerOptions& options, std::function<std::string()> text)
        : o_(options), text_(std::move(text)) {}

    // The target, before anything is read.
    std::optional<LoweringEnd> begin();
    // Of a derivation without steps: its names, and whether it has an input.
    std::optional<LoweringEnd> before_schedule(const rewrite::Derivation& d,
                                               analysis::Prover& prover);
    // The calls of the schedule: what is wrong from here on has the place of the last one that did
    // something, unless it has one of its own.
    void scheduled(const std::vector<rewrite::ScheduleReport::Done>& calls);
    // Lowers, and places barriers.
    std::optional<LoweringEnd> lower(rewrite::Proposer& proposer);
    // Compares source and result, and sees to it that there is code for the target.
    std::optional<LoweringEnd> code(const rewrite::Derivation& d, analysis::Prover& prover);

    std::optional<backend::gpu::Target> target;  // none: the CPU
    std::string symbol;                          // of the function in C
    verify::InputSearch inputs;                  // of the source
    CallList calls;                              // of the schedule, and "lower"
    rewrite::PassResult lowering;
    ir::Function lowered;                     // what `lowering` has made
    ProgramParts parts;                       // of that, where options ask for any
    std::size_t barriers = 0;                 // steps that placed some
    verify::WholeResult whole;                // source against result
    std::optional<backend::gpu::Module> gpu;  // for a GPU: its code

  private:
    std::optional<LoweringEnd> check_names(const ir::Function& f) const;
    std::optional<LoweringEnd> gpu_code(const rewrite::Derivation& d, analysis::Prover& prover);
    std::optional<LoweringEnd> wrong(const Diagnostic& said, const rewrite::Derivation& d) const;
    Diagnostic after_schedule(Diagnostic d) const;

    const LowerOptions& o_;
    std::function<std::string()> text_;
    std::string last_file_;  // of the last call that did something
    int last_line_ = 0;
};

}  // namespace proviso::tools
