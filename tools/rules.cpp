// proviso rules: the tables, and their proofs.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>

#include "ir/text/spelling.h"
#include "rewrite/expression_rules/expression_rule.h"
#include "rewrite/expression_rules/refused.h"
#include "rewrite/kernel/rule.h"
#include "tools/commands.h"
#include "tools/rules_show.h"
#include "tools/support/support.h"
#include "tools/support/write_file.h"
#include "verify/rule_library/mutants_verify.h"
#include "verify/rule_library/rule_record.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

verify::RulesVerifyOptions verify_options(const RulesOptions& o) {
    verify::RulesVerifyOptions out;
    out.jobs = o.jobs == 0 ? 2 : o.jobs;
    out.cache_dir = cache_folder(o.cache);
    out.family = o.family;
    return out;
}

bool is_family(const std::string& name) {
    const auto& all = rewrite::expression_rules();
    return std::any_of(all.begin(), all.end(),
                       [&](const rewrite::ExpressionRule& r) { return r.family == name; });
}

// Progress on standard error, where nobody reads the output as data.
std::function<void(std::size_t, std::size_t)> progress(const RulesOptions& o, const char* what) {
    if (o.json) return {};
    return [what](std::size_t done, std::size_t all) {
        if (done % 20 == 0 || done == all) {
            std::fprintf(stderr, "\r%zu of %zu %s%s", done, all, what, done == all ? "\n" : "");
        }
    };
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
                                    name.find("_fits") != std::string::npos ||
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
    options.progress = progress(o, "instantiations");
    const verify::RulesReport report = verify::verify_rule_library(options);
    if (!o.record.empty()) {
        const Status written = write_file(o.record, verify::record_text(report));
        if (!written) return bad_input(written.error(), o.json);
    }
    if (o.json) {
        print_json(verify::to_json(report));
    } else {
        std::printf("%s", verify::to_text(report).c_str());
    }
    return report.ok() ? kFine : kRefuted;
}

int verify_mutants(const RulesOptions& o) {
    verify::MutantOptions options;
    options.jobs = o.jobs == 0 ? 2 : o.jobs;
    options.family = o.family;
    options.progress = progress(o, "rules");
    const verify::MutantReport report =
        verify::verify_mutants(rewrite::expression_rules(), options);
    if (o.json) {
        print_json(verify::to_json(report));
    } else {
        std::printf("%s", verify::to_text(report).c_str());
    }
    return report.ok() ? kFine : kUnknown;
}

}  // namespace

int run_rules(const RulesOptions& o) {
    if (!o.family.empty() && !is_family(o.family)) {
        std::vector<std::string> families;
        for (const rewrite::ExpressionRule& r : rewrite::expression_rules()) {
            if (families.empty() || families.back() != r.family) families.emplace_back(r.family);
        }
        return bad_input(error("no family '" + o.family + "'",
                               ir::suggest(o.family, families, "proviso rules lists them")),
                         o.json);
    }
    if (o.action == "verify") return verify_all(o);
    if (o.action == "mutants") return verify_mutants(o);
    if (o.action == "show") return show_rule(o);
    if (o.refused) return list_refused(o);
    if (o.statements) return list_statement_rules(o);
    return list_rules(o);
}

}  // namespace proviso::tools
