// The report on the rule library, for machines and for people.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "verify/rule_library/rules_verify.h"

namespace proviso::verify {

namespace {

nlohmann::json model_json(const NamedValues& model) {
    nlohmann::json out = nlohmann::json::object();
    for (const auto& [name, value] : model) out[name] = value;
    return out;
}

nlohmann::json rule_json(const RuleVerdict& v) {
    nlohmann::json out = {{"rule", v.rule},
                          {"family", v.family},
                          {"kind", v.kind},
                          {"obligation", v.obligation},
                          {"status", rule_status_name(v.status)},
                          {"z3", analysis::verdict_name(v.z3.verdict)},
                          {"cvc5", analysis::verdict_name(v.cvc5.verdict)}};
    if (!v.reason.empty()) out["reason"] = v.reason;
    if (!v.model.empty()) out["model"] = model_json(v.model);
    return out;
}

nlohmann::json refused_json(const RefusedVerdict& v) {
    return {{"rule", v.rule},       {"kind", v.kind},
            {"text", v.text},       {"why", v.why},
            {"refuted", v.refuted}, {"replayed", v.replayed},
            {"by", v.by},           {"left", v.left},
            {"right", v.right},     {"model", model_json(v.model)}};
}

std::string model_text(const NamedValues& model) {
    std::string out;
    for (const auto& [name, value] : model) {
        out += (out.empty() ? "" : ", ") + name + " = " + value;
    }
    return out;
}

struct Counts {
    std::size_t proved = 0;
    std::size_t open = 0;
    std::size_t refuted = 0;
    void add(RuleStatus s) {
        ++(s == RuleStatus::Proved ? proved : s == RuleStatus::Open ? open : refuted);
    }
};

}  // namespace

nlohmann::json to_json(const RulesReport& report) {
    nlohmann::json out = {{"table", report.table_digest},
                          {"z3", report.z3_version},
                          {"cvc5", report.cvc5_version},
                          {"proved", report.count(RuleStatus::Proved)},
                          {"open", report.count(RuleStatus::Open)},
                          {"refuted", report.count(RuleStatus::Refuted)},
                          {"figure", report.figure()},
                          {"ok", report.ok()}};
    out["laws"] = nlohmann::json::array();
    for (const RuleVerdict& v : report.laws) out["laws"].push_back(rule_json(v));
    out["rules"] = nlohmann::json::array();
    for (const RuleVerdict& v : report.rules) out["rules"].push_back(rule_json(v));
    out["refused"] = nlohmann::json::array();
    for (const RefusedVerdict& v : report.refused) out["refused"].push_back(refused_json(v));
    return out;
}

std::string to_text(const RulesReport& report) {
    std::string out = fmt::format("rule table {}\nZ3 {}, cvc5 {}\n\n", report.table_digest,
                                  report.z3_version, report.cvc5_version);
    std::vector<std::string> order;
    std::map<std::string, Counts> families;
    for (const RuleVerdict& v : report.rules) {
        if (families.count(v.family) == 0) order.push_back(v.family);
        families[v.family].add(v.status);
    }
    out += fmt::format("{:<26}{:>8}{:>8}{:>9}\n", "family", "PROVED", "OPEN", "REFUTED");
    for (const std::string& family : order) {
        const Counts& c = families[family];
        out += fmt::format("{:<26}{:>8}{:>8}{:>9}\n", family, c.proved, c.open, c.refuted);
    }
    out += fmt::format("{:<26}{:>8}{:>8}{:>9}\n", "all, a rule and kind each",
                       report.count(RuleStatus::Proved), report.count(RuleStatus::Open),
                       report.count(RuleStatus::Refuted));
    out += "\n" + report.figure() + "\n";
    std::size_t laws = 0;
    for (const RuleVerdict& v : report.laws) laws += v.status == RuleStatus::Proved ? 1 : 0;
    if (!report.laws.empty()) {
        out += fmt::format("{} of {} laws proved, on which they rest\n", laws, report.laws.size());
    }
    for (const auto* list : {&report.laws, &report.rules}) {
        for (const RuleVerdict& v : *list) {
            if (v.status == RuleStatus::Proved) continue;
            out += fmt::format("{} {}{}{}", rule_status_name(v.status), v.rule,
                               v.kind.empty() ? "" : " for ", v.kind);
            if (!v.reason.empty()) out += ": " + v.reason;
            if (!v.model.empty()) out += "\n    " + model_text(v.model);
            out += "\n";
        }
    }
    if (!report.refused.empty()) out += "\nRefused rules, wrong under these semantics:\n";
    for (const RefusedVerdict& v : report.refused) {
        out += fmt::format("\n  {} ({}): {}\n    {}\n", v.rule, v.kind, v.text, v.why);
        if (!v.refuted) {
            out += "    no counterexample found\n";
            continue;
        }
        out += fmt::format("    {} by {}{}: {} gives {} on the left, {} on the right\n", "REFUTED",
                           v.by, v.replayed ? ", replayed" : ", not replayed", model_text(v.model),
                           v.left, v.right);
    }
    return out;
}

}  // namespace proviso::verify
