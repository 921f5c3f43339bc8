#include "verify/audit/audit.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/layout/layout_obligations.h"
#include "analysis/prover/prover.h"
#include "analysis/smt/solvers.h"
#include "ir/text.h"
#include "verify/audit/rederive.h"
#include "verify/harness/conflict.h"
#include "verify/log/format.h"

namespace proviso::verify {

using analysis::Verdict;

namespace {

bool refuted_by_validation(const AuditedStep& s) {
    return s.validation && s.validation->verdict == TvVerdict::Refuted;
}

// Why nobody validated the step: what stands before names and numbers, so that steps with one
// reason are told together.
std::string reason(const AuditedStep& s) {
    if (!s.validation) return "validation was not asked for";
    const std::string& what = s.validation->what;
    std::string out = what.substr(0, what.find(" at body"));
    while (!out.empty() && (out.back() == ',' || out.back() == ' ')) out.pop_back();
    return out;
}

// A name from the log, which may hold anything, for a terminal.
std::string printable(const std::string& name) {
    const std::string quoted = canonical(nlohmann::json(name));
    return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

AuditExit AuditReport::exit() const {
    if (!problems.empty()) return AuditExit::Broken;
    bool unknown = inputs.found == HasInput::No || (strict && inputs.found == HasInput::NotFound);
    for (const ObligationCheck& c : checks) {
        if (c.verdict() == Verdict::Refuted || c.disagree()) return AuditExit::Failed;
        if (c.verdict() == Verdict::Unknown) unknown = true;
    }
    if (std::any_of(steps.begin(), steps.end(), refuted_by_validation)) return AuditExit::Failed;
    const auto below = [&](const ObligationCheck& c) {
        return c.verdict() == Verdict::Proved && c.grade() < policy_grade(policy);
    };
    if (std::any_of(checks.begin(), checks.end(), below)) return AuditExit::Failed;
    if (policy_validates(policy) && !not_validated().empty()) return AuditExit::Failed;
    return unknown ? AuditExit::Unknown : AuditExit::Verified;
}

std::size_t AuditReport::count(Verdict v) const {
    return static_cast<std::size_t>(std::count_if(checks.begin(), checks.end(),
                                                  [&](const auto& c) { return c.verdict() == v; }));
}

std::size_t AuditReport::graded(int grade) const {
    return static_cast<std::size_t>(
        std::count_if(checks.begin(), checks.end(), [&](const ObligationCheck& c) {
            return c.verdict() == Verdict::Proved && c.grade() == grade;
        }));
}

std::size_t AuditReport::vacuous() const {
    return static_cast<std::size_t>(std::count_if(checks.begin(), checks.end(), [](const auto& c) {
        return c.facts == Facts::Contradictory;
    }));
}

std::size_t AuditReport::validated() const {
    return static_cast<std::size_t>(std::count_if(steps.begin(), steps.end(), [](const auto& s) {
        return s.validation && s.validation->verdict == TvVerdict::Bounded;
    }));
}

std::map<std::string, std::vector<std::size_t>> AuditReport::not_validated() const {
    std::map<std::string, std::vector<std::size_t>> out;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const AuditedStep& s = steps[i];
        if (s.validation && s.validation->verdict != TvVerdict::Unknown) continue;
        out[reason(s)].push_back(i + 1);
    }
    return out;
}

namespace {

class Auditor {
  public:
    Auditor(ir::Context& ctx, const AuditOptions& options) : ctx_(ctx), options_(options) {}

    AuditReport run(const std::string& folder) {
        report_.folder = folder;
        report_.policy = options_.policy;
        report_.strict = options_.strict;
        if (policy_grade(options_.policy) == 0) {
            report_.problems.push_back(Problem{"policy", 0, "'" + options_.policy + "' is none"});
            return std::move(report_);
        }
        if (policy_validates(options_.policy) && !options_.validate) {
            report_.problems.push_back(
                Problem{"policy", 0, options_.policy + " asks for validation, which is left out"});
            return std::move(report_);
        }
        Bundle bundle = read_bundle(folder);
        report_.refusals = bundle.refusals.size();
        report_.merkle_root = merkle_root(bundle.steps);
        report_.statement_digest = digest(canonical(*bundle.run) + "\n");
        std::optional<Rederived> again;
        if (bundle.problems.empty()) again = rederive(ctx_, bundle);
        report_.problems = std::move(bundle.problems);
        if (!again) return std::move(report_);
        describe_programs(*again);
        check_licences(*again);
        check_artefacts(*again);
        look_for_input(*again);
        discharge_all(*again);
        if (options_.validate && report_.problems.empty()) validate_all(*again);
        if (report_.exit() == AuditExit::Verified) report_.theorem = theorem();
        return std::move(report_);
    }

  private:
    void describe_programs(const Rederived& again) {
        report_.function = again.source.name;
        report_.source_hash = ir::content_hash(again.source);
        report_.final_hash = ir::content_hash(again.final());
        report_.duties = again.record.duties;
    }

    // For what no obligation rests on.
    analysis::ProverOptions prover_options(bool cvc5) const {
        return {.use_z3 = options_.discharge.use_z3,
                .z3 = &analysis::smt::kZ3Program,
                .use_cvc5 = cvc5 && options_.discharge.use_cvc5,
                .wall_limit_s = options_.discharge.wall_limit_s,
                .memory_mib = options_.discharge.memory_mib};
    }

    void look_for_input(const Rederived& again) {
        analysis::Prover prover(ctx_, prover_options(true));
        report_.inputs = find_input(ctx_, again.source, prover);
    }

    void check_licences(const Rederived& again) {
        for (std::size_t i = 0; i < again.steps.size(); ++i) {
            for (const std::string& licence : again.steps[i].licences) {
                if (again.source.has_licence(licence)) continue;
                report_.problems.push_back(
                    Problem{kStepsFile, i + 1,
                            "uses licence '" + licence + "', which the source does not grant"});
            }
        }
    }

    // Subjects: the text of the final program, by the name that `lower` gives it, and what is at
    // hand. Whatever else the statement says about the run is taken as it is, and told.
    void check_artefacts(const Rederived& again) {
        const std::map<std::string, std::string>& named = again.record.claims.artefacts;
        const auto wrong = [&](const std::string& what) {
            report_.problems.push_back(Problem{kRunFile, 0, what});
        };
        for (const auto& [name, hex] : named) {
            const bool is_digest =
                hex.size() == 64 && hex.find_first_not_of("0123456789abcdef") == std::string::npos;
            const bool is_final = std::string_view(name).ends_with(".lowered.py");
            const std::string subject = "subject " + printable(name);
            if (!is_digest) {
                wrong(subject + " has no SHA-256");
            } else if (is_final && hex != digest_hex(report_.final_hash)) {
                wrong(subject + " has another digest than the program that was re-derived");
            } else if (!is_final && options_.artefacts.count(name) == 0) {
                report_.not_checked.push_back(
                    {subject, "the file is not at hand (--output FILE compares it)"});
            }
        }
        for (const auto& [name, hex] : options_.artefacts) {
            const auto found = named.find(name);
            if (found != named.end() && found->second == hex) continue;
            wrong(found == named.end()
                      ? "does not name " + printable(name) + " among its subjects"
                      : "names another digest for " + printable(name) + " than the file has");
        }
        const auto taken = [&](bool there, const char* what, const char* why) {
            if (there) report_.not_checked.push_back({what, why});
        };
        taken(true, "policy", "what the run aimed at");
        taken(!again.record.claims.versions.empty(), "versions", "of the solvers of the run");
        taken(!again.record.claims.schedule.empty(), "schedule", "that it gives these steps");
        taken(!again.steps.empty(), "evidence", "which method proved an obligation in the run");
        taken(!again.record.refusals.empty(), "refusals", "steps that were not taken");
    }

    void discharge_all(const Rederived& again) {
        std::vector<analysis::Obligation> all;
        for (const rewrite::Step& step : again.steps) {
            for (const rewrite::ProvedObligation& o : step.obligations) {
                all.push_back(o.obligation);
            }
        }
        const auto brought = analysis::brought_obligations(ctx_, again.source);
        for (const auto& [buffer, o] : brought) all.push_back(o);
        report_.checks = discharge(ctx_, all, options_.discharge, again.record.claims.certificates);
        for (const ObligationCheck& check : report_.checks) {
            if (!check.certificate.asked || check.certificate.accepted) continue;
            report_.problems.push_back(Problem{kRunFile, 0,
                                               "names a certificate of " + check.id +
                                                   " that is rejected: " + check.certificate.why});
        }
        std::map<std::string, std::size_t> index;
        for (std::size_t k = 0; k < report_.checks.size(); ++k) index[report_.checks[k].id] = k;
        for (const rewrite::Step& step : again.steps) {
            AuditedStep out{step.rule, step.site.str(), {}, std::nullopt};
            for (const rewrite::ProvedObligation& o : step.obligations) {
                out.obligations.push_back(
                    AuditedObligation{o.obligation.purpose.words, index.at(o.id)});
            }
            report_.steps.push_back(std::move(out));
        }
        for (const auto& [buffer, o] : brought) {
            const std::string id = analysis::obligation_id(analysis::to_smt(ctx_, o));
            report_.brought.push_back(
                {"layout of " + buffer + ": " + o.purpose.words, index.at(id)});
        }
        find_conflicts(again, all);
    }

    // Why no run reaches a place, where assumptions are the reason.
    void find_conflicts(const Rederived& again, const std::vector<analysis::Obligation>& all) {
        const std::vector<ir::Expr> conditions = assumed_conditions(again.source);
        if (conditions.empty() || report_.vacuous() == 0) return;
        analysis::Prover prover(ctx_, prover_options(false));
        std::map<std::string, const analysis::Obligation*> by_id;
        std::size_t k = 0;
        for (const rewrite::Step& step : again.steps) {
            for (const rewrite::ProvedObligation& o : step.obligations) by_id[o.id] = &all[k++];
        }
        for (const ObligationCheck& check : report_.checks) {
            const auto of_step = by_id.find(check.id);
            if (check.facts != Facts::Contradictory || of_step == by_id.end()) continue;
            std::string names;
            const std::vector<std::size_t> found =
                conflicting(again.source, of_step->second->facts, conditions, prover);
            for (std::size_t n = 0; n < found.size(); ++n) {
                names += n == 0 ? "" : n + 1 == found.size() ? " and " : ", ";
                names += "A" + std::to_string(found[n] + 1);
            }
            if (!names.empty()) ++report_.conflicts[names];
        }
    }

    void validate_all(const Rederived& again) {
        // A bounded check beside the proof: what is hard stays open.
        analysis::ProverOptions options = prover_options(false);
        options.rlimit = options_.tv.rlimit;
        analysis::Prover prover(ctx_, options);
        Validation validation(ctx_, prover, options_.tv);
        for (std::size_t i = 0; i < again.steps.size(); ++i) {
            const rewrite::Step& step = again.steps[i];
            report_.steps[i].validation = validation.step(step.before, step.after);
        }
    }

    static std::string list(const std::vector<std::string>& items, const char* none) {
        std::string out;
        for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
        return out.empty() ? none : out;
    }

    std::string theorem() const {
        const AuditReport& r = report_;
        const Duties& duties = r.duties;
        std::string out = "Theorem. For all inputs of " + r.function;
        if (duties.axioms.empty() && duties.constraints.empty()) {
            out += "\n";
        } else {
            out += " that satisfy\n";
            for (const Axiom& a : duties.axioms) {
                out += "  " + a.id + "  " + a.str() + "\n";
            }
            for (const std::string& c : duties.constraints) out += "  " + c + "\n";
            if (r.inputs.found == HasInput::NotFound && r.inputs.fault.empty()) {
                out += "  (none was found that does: the theorem may be empty)\n";
            }
        }
        if (!r.inputs.fault.empty()) out += "(warning: " + r.inputs.warning() + ")\n";
        out += "under semantics " + std::to_string(kSemanticsVersion) + " and " +
               (duties.licences_granted.empty()
                    ? std::string("no licence")
                    : "licences " + list(duties.licences_granted, "none") +
                          " (used: " + list(duties.licences_used, "none") + ")");
        out += ",\n  program " + r.final_hash + "\nrefines\n  program " + r.source_hash + "\n";
        if (!duties.relations.empty()) {
            out += "with its parameters related by\n";
            for (const std::string& relation : duties.relations) out += "  " + relation + "\n";
        }
        return out;
    }

    ir::Context& ctx_;
    const AuditOptions& options_;
    AuditReport report_;
};

}  // namespace

AuditReport audit(ir::Context& ctx, const std::string& folder, const AuditOptions& options) {
    return Auditor(ctx, options).run(folder);
}

}  // namespace proviso::verify
