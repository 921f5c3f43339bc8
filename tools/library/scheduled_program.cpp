#include "tools/library/scheduled_program.h"

#include <nlohmann/json.hpp>

#include "analysis/bounds/bounds.h"
#include "rewrite/passes/passes.h"
#include "tools/bounds/report.h"
#include "tools/program.h"
#include "tools/support/refusal.h"
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

Failure failure(const Diagnostic& d, json more) {
    if (!more.contains("verdict")) more["verdict"] = "ERROR";
    more["diagnostic"] = to_json(d);
    if (!d.source_line.empty()) more["source_line"] = d.source_line;
    return told(more);
}

Failure failure(const Diagnostic& d) {
    return failure(d, json::object());
}

ScheduledProgram::ScheduledProgram(LoweringRequest request)
    : asked(std::move(request)), prover(ctx, prover_options(asked.options)) {}

std::optional<Failure> ScheduledProgram::read() {
    const LowerOptions& o = asked.options;
    const Result<ir::Function> f = function_of_text(ctx, asked.program, o.program, o.function);
    if (!f) return failure(f.error());
    notes = scope_notes(*f);
    Result<rewrite::Derivation> started = rewrite::Derivation::start(*f, prover);
    if (!started) return failure(started.error());
    derivation.emplace(std::move(*started));
    proposer.emplace(*derivation, prover);
    return std::nullopt;
}

std::optional<Failure> ScheduledProgram::schedule() {
    if (!asked.schedule) return std::nullopt;
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
        return failure(d, std::move(out));
    }
    done = all->done;
    for (const auto& [name, imported] : all->imported) {
        schedule_text += "\n# imported: " + name + " sha256:" + ir::sha256_hex(imported) + "\n";
        schedule_text += imported;
    }
    return std::nullopt;
}

std::variant<json, Failure> bounds_answer(const LoweringRequest& request,
                                          const std::vector<std::string>& sizes) {
    ScheduledProgram p(request);
    if (auto no = p.read()) return *std::move(no);
    if (auto no = p.schedule()) return *std::move(no);
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
    if (auto no = p.read()) return *std::move(no);
    if (auto no = p.schedule()) return *std::move(no);
    return p.shown;
}

}  // namespace proviso::tools
