// proviso check: does AFTER refine BEFORE, whoever made it?
#include "verify/check/check.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tools/commands.h"
#include "tools/program.h"
#include "tools/support/support.h"
#include "verify/log/write.h"

namespace proviso::tools {

int run_check(const CheckOptions& o) {
    ir::Context ctx;
    const Result<ir::Function> before = load_function(ctx, o.before, o.function);
    if (!before) return bad_input(before.error(), o.json);
    const Result<ir::Function> after = load_function(ctx, o.after, o.function);
    if (!after) return bad_input(after.error(), o.json);
    const Result<ir::Substitution> sizes = scalar_arguments(ctx, *before, o.scalars);
    if (!sizes) return bad_input(sizes.error(), o.json);
    verify::CheckOptions options;
    options.tv.sizes = *sizes;
    options.replay.inputs.fixed = *sizes;
    options.replay.seed = o.seed;
    options.replay.tries = o.tests;
    options.replay.step_limit = o.step_limit;
    options.derive = !o.no_proof;
    options.most_sizes = o.sizes;
    options.tv.cell_limit = o.cell_limit;
    options.tv.allocation_limit = o.cell_limit;
    options.tv.step_limit = o.step_limit;
    options.tv.query_limit = o.claim_limit;
    options.z3_rlimit = o.solver_limit;
    options.wall_limit_s = o.solver_seconds;
    options.memory_mib = o.solver_memory;
    options.effort = o.solver_effort;
    const Result<verify::CheckReport> report = verify::check(ctx, *before, *after, options);
    if (!report) return bad_input(report.error(), o.json);
    if (!o.log.empty() && report->refinement) {
        const Result<verify::LogSummary> log =
            verify::write_log(report->refinement->derivation(), o.log);
        if (!log) return bad_input(log.error(), o.json);
    }
    std::vector<std::string> notes = scope_notes(*before);
    for (std::string& note : scope_notes(*after)) {
        if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
            notes.push_back(std::move(note));
        }
    }
    if (o.json) {
        nlohmann::json told = report->json();
        if (!notes.empty()) told["notes"] = notes;
        print_json(told);
    } else {
        print_notes(notes);
        std::printf("%s", report->text().c_str());
    }
    return report->exit_code();
}

}  // namespace proviso::tools
