// proviso rules: the tables, and their proofs.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "rewrite/kernel/rule.h"
#include "rewrite/rules/expression_rule.h"
#include "rewrite/rules/refused.h"
#include "tools/commands.h"
#include "tools/support.h"
#include "verify/rules_verify.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

verify::RulesVerifyOptions verify_options(const RulesOptions& o) {
    verify::RulesVerifyOptions out;
    out.jobs = o.jobs == 0 ? 2 : o.jobs;
    out.cache_dir = cache_folder(o.cache);
    out.only = o.action == "show" ? o.name : o.family;
    return out;
}

json rule_json(const rewrite::ExpressionRule& r) {
    json out = {{"name", r.name}, {"family", r.family}, {"left", r.left}, {"right", r.right}};
    if (!r.where.empty()) out["where"] = r.where;
    if (!r.needs.empty()) out["needs"] = r.needs;
    if (!r.licences.empty()) out["licences"] = r.licences;
    if (!r.note.empty()) out["note"] = r.note;
    return out;
}

int list_rules(const RulesOptions& o) {
    json all = json::array();
    std::string family;
    std::size_t count = 0;
    for (const rewrite::ExpressionRule& r : rewrite::expression_rules()) {
        if (!o.family.empty() && r.family != o.family) continue;
        ++count;
        if (o.json) {
            all.push_back(rule_json(r));
            continue;
        }
        if (r.family != family) std::printf("%s\n", std::string(r.family).c_str());
        family = r.family;
        std::printf("  %-40s %s\n", std::string(r.name).c_str(), rewrite::rule_text(r).c_str());
    }
    if (count == 0) return bad_input(error("no family '" + o.family + "'"));
    if (o.json) {
        print_json(all);
    } else {
        std::printf("%zu expression rules; table %s\n", count,
                    rewrite::rule_table_digest().c_str());
    }
    return kFine;
}

int list_statement_rules(const RulesOptions& o) {
    json all = json::array();
    for (const rewrite::Rule* r : rewrite::all_rules()) {
        all.push_back({{"name", r->name()}, {"summary", r->summary()}});
        if (!o.json) std::printf("%-18s %s\n", r->name().c_str(), r->summary().c_str());
    }
    if (o.json) print_json(all);
    return kFine;
}

int list_refused(const RulesOptions& o) {
    verify::RulesReport report;
    report.refused = verify::verify_refused(verify_options(o));
    bool all_refuted = true;
    for (const verify::RefusedVerdict& r : report.refused) all_refuted &= r.refuted && r.replayed;
    if (o.json) {
        print_json(verify::to_json(report)["refused"]);
    } else {
        for (const verify::RefusedVerdict& r : report.refused) {
            std::string values;
            for (const auto& [name, value] : r.model) {
                // Whether a variable is definite is part of the schema's model, too; not worth
                // showing.
                const bool helper = name.find("_at") != std::string::npos ||
                                    name.find("_cell") != std::string::npos;
                if (!helper) values += (values.empty() ? "" : ", ") + name + " = " + value;
            }
            std::printf("%-34s %s\n    %s\n    %s %s: left %s, right %s\n", r.rule.c_str(),
                        r.text.c_str(), r.why.c_str(), r.kind.c_str(), values.c_str(),
                        r.left.c_str(), r.right.c_str());
        }
    }
    return all_refuted ? kFine : kRefuted;
}

int verify_all(const RulesOptions& o) {
    verify::RulesVerifyOptions options = verify_options(o);
    if (!o.json) {
        options.progress = [](std::size_t done, std::size_t all) {
            if (done % 20 == 0 || done == all) {
                std::fprintf(stderr, "\r%zu of %zu instantiations%s", done, all,
                             done == all ? "\n" : "");
            }
        };
    }
    const verify::RulesReport report = verify::verify_rule_library(options);
    if (o.json) {
        print_json(verify::to_json(report));
    } else {
        std::printf("%s", verify::to_text(report).c_str());
    }
    return report.ok() ? kFine : kRefuted;
}

int show(const RulesOptions& o) {
    const rewrite::ExpressionRule* rule = rewrite::find_expression_rule(o.name);
    if (rule == nullptr) {
        return bad_input(error("no expression rule '" + o.name + "'", "proviso rules lists them"));
    }
    const std::vector<rewrite::ExpressionRule> one = {*rule};
    const verify::RulesReport report = verify::verify_rules(one, verify_options(o));
    if (o.json) {
        json out = rule_json(*rule);
        out["proofs"] = verify::to_json(report)["rules"];
        print_json(out);
        return report.ok() ? kFine : kRefuted;
    }
    std::printf("%s\n  %s\n", o.name.c_str(), rewrite::rule_text(*rule).c_str());
    if (!rule->note.empty()) std::printf("  %s\n", std::string(rule->note).c_str());
    for (const verify::RuleVerdict& v : report.rules) {
        std::printf("  %-10s %s %s\n", v.kind.c_str(), verify::rule_status_name(v.status),
                    v.reason.c_str());
    }
    return report.ok() ? kFine : kRefuted;
}

}  // namespace

int run_rules(const RulesOptions& o) {
    if (o.action == "verify") return verify_all(o);
    if (o.action == "show") return show(o);
    if (o.refused) return list_refused(o);
    if (o.statements) return list_statement_rules(o);
    return list_rules(o);
}

}  // namespace proviso::tools
