#include "verify/audit/audit.h"

#include <algorithm>
#include <map>

#include "analysis/layout/layout_obligations.h"
#include "analysis/parts/two_parts.h"
#include "ir/text.h"
#include "verify/audit/findings.h"
#include "verify/audit/rederive.h"
#include "verify/log/format.h"

namespace proviso::verify {

using analysis::Verdict;

AuditExit AuditReport::exit() const {
    if (!problems.empty()) return AuditExit::Broken;
    bool unknown = inputs.found == HasInput::No || (strict && inputs.found == HasInput::NotFound);
    for (const ObligationCheck& c : checks) {
        if (c.verdict() == Verdict::Refuted || c.disagree()) return AuditExit::Failed;
        if (c.verdict() == Verdict::Unknown) unknown = true;
    }
    const auto refuted = [](const AuditedStep& step) {
        return step.validation && step.validation->verdict == TvVerdict::Refuted;
    };
    if (std::any_of(steps.begin(), steps.end(), refuted)) return AuditExit::Failed;
    const auto below = [&](const ObligationCheck& c) {
        return c.verdict() == Verdict::Proved && c.grade() < policy_grade(policy);
    };
    if (std::any_of(checks.begin(), checks.end(), below)) return AuditExit::Failed;
    if (policy_validates(policy) && !not_validated().empty()) return AuditExit::Failed;
    return unknown ? AuditExit::Unknown : AuditExit::Verified;
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
        if (bundle.problems.empty()) {
            SignatureReport seen =
                check_signatures(bundle.envelope, bundle.run_text, options_.trusted_keys);
            report_.signatures = std::move(seen.signatures);
            bundle.problems = std::move(seen.problems);
        }
        std::optional<Rederived> again;
        if (bundle.problems.empty()) again = rederive(ctx_, bundle);
        report_.problems = std::move(bundle.problems);
        if (!again) return std::move(report_);
        describe_programs(*again);
        check_licences(*again);
        check_artefacts(*again);
        const std::vector<analysis::Obligation> all = discharge_all(*again);
        static_cast<Findings&>(report_) = findings_of(ctx_, *again, options_, all, report_);
        for (std::size_t k = 0; k < report_.checks.size(); ++k) {
            report_.checks[k].facts = report_.facts.at(k);
        }
        if (report_.exit() != AuditExit::Verified) return std::move(report_);
        report_.theorem = theorem();
        if (!options_.prepared.empty()) in_two_parts(again->final());
        return std::move(report_);
    }

  private:
    void describe_programs(const Rederived& again) {
        report_.function = again.source.name;
        report_.source_hash = ir::content_hash(again.source);
        report_.final_hash = ir::content_hash(again.final());
        report_.duties = again.record.duties;
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
    // hand.
    void check_artefacts(const Rederived& again) {
        const std::map<std::string, std::string>& named = again.record.claims.artefacts;
        const auto wrong = [&](const std::string& what) {
            report_.problems.push_back(Problem{kRunFile, 0, what});
        };
        for (const auto& [name, hex] : named) {
            const bool is_final = std::string_view(name).ends_with(".lowered.py");
            const std::string subject = "subject " + printable(name);
            if (!is_hex_digest(hex)) {
                wrong(subject + " has no SHA-256");
            } else if (is_final && hex != digest_hex(report_.final_hash)) {
                wrong(subject + " has another digest than the program that was re-derived");
            }
        }
        for (const auto& [name, hex] : options_.artefacts) {
            const auto found = named.find(name);
            if (found != named.end() && found->second == hex) continue;
            wrong(found == named.end()
                      ? "does not name " + printable(name) + " among its subjects"
                      : "names another digest for " + printable(name) + " than the file has");
        }
    }

    std::vector<analysis::Obligation> discharge_all(const Rederived& again) {
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
        return all;
    }

    void in_two_parts(const ir::Function& f) {
        const Result<analysis::TwoParts> parts = analysis::two_parts(ctx_, f, options_.prepared);
        if (parts) {
            report_.theorem += analysis::two_parts_text(f, *parts) + "\n";
            return;
        }
        report_.theorem.clear();
        report_.problems.push_back(Problem{"--prepare", 0, parts.error().message});
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
        if (!duties.external.empty()) {
            out += "Code of the final program does what that says, provided that\n";
            for (const ExternalAxiom& e : duties.external) {
                out += "  " + e.id + "  " + e.str() + "\n";
            }
        }
        return out;
    }

    ir::Context& ctx_;
    const AuditOptions& options_;
    AuditReport report_;
};

}  // namespace

AuditReport audit(ir::Context& ctx, const std::string& log, const AuditOptions& options) {
    return Auditor(ctx, options).run(log);
}

}  // namespace proviso::verify
