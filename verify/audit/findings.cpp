#include "verify/audit/findings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/layout/layout_obligations.h"
#include "analysis/prover/prover.h"
#include "analysis/smt/solvers.h"
#include "verify/audit/audit.h"
#include "verify/audit/facts.h"
#include "verify/audit/rederive.h"
#include "verify/harness/conflict.h"
#include "verify/log/format.h"

namespace proviso::verify {

namespace {

// For what no obligation rests on.
analysis::ProverOptions prover_options(const AuditOptions& options, bool cvc5) {
    return {.use_z3 = options.discharge.use_z3,
            .z3 = &analysis::smt::kZ3Program,
            .use_cvc5 = cvc5 && options.discharge.use_cvc5,
            .wall_limit_s = options.discharge.wall_limit_s,
            .memory_mib = options.discharge.memory_mib};
}

// What the statement says about the run and is taken as it is.
std::vector<NotChecked> not_checked(const Rederived& again, const AuditOptions& options,
                                    const std::vector<CheckedSignature>& signatures) {
    std::vector<NotChecked> out;
    for (const auto& [name, hex] : again.record.claims.artefacts) {
        const bool is_final = std::string_view(name).ends_with(".lowered.py");
        if (is_final || options.artefacts.count(name) != 0) continue;
        out.push_back(
            {"subject " + printable(name), "the file is not at hand (--output FILE compares it)"});
    }
    const auto taken = [&](bool there, const char* what, const char* why) {
        if (there) out.push_back({what, why});
    };
    for (const CheckedSignature& s : signatures) {
        if (s.key.empty()) {
            out.push_back({"signed by keyid " + s.keyid, "give --trusted-key FILE"});
        }
    }
    taken(true, "policy", "what the run aimed at");
    taken(!again.record.claims.versions.empty(), "versions", "of the solvers of the run");
    taken(!again.record.claims.schedule.empty(), "schedule", "that it gives these steps");
    taken(!again.steps.empty(), "evidence", "which method proved an obligation in the run");
    taken(!again.record.refusals.empty(), "refusals", "steps that were not taken");
    return out;
}

// Steps, and what the source's layouts owe, with the checks of their obligations.
void list_uses(ir::Context& ctx, const Rederived& again, const std::vector<ObligationCheck>& checks,
               Findings& out) {
    std::map<std::string, std::size_t> index;
    for (std::size_t k = 0; k < checks.size(); ++k) index[checks[k].id] = k;
    for (const rewrite::Step& step : again.steps) {
        AuditedStep audited{step.rule, step.site.str(), {}, std::nullopt};
        for (const rewrite::ProvedObligation& o : step.obligations) {
            audited.obligations.push_back({o.obligation.purpose.words, index.at(o.id)});
        }
        out.steps.push_back(std::move(audited));
    }
    for (const auto& [buffer, o] : analysis::brought_obligations(ctx, again.source)) {
        const std::string id = analysis::obligation_id(analysis::to_smt(ctx, o));
        out.brought.push_back({"layout of " + buffer + ": " + o.purpose.words, index.at(id)});
    }
}

// Why no run reaches a place, where assumptions are the reason.
std::map<std::string, std::size_t> conflicts(const Rederived& again,
                                             const std::vector<analysis::Obligation>& all,
                                             const std::vector<ObligationCheck>& checks,
                                             const std::vector<Facts>& facts,
                                             analysis::Prover& prover) {
    std::map<std::string, std::size_t> out;
    const std::vector<ir::Expr> conditions = assumed_conditions(again.source);
    if (conditions.empty()) return out;
    std::size_t of_steps = 0;  // so many obligations; then come those of layouts
    for (const rewrite::Step& step : again.steps) of_steps += step.obligations.size();
    for (std::size_t k = 0; k < checks.size(); ++k) {
        if (facts[k] != Facts::Contradictory || checks[k].first >= of_steps) continue;
        std::string names;
        const std::vector<std::size_t> found =
            conflicting(again.source, all[checks[k].first].facts, conditions, prover);
        for (std::size_t n = 0; n < found.size(); ++n) {
            names += n == 0 ? "" : n + 1 == found.size() ? " and " : ", ";
            names += "A" + std::to_string(found[n] + 1);
        }
        if (!names.empty()) ++out[names];
    }
    return out;
}

}  // namespace

Findings findings_of(ir::Context& ctx, const Rederived& again, const AuditOptions& options,
                     const std::vector<analysis::Obligation>& all, const AuditReport& report) {
    Findings out;
    out.not_checked = not_checked(again, options, report.signatures);
    list_uses(ctx, again, report.checks, out);
    for (const ObligationCheck& c : report.checks) out.claims.push_back(all[c.first]);
    analysis::Prover prover(ctx, prover_options(options, true));
    out.inputs = find_input(ctx, again.source, prover);
    out.facts = facts_of(ctx, all, options.discharge, report.checks);
    analysis::Prover one_solver(ctx, prover_options(options, false));
    out.conflicts = conflicts(again, all, report.checks, out.facts, one_solver);
    if (!options.validate || !report.problems.empty()) return out;
    // A bounded check beside the proof: what is hard stays open.
    analysis::ProverOptions how = prover_options(options, false);
    how.rlimit = options.tv.rlimit;
    analysis::Prover bounded(ctx, how);
    Validation validation(ctx, bounded, options.tv);
    for (std::size_t i = 0; i < again.steps.size(); ++i) {
        const rewrite::Step& step = again.steps[i];
        out.steps[i].validation = validation.step(step.before, step.after);
    }
    return out;
}

std::string printable(const std::string& name) {
    const std::string quoted = canonical(nlohmann::json(name));
    return quoted.substr(1, quoted.size() - 2);
}

}  // namespace proviso::verify
