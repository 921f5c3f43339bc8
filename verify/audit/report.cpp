// An audit's report for people and for programs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/smt/bit_work.h"
#include "analysis/smt/watchdog.h"
#include "verify/audit/audit.h"
#include "verify/audit/facts.h"
#include "verify/log/format.h"
#include "verify/log/record.h"

namespace proviso::verify {

using analysis::Verdict;

namespace {

// Why nobody validated the step: what stands before names and numbers, so that steps with one
// reason are told together.
std::string reason(const AuditedStep& s) {
    if (!s.validation) return "validation was not asked for";
    const std::string& what = s.validation->what;
    std::string out = what.substr(0, what.find(" at body"));
    while (!out.empty() && (out.back() == ',' || out.back() == ' ')) out.pop_back();
    return out;
}

const char* outcome_text(AuditExit exit) {
    switch (exit) {
        case AuditExit::Verified: return "VERIFIED";
        case AuditExit::Failed: return "NOT VERIFIED";
        case AuditExit::Broken: return "BROKEN";
        case AuditExit::Unknown: return "UNKNOWN";
    }
    return "?";
}

std::string counted(std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string solver_text(const char* name, const SolverAnswer& v) {
    if (!v.asked) return fmt::format("{}: not asked", name);
    std::string out = fmt::format("{}: {}", name, analysis::verdict_name(v.verdict));
    if (v.verdict == Verdict::Proved || v.why.empty()) return out;
    out += " (" + v.why;
    if (analysis::smt::was_stopped(v.why)) out += std::string("; ") + analysis::smt::kMoreSeconds;
    if (analysis::smt::was_too_large(v.why)) out += std::string("; ") + analysis::smt::kMoreMemory;
    out += ")";
    return out;
}

std::string certificate_text(const CertificateAnswer& v) {
    if (!v.asked) return "no certificate";
    if (v.accepted) return "certificate of " + counted(v.steps, "step");
    return "certificate rejected (" + v.why + ")";
}

std::string facts_text(Facts f) {
    const std::string name = facts_name(f);
    return f == Facts::Contradictory ? name + " (no run reaches this place)" : name;
}

std::string obligation_text(const AuditedObligation& o, const ObligationCheck& c) {
    return fmt::format("      {:8} E{}  {}\n               {}, {}, {}; facts {}; {}\n",
                       analysis::verdict_name(c.verdict()), c.grade(), o.purpose,
                       certificate_text(c.certificate), solver_text("z3", c.z3),
                       solver_text("cvc5", c.cvc5), facts_text(c.facts), c.id);
}

bool worth_showing(const ObligationCheck& c, const std::string& policy) {
    // Contradictory facts are usual (a branch that cannot run), and told of once, at the end.
    return c.verdict() != Verdict::Proved || c.grade() < policy_grade(policy);
}

nlohmann::json certificate_json(const CertificateAnswer& v) {
    if (!v.asked) return nullptr;
    return {{"accepted", v.accepted}, {"why", v.why}, {"steps", v.steps}};
}

nlohmann::json solver_json(const SolverAnswer& v) {
    if (!v.asked) return nullptr;
    return {{"verdict", analysis::verdict_name(v.verdict)}, {"why", v.why}};
}

}  // namespace

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

// "1, 2, 3, 4, 5, 6, 7, 8 and 12 more"
std::string step_numbers(const std::vector<std::size_t>& steps) {
    constexpr std::size_t most = 8;
    const std::size_t told = std::min(steps.size(), most);
    std::string out = fmt::format(
        "{}", fmt::join(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(told), ", "));
    if (steps.size() == told) return out;
    return out + fmt::format(" and {} more", steps.size() - told);
}

std::size_t uses_of(const AuditReport& report) {
    std::size_t out = report.brought.size();
    for (const AuditedStep& s : report.steps) out += s.obligations.size();
    return out;
}

// Steps owe the same thing more than once; it is checked once.
std::string obligations_text(const AuditReport& report) {
    const std::size_t distinct = report.checks.size();
    const std::string all = counted(uses_of(report), "obligation");
    return distinct == uses_of(report) ? all : fmt::format("{} distinct of {}", distinct, all);
}

// What nobody looked at but the rule itself.
std::string validation_text(const AuditReport& report) {
    if (report.steps.empty()) return "";
    std::size_t open = 0;
    const auto reasons = report.not_validated();
    for (const auto& [why, steps] : reasons) open += steps.size();
    std::string out =
        fmt::format("  translation validation: {} of {} steps BOUNDED (at these sizes)",
                    report.validated(), report.steps.size());
    if (open == 0) return out + "\n";
    out += fmt::format("; nobody validated {}:\n", open);
    for (const auto& [why, steps] : reasons) {
        out += fmt::format("    {} step{} ({}): {}\n", steps.size(), steps.size() == 1 ? "" : "s",
                           step_numbers(steps), why);
    }
    return out;
}

}  // namespace

std::string AuditReport::text(bool verbose) const {
    std::string out =
        fmt::format("audit of {}: {} at policy {}\n", folder, outcome_text(exit()), policy);
    for (const Problem& p : problems) out += "  " + p.str() + "\n";
    out += validation_text(*this);
    if (!steps.empty() || problems.empty()) {
        out += fmt::format("  {}, {}: {} PROVED (E3: {}, E2: {}, E1: {}), {} REFUTED, {} UNKNOWN\n",
                           counted(steps.size(), "step"), obligations_text(*this),
                           count(Verdict::Proved), graded(3), graded(2), graded(1),
                           count(Verdict::Refuted), count(Verdict::Unknown));
    }
    for (const CheckedSignature& s : signatures) {
        if (!s.key.empty()) out += fmt::format("  signed by keyid {} ({})\n", s.keyid, s.key);
    }
    std::string of_layouts;
    for (const AuditedObligation& o : brought) {
        const ObligationCheck& c = checks[o.check];
        if (verbose || worth_showing(c, policy)) of_layouts += obligation_text(o, c);
    }
    if (!of_layouts.empty()) out += "    layouts of the source\n" + of_layouts;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const AuditedStep& s = steps[i];
        std::string lines;
        for (const AuditedObligation& o : s.obligations) {
            const ObligationCheck& c = checks[o.check];
            const bool later = c.facts == Facts::Contradictory;  // listed after the theorem
            if ((verbose && !later) || worth_showing(c, policy)) lines += obligation_text(o, c);
        }
        if (s.validation) {
            const TvResult& v = *s.validation;
            if (verbose || v.verdict == TvVerdict::Refuted) {
                lines += fmt::format(
                    "      {:8} translation validation{}{}\n", tv_verdict_name(v.verdict),
                    v.sizes.empty() ? "" : " at " + v.sizes, v.what.empty() ? "" : ": " + v.what);
            }
        }
        if (verbose || !lines.empty()) {
            out += fmt::format("    step {}: {} at {}\n{}", i + 1, s.rule, s.site, lines);
        }
    }
    if (inputs.found == HasInput::No) {
        out +=
            fmt::format("  VACUOUS: no input satisfies {}\n", fmt::join(duties.constraints, ", "));
    }
    if (refusals > 0) out += fmt::format("  {} on record\n", counted(refusals, "refusal"));
    if (!theorem.empty()) out += "\n" + theorem;
    return out + notes(verbose);
}

// What stands after the theorem: what was not looked at, and of which places it says nothing.
std::string AuditReport::notes(bool verbose) const {
    std::string out;
    if (!not_checked.empty()) out += "\nNot checked:\n";
    for (const NotChecked& n : not_checked) out += fmt::format("  {}: {}\n", n.what, n.why);
    if (vacuous() == 0) return out;
    out += "\nNotes:\n";
    std::size_t normal = vacuous();
    for (const auto& [names, n] : conflicts) {
        normal -= n;
        const bool one = names.find(' ') == std::string::npos;
        out += fmt::format(
            "  {} {}: no run satisfies {}, and {} about places that would be reached "
            "by such runs alone. The theorem says nothing of them; if runs should get there, an "
            "assumption is wrong\n",
            names, one ? "cannot hold" : "contradict each other", one ? "it" : "all of them",
            n == 1 ? "1 obligation is" : fmt::format("{} obligations are", n));
    }
    if (normal > 0) {
        const bool one = normal == 1;
        out += fmt::format(
            "  {} about a place that no run reaches, such as a branch that cannot run: the facts "
            "known there contradict each other. That is normal; {} and says nothing of other "
            "places{}\n",
            one ? "1 obligation is" : fmt::format("{} obligations are", normal),
            one ? "it holds" : "each holds", verbose ? "" : " (--verbose lists them)");
    }
    if (!verbose) return out;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const AuditedStep& s = steps[i];
        for (const AuditedObligation& o : s.obligations) {
            if (checks[o.check].facts != Facts::Contradictory) continue;
            out += fmt::format("    step {}: {} at {}\n{}", i + 1, s.rule, s.site,
                               obligation_text(o, checks[o.check]));
        }
    }
    return out;
}

nlohmann::json AuditReport::json() const {
    using nlohmann::json;
    json list = json::array();
    for (const Problem& p : problems) {
        list.push_back(json{{"file", p.file}, {"line", p.line}, {"what", p.what}});
    }
    json all_checks = json::array();
    for (const ObligationCheck& c : checks) {
        all_checks.push_back(purpose_json(c.purpose));
        all_checks.back().update({{"id", c.id},
                                  {"verdict", analysis::verdict_name(c.verdict())},
                                  {"grade", c.grade()},
                                  {"uses", c.uses},
                                  {"facts", facts_name(c.facts)},
                                  {"certificate", certificate_json(c.certificate)},
                                  {"z3", solver_json(c.z3)},
                                  {"cvc5", solver_json(c.cvc5)}});
        if (c.microseconds) all_checks.back()["microseconds"] = *c.microseconds;
    }
    json all_steps = json::array();
    for (const AuditedStep& s : steps) {
        json ids = json::array();
        for (const AuditedObligation& o : s.obligations) ids.push_back(checks[o.check].id);
        json step{{"rule", s.rule}, {"site", s.site}, {"obligations", ids}};
        if (s.validation) {
            const TvResult& v = *s.validation;
            step["validation"] = json{{"verdict", tv_verdict_name(v.verdict)},
                                      {"sizes", v.sizes},
                                      {"what", v.what},
                                      {"cells", v.cells},
                                      {"queries", v.queries}};
        }
        all_steps.push_back(step);
    }
    json of_layouts = json::array();
    for (const AuditedObligation& o : brought) of_layouts.push_back(checks[o.check].id);
    json open = json::array();
    for (const auto& [why, numbers] : not_validated()) {
        open.push_back(json{{"why", why}, {"steps", numbers}});
    }
    json unchecked = json::array();
    for (const NotChecked& n : not_checked) unchecked.push_back({{"what", n.what}, {"why", n.why}});
    json signed_by = json::array();
    for (const CheckedSignature& s : signatures) {
        signed_by.push_back({{"keyid", s.keyid}, {"trusted", !s.key.empty()}, {"key", s.key}});
    }
    json out{{"folder", folder},
             {"outcome", outcome_text(exit())},
             {"exit_code", exit_code()},
             {"policy", policy},
             {"problems", list},
             {"steps", all_steps},
             {"layouts", of_layouts},
             {"not_validated", open},
             {"obligations", all_checks},
             {"counts",
              {{"steps", steps.size()},
               {"obligations", checks.size()},
               {"uses", uses_of(*this)},
               {"proved", count(Verdict::Proved)},
               {"proved_e3", graded(3)},
               {"proved_e2", graded(2)},
               {"proved_e1", graded(1)},
               {"refuted", count(Verdict::Refuted)},
               {"unknown", count(Verdict::Unknown)},
               {"vacuous", vacuous()},
               {"validated", validated()},
               {"refusals", refusals}}},
             {"signatures", signed_by},
             {"function", function},
             {"source", source_hash},
             {"final", final_hash},
             {"semantics", kSemanticsVersion},
             {"inputs", inputs.json()},
             {"not_checked", unchecked},
             {"conflicts", conflicts},
             {"merkle_root", merkle_root},
             {"statement", statement_digest},
             {"theorem", theorem}};
    out.update(duties.json());
    return out;
}

}  // namespace proviso::verify
