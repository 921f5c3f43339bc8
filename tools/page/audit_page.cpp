#include "tools/page/audit_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "tools/page/html.h"
#include "tools/page/layouts.h"
#include "tools/page/page.h"
#include "tools/page/record.h"
#include "tools/page/theorem.h"
#include "verify/audit/bundle.h"
#include "verify/log/format.h"

namespace proviso::tools {

using analysis::Verdict;
using nlohmann::json;
using verify::AuditExit;
using verify::AuditReport;
using verify::Bundle;

namespace {

Tone tone_of(const AuditReport& report) {
    switch (report.exit()) {
        case AuditExit::Verified: return Tone::Good;
        case AuditExit::Failed:
        case AuditExit::Broken: return Tone::Bad;
        case AuditExit::Unknown: return Tone::Open;
    }
    return Tone::Open;
}

std::string object(const Bundle& bundle, const std::string& digest) {
    const auto found = bundle.objects.find(verify::digest_hex(digest));
    return found == bundle.objects.end() ? "" : found->second;
}

// What an audit says without a theorem: why there is none.
std::string no_theorem(const AuditReport& report) {
    std::vector<std::string> why;
    for (const verify::Problem& p : report.problems) why.push_back(p.str());
    const auto say = [&](std::size_t n, const std::string& what) {
        if (n > 0) why.push_back(fmt::format("{}: {}", what, n));
    };
    say(report.count(Verdict::Refuted), "obligations that are refuted");
    say(report.count(Verdict::Unknown), "obligations that nobody decided");
    std::size_t below = 0;
    for (const verify::ObligationCheck& c : report.checks) {
        below += c.verdict() == Verdict::Proved && c.grade() < verify::policy_grade(report.policy)
                     ? 1
                     : 0;
    }
    say(below, "obligations with less evidence than " + report.policy + " asks for");
    std::size_t refuted = 0;
    for (const verify::AuditedStep& s : report.steps) {
        refuted += s.validation && s.validation->verdict == verify::TvVerdict::Refuted ? 1 : 0;
    }
    say(refuted, "steps that translation validation refutes");
    if (report.inputs.found == verify::HasInput::No) {
        why.emplace_back("no input satisfies what is declared of sizes");
    }
    return list_html("problems", why);
}

// What stands under "Notes:" at the end of the printed report, line by line.
std::vector<std::string> notes_of(const AuditReport& report) {
    static const std::string head = "\nNotes:\n";
    const std::string all = report.notes(false);
    std::vector<std::string> out;
    std::size_t at = all.find(head);
    if (at == std::string::npos) return out;
    for (at += head.size(); at < all.size();) {
        const std::size_t end = std::min(all.find('\n', at), all.size());
        const std::size_t text = std::min(all.find_first_not_of(' ', at), end);
        out.push_back(all.substr(text, end - text));
        at = end + 1;
    }
    return out;
}

std::string counts(const AuditReport& r) {
    if (r.steps.empty() && !r.problems.empty()) return "";  // it did not get that far
    std::string out = "<ul class=\"counts\">\n";
    out += count_html(r.steps.size(), r.steps.size() == 1 ? "step" : "steps");
    out += count_html(r.checks.size(), "distinct obligations");
    out += count_html(r.count(Verdict::Proved), "proved", "good");
    const auto some = [&](std::size_t n, const char* what, const char* style = "") {
        if (n > 0) out += count_html(n, what, style);
    };
    some(r.graded(3), "by a certificate (E3)");
    some(r.graded(2), "by two solvers (E2)");
    some(r.graded(1), "by one solver (E1)");
    some(r.count(Verdict::Refuted), "refuted", "bad");
    some(r.count(Verdict::Unknown), "unknown", "open");
    out += count_html(r.validated(), "steps validated by execution");
    some(r.refusals, r.refusals == 1 ? "refusal" : "refusals");
    return out + "</ul>\n";
}

std::string body(const AuditReport& r) {
    std::string out = counts(r);
    out += r.theorem.empty()
               ? no_theorem(r)
               : theorem_html({r.function, r.source_hash, r.final_hash, r.duties, r.inputs});
    std::vector<std::string> open;
    for (const verify::NotChecked& n : r.not_checked) open.push_back(n.what + ": " + n.why);
    const std::vector<std::string> notes = notes_of(r);
    if (!notes.empty()) out += "<h3>Notes</h3>\n" + list_html("notes", notes);
    if (!open.empty()) out += "<h3>Not checked</h3>\n" + list_html("notes", open);
    return out;
}

// {"purpose", "kind", ..., "check"} of what the source's layouts owe, as steps_json has them.
json brought(const AuditReport& report) {
    json out = json::array();
    for (const verify::AuditedObligation& o : report.brought) {
        out.push_back({{"purpose", o.purpose},
                       {"kind", ""},
                       {"site", ""},
                       {"buffer", ""},
                       {"check", o.check}});
    }
    return out;
}

}  // namespace

Result<std::string> audit_page(ir::Context& ctx, const AuditReport& report) {
    const Bundle bundle = verify::read_bundle(report.folder);
    const bool whole = bundle.problems.empty();
    if (!report.statement_digest.empty() &&
        verify::digest(verify::canonical(*bundle.run) + "\n") != report.statement_digest) {
        return error("the log " + report.folder + " changed while it was audited",
                     "audit it again");
    }
    const json told = report.json();
    json data{{"made_by", "audit"},
              {"function", report.function},
              {"exit_code", report.exit_code()},
              {"policy", report.policy},
              {"obligations", told.at("obligations")},
              {"brought", brought(report)},
              {"confirmed", !report.steps.empty() || report.problems.empty()}};
    json texts;
    if (whole) {
        std::map<std::string, std::size_t> check_of;
        for (std::size_t k = 0; k < report.checks.size(); ++k) check_of[report.checks[k].id] = k;
        const auto check = [&](const std::string& id) {
            const auto found = check_of.find(id);
            return found == check_of.end() ? json() : json(found->second);
        };
        const json& run = (*bundle.run)["predicate"];
        const auto named = [&](const json& of, const char* key) {
            const auto it = of.is_object() ? of.find(key) : of.end();
            return it != of.end() && it->is_string() ? it->get<std::string>() : std::string();
        };
        json steps = steps_json(bundle.steps, check);
        for (std::size_t i = 0; i < report.steps.size(); ++i) {
            const json& step = told.at("steps").at(i);
            if (step.contains("validation")) steps.at(i)["validation"] = step.at("validation");
        }
        data.update({{"steps", steps},
                     {"refusals", refusals_json(bundle.refusals)},
                     {"source", object(bundle, named(run.value("input", json()), "digest"))},
                     {"schedule", schedule_json(object(bundle, named(run, "schedule")))}});
        texts = claims_json(report.claims,
                            [&](std::size_t k) { return object(bundle, report.checks[k].id); });
    }
    if (whole && !report.final_hash.empty()) {
        const auto f =
            ir::parse_function(ctx, object(bundle, report.final_hash), "the final program");
        if (f) data["layouts"] = layouts_json(ctx, *f);
    }
    const std::string verdict =
        told.at("outcome").get<std::string>() + " at policy " + report.policy;
    const std::string name = report.function.empty() ? report.folder : report.function;
    return page({report.theorem.empty() ? "No theorem" : "Theorem", "Audit of " + name,
                 tone_of(report), verdict, body(report)},
                data, texts);
}

}  // namespace proviso::tools
