#include "tools/junit/audit_suite.h"

#include <nlohmann/json.hpp>

#include "verify/log/format.h"

namespace proviso::tools {

using analysis::Verdict;
using verify::AuditReport;
using verify::ObligationCheck;

namespace {

// What is said of a case; the first failure is its message.
void fail(JUnitCase& c, const std::string& type, const std::string& message,
          const std::string& more = {}) {
    if (c.failure.empty()) {
        c.failure = type;
        c.message = message;
    }
    c.details += type + ": " + message + "\n" + more;
}

std::string answer(const char* who, bool asked, const std::string& what, const std::string& why) {
    if (!asked) return "";
    return std::string("  ") + who + ": " + what + (why.empty() ? "" : " (" + why + ")") + "\n";
}

void add_obligation(JUnitCase& c, const AuditReport& report, const verify::AuditedObligation& o) {
    const ObligationCheck& check = report.checks[o.check];
    const Verdict verdict = check.verdict();
    const bool below =
        verdict == Verdict::Proved && check.grade() < verify::policy_grade(report.policy);
    if (verdict == Verdict::Proved && !below && !check.disagree()) return;
    const std::string more =
        "  obligation " + check.id + "\n" +
        answer("certificate", check.certificate.asked,
               check.certificate.accepted ? "accepted" : "rejected", check.certificate.why) +
        answer("z3", check.z3.asked, analysis::verdict_name(check.z3.verdict), check.z3.why) +
        answer("cvc5", check.cvc5.asked, analysis::verdict_name(check.cvc5.verdict),
               check.cvc5.why);
    const std::string type = check.disagree() ? "DISAGREE"
                             : below          ? "BELOW " + report.policy
                                              : analysis::verdict_name(verdict);
    fail(c, type, o.purpose, more);
}

JUnitCase step_case(const AuditReport& report, std::size_t k) {
    const verify::AuditedStep& step = report.steps[k];
    JUnitCase out;
    out.name = "step " + std::to_string(k + 1) + ": " + step.rule + " at " + step.site;
    for (const verify::AuditedObligation& o : step.obligations) add_obligation(out, report, o);
    const bool refuted = step.validation && step.validation->verdict == verify::TvVerdict::Refuted;
    const bool open = !step.validation || step.validation->verdict == verify::TvVerdict::Unknown;
    if (refuted || (open && verify::policy_validates(report.policy))) {
        fail(out, refuted ? "REFUTED" : "UNKNOWN",
             "translation validation: " + (step.validation ? step.validation->what : "not asked"));
    }
    return out;
}

JUnitCase files_case(const AuditReport& report) {
    JUnitCase out;
    out.name = "log";
    for (const verify::Problem& p : report.problems) fail(out, "BROKEN", p.str());
    return out;
}

JUnitCase theorem_case(const AuditReport& report) {
    JUnitCase out;
    out.name = "theorem";
    if (report.exit() == verify::AuditExit::Verified) return out;
    const bool vacuous = report.inputs.found == verify::HasInput::No;
    fail(out, vacuous ? "VACUOUS" : report.json()["outcome"].get<std::string>(),
         vacuous ? "no input satisfies what is declared" : "the audit gives no theorem",
         report.text(false));
    return out;
}

}  // namespace

JUnitSuite audit_suite(const AuditReport& report) {
    JUnitSuite out;
    out.name = "audit of " + report.folder;
    out.group = "proviso.audit";
    out.properties = {{"policy", report.policy},
                      {"statement", report.statement_digest},
                      {"source", report.source_hash},
                      {"final", report.final_hash}};
    out.cases.push_back(files_case(report));
    if (!report.brought.empty()) {
        JUnitCase layouts;
        layouts.name = "layouts of the source";
        for (const verify::AuditedObligation& o : report.brought) {
            add_obligation(layouts, report, o);
        }
        out.cases.push_back(std::move(layouts));
    }
    for (std::size_t k = 0; k < report.steps.size(); ++k) {
        out.cases.push_back(step_case(report, k));
    }
    out.cases.push_back(theorem_case(report));
    return out;
}

}  // namespace proviso::tools
