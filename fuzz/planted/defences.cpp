#include "fuzz/planted/defences.h"

#include <nlohmann/json.hpp>

#include "analysis/prover/prover.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/failure.h"
#include "fuzz/gen/probes.h"
#include "fuzz/gen/program.h"
#include "fuzz/oracle/cpu.h"
#include "fuzz/oracle/expressions.h"
#include "fuzz/oracle/monotone.h"
#include "fuzz/oracle/refinement.h"
#include "fuzz/oracle/round_trip.h"
#include "fuzz/planted/gpu_programs.h"
#include "fuzz/planted/log_edits.h"
#include "fuzz/planted/rule_mutants.h"
#include "fuzz/planted/scenarios/scenario.h"
#include "fuzz/planted/theorems/theorem.h"
#include "fuzz/planted/undefined_programs.h"
#include "ir/text.h"
#include "rewrite/kernel/derivation.h"
#include "verify/tv/validate.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

constexpr std::uint64_t kSeed = 20;
constexpr int kScenarioRuns = 30;
constexpr std::uint64_t kMostRawCases = 4000;  // a minute

// A scenario's steps applied; the first refusal, if any.
struct Applied {
    std::optional<rewrite::Derivation> derivation;
    std::optional<rewrite::Rejection> refusal;
};

Applied apply(Context& ctx, const Scenario& scenario, analysis::Prover& prover) {
    Applied out;
    const Result<LoadedScenario> loaded = load_scenario(ctx, scenario);
    PROVISO_CHECK(loaded.ok(), std::string("scenario ") + scenario.name + ": " +
                                   (loaded.ok() ? "" : loaded.error().str()));
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, loaded->program);
    PROVISO_CHECK(d.ok(), std::string("scenario ") + scenario.name + " is not well-formed");
    out.derivation.emplace(std::move(d).value());
    for (const StepGuess& s : loaded->steps) {
        const nlohmann::json args = nlohmann::json::parse(s.args);
        out.refusal = out.derivation->apply(s.rule, s.site, args, prover);
        if (out.refusal) break;
    }
    return out;
}

std::string why(const rewrite::Rejection& refusal) {
    return refusal.rule + " refused: " + refusal.diagnostic.message;
}

// The kernel refuses what is wrong; a build in which it refuses what is right is noticed, too.
std::optional<std::string> kernel(const PlantedFault& fault) {
    Context ctx;
    analysis::Prover prover(ctx, campaign_prover());
    for (const Scenario& s : scenarios()) {
        const bool right = s.forgets == nullptr;
        const bool proposed =
            fault.by == PlantedBy::Proposal && fault.id == "propose:" + std::string(s.name);
        if (!proposed && !right) continue;
        const Applied applied = apply(ctx, s, prover);
        if (applied.refusal) return std::string(s.name) + ": " + why(*applied.refusal);
    }
    return std::nullopt;
}

// Wrong proposals to the theorems, those that the fault lets pass: one is accepted, and a run shows
// that it is wrong, where one can.
std::optional<std::string> hostile(const PlantedFault& fault) {
    if (fault.by != PlantedBy::Switch) return std::nullopt;
    for (const TheoremFault& t : theorem_faults()) {
        if (t.id != fault.id && fault.id != "none") continue;
        const TheoremOutcome out = try_proposal(t);
        if (!out.refusal.empty()) continue;
        if (out.seen) return std::string(t.what) + ": " + *out.seen;
        if (!t.runs) return std::string(t.what) + ": accepted";
    }
    return std::nullopt;
}

// Proofs of rule schemas: the mutant's, or those of the rules that mutants are made from.
std::optional<std::string> schemas(const PlantedFault& fault) {
    if (fault.by != PlantedBy::Switch && fault.by != PlantedBy::Table) return std::nullopt;
    for (const RuleMutant& m : rule_mutants()) {
        const bool mine = fault.id == m.id();
        if (fault.by == PlantedBy::Table && !mine) continue;
        if (const auto why = refuse_rule(m.base, mine ? &m : nullptr)) {
            return std::string(m.base) + ": " + *why;
        }
    }
    return std::nullopt;
}

// The last step of each scenario that the kernel accepts, validated without its rule.
std::optional<std::string> translation(const PlantedFault& fault) {
    if (fault.by != PlantedBy::Switch) return std::nullopt;
    Context ctx;
    analysis::Prover prover(ctx, campaign_prover());
    for (const Scenario& s : scenarios()) {
        const Applied applied = apply(ctx, s, prover);
        if (applied.refusal) continue;
        const rewrite::Step& last = applied.derivation->steps().back();
        verify::TvOptions options;
        for (Expr v : last.before.scalar_params()) {
            const auto lo = last.before.lower_bound(*v->name);
            options.sizes[v] = ctx.int_imm(v->type, lo.value_or(3));
        }
        // Small scalars, and then those that are no sizes left open.
        for (const verify::TvOptions& o : {options, verify::TvOptions{}}) {
            const verify::TvResult r = verify::validate(ctx, last.before, last.after, prover, o);
            if (r.verdict == verify::TvVerdict::Refuted) return std::string(s.name) + ": " + r.what;
            if (options.sizes.empty()) break;
        }
    }
    return std::nullopt;
}

// Scenarios that the kernel accepts, run against their source.
std::optional<std::string> refinement(const PlantedFault& fault) {
    if (fault.by != PlantedBy::Switch) return std::nullopt;
    Context ctx;
    analysis::Prover prover(ctx, campaign_prover());
    RefinementCounts counts;
    for (const Scenario& s : scenarios()) {
        const Applied applied = apply(ctx, s, prover);
        if (applied.refusal) continue;
        const rewrite::Derivation& d = *applied.derivation;
        const auto found =
            check_refinement(ctx, d.source(), d.current(), {}, kScenarioRuns, kSeed, counts);
        if (found) return std::string(s.name) + ": " + found->detail;
    }
    return std::nullopt;
}

// Raw steps on general programs. The campaign is asked about faults that two lines have to notice,
// and about none.
std::optional<std::string> raw_steps(const PlantedFault& fault) {
    const bool asked = fault.lines > 1 || fault.id == "none";
    if (fault.by != PlantedBy::Switch || !asked) return std::nullopt;
    CampaignOptions options = raw_campaign();
    options.seed = kSeed;
    options.cases = fault.lines > 1 ? kMostRawCases : 200;
    options.stop_at_first = true;
    const Result<Summary> summary = run_campaign(options);
    if (!summary || summary->findings == 0) return std::nullopt;
    return summary->kinds.begin()->first;
}

// Every operator on every type, compiled.
std::optional<std::string> probes() {
    Context ctx;
    for (const Function& f : operator_probes(ctx)) {
        std::map<std::string, CellRange> ranges;
        for (Buffer b : f.buffer_params()) {
            if (b->type.is_wrapping_int()) {
                ranges[b->name] = CellRange{b->type.min_value(), b->type.max_value()};
            }
        }
        CpuCounts counts;
        const auto found = check_cpu(ctx, f, f, ranges, 8, kSeed, false, counts);
        if (found) return f.name + ": " + found->detail;
        PROVISO_CHECK(counts.runs > 0, f.name + " was not run");
    }
    return std::nullopt;
}

std::optional<std::string> cpu(const PlantedFault& fault) {
    if (fault.by != PlantedBy::Switch) return std::nullopt;
    if (auto found = probes()) return found;
    for (std::uint64_t k = 0; k < 100; ++k) {
        Context ctx;
        Choice choice(mix(kSeed, k));
        const GeneratedProgram p = generate_program(ctx, choice);
        analysis::Prover prover(ctx, campaign_prover());
        const Result<Played> played = play(ctx, p.function, {}, prover);
        if (!played) continue;
        CpuCounts counts;
        const auto found =
            check_cpu(ctx, p.function, played->lowered, p.ranges, 4, mix(kSeed, k), false, counts);
        if (found) return found->detail;
    }
    return std::nullopt;
}

std::optional<std::string> encoder(const PlantedFault& fault) {
    if (fault.by != PlantedBy::Switch) return std::nullopt;
    Context ctx;
    analysis::ProverOptions options = campaign_prover();
    options.use_cheap = false;
    analysis::Prover prover(ctx, options);
    Choice choice(kSeed);
    ExpressionCounts counts;
    for (int k = 0; k < 500; ++k) {
        const auto found = check_encoder(ctx, choice, prover, counts);
        if (found) return found->signature + ": " + found->detail;
    }
    return std::nullopt;
}

std::optional<std::string> audit(const PlantedFault& fault) {
    if (fault.by == PlantedBy::Log) return audit_edited_log(fault.id);
    if (fault.by == PlantedBy::Switch) return audit_edited_log("");
    return std::nullopt;
}

std::optional<std::string> domains(const PlantedFault& fault) {
    if (fault.by != PlantedBy::Switch) return std::nullopt;
    Choice choice(kSeed);
    ExpressionCounts counts;
    for (int k = 0; k < 400; ++k) {
        const auto found = check_domains(choice, counts);
        if (found) return found->signature + ": " + found->detail;
    }
    return std::nullopt;
}

std::optional<std::string> monotone(const PlantedFault& fault) {
    if (fault.by != PlantedBy::Switch) return std::nullopt;
    for (const UndefinedProgram& p : undefined_programs()) {
        Context ctx;
        const Result<Function> f = parse_function(ctx, p.program, "undefined.py");
        PROVISO_CHECK(f.ok(), std::string("an undefined program: ") + p.program);
        MonotoneCounts counts;
        const auto found = check_monotone(*f, {}, 100, kSeed, counts);
        if (found) return print(*f) + found->detail;
    }
    return std::nullopt;
}

std::optional<std::string> round_trip(const PlantedFault& fault) {
    if (fault.by != PlantedBy::Switch) return std::nullopt;
    for (std::uint64_t k = 0; k < 60; ++k) {
        Context ctx;
        Choice choice(mix(kSeed, k));
        const GeneratedProgram p = generate_program(ctx, choice);
        if (const auto found = check_round_trip(ctx, p.function)) return found->signature;
    }
    return std::nullopt;
}

}  // namespace

const std::vector<Defence>& defences() {
    static const std::vector<Defence> all = {
        {"kernel obligation", kernel},
        {"kernels on this machine", look_at_kernels},
        {"rule schema", schemas},
        {"translation validation", translation},
        {"refinement", refinement},
        {"hostile proposal", hostile},
        {"interpreter = CPU", cpu},
        {"encoder = interpreter", encoder},
        {"audit", audit},
        {"domain containment", domains},
        {"round trip", round_trip},
        {"values for undef", monotone},
        {"raw steps", raw_steps},
    };
    return all;
}

}  // namespace proviso::fuzz
