#include "tools/library/scheduled_program.h"

#include <nlohmann/json.hpp>

#include "analysis/bounds/bounds.h"
#include "rewrite/passes/passes.h"
#include "tools/bounds/report.h"
#include "tools/program.h"
#include "tools/support/refusal.h"
#include "tools/support/source_place.h"
#include "tools/support/support.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

analysis::ProverOptions prover_options(const LowerOptions& o) {
    analysis::ProverOptions out;
    out.cache_dir = cache_folder(o.cache);
    out.wall_limit_s = o.solver_seconds;
    out.memory_mib = o.solver_memory;
    out.effort = o.solver_effort;
    return out;
}

Failure told(const json& what) {
    return {what.dump(-1, ' ', true, json::error_handler_t::replace)};
}

}  // namespace

Failure failure(const Diagnostic& d) {
    return told({{"verdict", "ERROR"}, {"diagnostic", to_json(d)}});
}

ScheduledProgram::ScheduledProgram(LoweringRequest request)
    : asked(std::move(request)), prover(ctx, prover_options(asked.options)) {}

std::optional<Failure> ScheduledProgram::run() {
    const LowerOptions& o = asked.options;
    const Result<ir::Function> f = function_of_text(ctx, asked.program, o.program, o.function);
    if (!f) return failure(f.error());
    notes = scope_notes(*f);
    Result<rewrite::Derivation> started = rewrite::Derivation::start(*f, prover);
    if (!started) return failure(started.error());
    derivation.emplace(std::move(*started));
    proposer.emplace(*derivation, prover);
    return asked.schedule ? schedule() : std::nullopt;
}

std::optional<Failure> ScheduledProgram::schedule() {
    schedule_text = *asked.schedule;
    Result<rewrite::ScheduleReport> all =
        rewrite::run_schedule(*proposer, schedule_text, asked.options.schedule,
                              [this](const rewrite::ScheduleReport::Done& d) {
                                  calls.add(d, derivation->steps().size());
                                  shown += d.shown;
                              });
    if (!all) return failure(all.error());
    if (all->refusal) {
        Diagnostic d;
        json out;
        tell_refusal(ctx, *all, derivation->current(), asked.options.replay_steps, d, out);
        out["line"] = all->refused_line;
        return told(out);
    }
    done = all->done;
    for (const auto& [name, imported] : all->imported) {
        schedule_text += "\n# imported: " + name + " sha256:" + ir::sha256_hex(imported) + "\n";
        schedule_text += imported;
    }
    return std::nullopt;
}

Diagnostic ScheduledProgram::placed(const Diagnostic& said) const {
    return placed_at_construct(said, asked.program, asked.options.program, derivation->source());
}

std::variant<json, Failure> bounds_answer(const LoweringRequest& request,
                                          const std::vector<std::string>& sizes) {
    ScheduledProgram p(request);
    if (auto no = p.run()) return *std::move(no);
    const Result<ir::Substitution> at = scalar_arguments(p.ctx, p.current(), sizes);
    if (!at) return failure(at.error());
    const analysis::Bounds bounds = analysis::infer_bounds(p.ctx, p.current(), *at);
    json out = bounds_json(p.current(), bounds);
    out["exact"] = all_exact(bounds);
    out["text"] = bounds_text(p.current(), bounds);
    return out;
}

std::variant<std::string, Failure> shown_by(const LoweringRequest& request) {
    ScheduledProgram p(request);
    if (auto no = p.run()) return *std::move(no);
    return p.shown;
}

}  // namespace proviso::tools
