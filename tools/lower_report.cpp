#include "tools/lower_report.h"

#include <charconv>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "ir/text.h"
#include "tools/support/explain.h"
#include "tools/support/speed_report.h"
#include "tools/support/text_diff.h"

namespace proviso::tools {

using nlohmann::json;
using rewrite::Derivation;

namespace {

struct Proofs {
    std::size_t obligations = 0;
    std::map<std::string, std::size_t> by;  // decider -> obligations
};

Proofs proofs_of(const Derivation& derivation) {
    Proofs out;
    for (const rewrite::Step& step : derivation.steps()) {
        for (const rewrite::ProvedObligation& p : step.obligations) {
            ++out.obligations;
            ++out.by[p.by];
        }
    }
    return out;
}

json applied_json(const std::vector<LoweringReport::Applied>& applied) {
    json out = json::array();
    for (const auto& a : applied) {
        json line = {{"primitive", a.primitive}, {"steps", a.steps}};
        if (!a.plan.empty()) line["plan"] = a.plan;
        if (a.line > 0) line["line"] = a.line;
        if (!a.gives.empty()) line["gives"] = a.gives;
        if (!a.why_nothing.empty()) line["why_nothing"] = a.why_nothing;
        out.push_back(std::move(line));
    }
    return out;
}

json report_json(ir::Context& ctx, const LowerOptions& options, const Derivation& derivation,
                 const std::vector<rewrite::Adapter>& adapters, const LoweringReport& r) {
    const Proofs proofs = proofs_of(derivation);
    json out = {{"verdict", "PROVED"},
                {"function", derivation.current().name},
                {"steps", derivation.steps().size()},
                {"schedule", applied_json(r.applied)},
                {"obligations", proofs.obligations},
                {"by", proofs.by},
                {"licences", r.duties.licences_used},
                {"caller", r.duties.json()},
                {"symbol", r.symbol},
                {"inputs", r.inputs.json()},
                {"source", ir::content_hash(derivation.source())},
                {"final", ir::content_hash(derivation.current())},
                {"validation",
                 {{"verdict", verify::tv_verdict_name(r.whole.tv.verdict)},
                  {"sizes", r.whole.tv.sizes},
                  {"what", r.whole.tv.what}}},
                {"seconds", r.seconds}};
    if (!adapters.empty()) {
        out["adapters"] = {{"parameters", adapters.size()},
                           {"steps", round_trip_steps(adapters)},
                           {"obligations", round_trip_obligations(adapters)}};
    }
    for (const auto& [file, hash] : r.written) out["written"][file] = "sha256:" + hash;
    for (const auto& [file, digest] : r.imported) out["imported"][file] = digest;
    for (const auto& [name, value] : r.chosen) out["chosen"][name] = value;
    if (options.explain) {
        out["remaining"] =
            remaining_json(ctx, derivation.current(), r.remaining, options.replay_steps);
    }
    add_parts(out, r.parts);
    if (r.speed) out["speed"] = speed_json(*r.speed);
    if (!r.notes.empty()) out["notes"] = r.notes;
    if (!r.left.empty()) out["not_lowered"] = divisions_left_json(r.left_in, r.left);
    if (!r.not_flat.empty()) out["not_flat"] = not_flat_json(r.not_flat);
    if (r.log) {
        out["log"] = {{"folder", options.log},
                      {"statement", r.log->statement_digest},
                      {"without_certificate", r.log->without_certificate}};
    }
    return out;
}

// "1 step", "2 steps"
std::string counted(std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
    return out;
}

void summary(const LowerOptions& options, const Derivation& derivation,
             const std::vector<rewrite::Adapter>& adapters, const LoweringReport& r) {
    const Proofs proofs = proofs_of(derivation);
    std::string how;
    for (const auto& [name, n] : proofs.by) {
        how += (how.empty() ? "" : ", ") + std::to_string(n) + " " + name;
    }
    if (!how.empty()) how = " (" + how + ")";
    const std::string& name = derivation.current().name;
    const std::string steps = counted(derivation.steps().size(), "step");
    std::fprintf(stderr, "PROVED: %s in %s, %s%s, %.2f s\n", name.c_str(), steps.c_str(),
                 counted(proofs.obligations, "obligation").c_str(), how.c_str(), r.seconds);
    if (r.whole.tv.verdict == verify::TvVerdict::Bounded) {
        std::fprintf(stderr, "  translation validation: source and result agree%s%s\n",
                     r.whole.tv.sizes.empty() ? "" : " at ", r.whole.tv.sizes.c_str());
    } else if (!options.no_validation && !derivation.steps().empty()) {
        const std::string why = r.whole.tv.what.empty() ? "" : " (" + r.whole.tv.what + ")";
        std::fprintf(stderr, "  translation validation: not decided%s\n", why.c_str());
    }
    if (!r.duties.licences_used.empty()) {
        std::fprintf(stderr, "  under the licences: %s\n", joined(r.duties.licences_used).c_str());
    }
    for (const verify::ExternalAxiom& e : r.duties.external) {
        std::fprintf(stderr, "  provided that %s\n", e.str().c_str());
    }
    if (!adapters.empty()) {
        std::fprintf(stderr, "PROVED: unpack(pack(x)) = x for %s in %s, %s\n",
                     counted(adapters.size(), "parameter").c_str(),
                     counted(round_trip_steps(adapters), "step").c_str(),
                     counted(round_trip_obligations(adapters), "obligation").c_str());
    }
    std::fprintf(stderr, "%s", parts_text(r.parts, r.symbol).c_str());
    if (r.symbol != name) {
        std::fprintf(stderr, "  the symbol of %s in C is %s\n", name.c_str(), r.symbol.c_str());
    }
    for (const auto& [file, hash] : r.written) std::fprintf(stderr, "  wrote %s\n", file.c_str());
    if (!r.log) return;
    std::fprintf(stderr, "  proof log %s, statement %s\n", options.log.c_str(),
                 r.log->statement_digest.c_str());
    if (!r.log->without_certificate.empty()) {
        std::fprintf(stderr, "  no certificate for %s: an audit is left to what solvers say\n",
                     counted(r.log->without_certificate.size(), "obligation").c_str());
    }
}

}  // namespace

void print_report(ir::Context& ctx, const LowerOptions& options, const Derivation& derivation,
                  const std::vector<rewrite::Adapter>& adapters, const LoweringReport& report) {
    if (options.json) {
        print_json(report_json(ctx, options, derivation, adapters, report));
        return;
    }
    const bool program = options.emit.empty() && options.report != "-";
    if (program) std::printf("%s", ir::print(derivation.current()).c_str());
    if (options.explain) {
        const std::string text =
            remaining_text(ctx, derivation.current(), report.remaining, options.replay_steps);
        std::printf("%s", text.c_str());
    }
    if (report.speed) {
        std::printf("%s", speed_text(derivation.current().name, *report.speed).c_str());
    }
    const std::string left =
        divisions_left_text(report.left_in, report.left) + not_flat_text(report.not_flat);
    std::fprintf(stderr, "%s", left.c_str());
    const std::string doubt = report.inputs.warning();
    if (!doubt.empty()) std::fprintf(stderr, "warning: %s\n", doubt.c_str());
    if (!options.quiet) summary(options, derivation, adapters, report);
}

Status print_steps(const std::string& which, const Derivation& derivation) {
    if (which.empty()) return Unit{};
    const std::vector<rewrite::Step>& steps = derivation.steps();
    const bool all = which == "all";
    const std::optional<std::size_t> wanted = all ? std::nullopt : step_number(which);
    if (!all && (!wanted || *wanted == 0 || *wanted > steps.size())) {
        return error("--print-after " + which + ": there is no such step",
                     steps.empty() ? "no step was taken"
                                   : "all, or a number from 1 to " + std::to_string(steps.size()));
    }
    if (all) std::printf("# the source\n%s", ir::print(derivation.source()).c_str());
    for (std::size_t n = 1; n <= steps.size(); ++n) {
        const rewrite::Step& step = steps[n - 1];
        if (!all && n != *wanted) continue;
        const std::string diff =
            unified_diff(ir::print(step.before), ir::print(step.after),
                         "step " + std::to_string(n - 1), "step " + std::to_string(n));
        std::printf("# step %zu: %s at %s\n%s", n, step.rule.c_str(), step.site.str().c_str(),
                    diff.c_str());
    }
    return Unit{};
}

std::optional<std::size_t> step_number(const std::string& text) {
    std::size_t n = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
    const bool whole = failed == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(n) : std::nullopt;
}

}  // namespace proviso::tools
