#include "tools/rules_show.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "ir/text/spelling.h"
#include "tools/support/support.h"
#include "verify/rule_library/mutants_verify.h"
#include "verify/rule_library/rule_samples.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

struct RuleExample {
    std::string before;  // the left side with the constants filled in
    std::string after;
    std::string values;  // "x = 7, c0 = 4"
    std::string result;
};

std::string nearest_rule(const std::string& name) {
    std::vector<std::string> all;
    for (const rewrite::ExpressionRule& r : rewrite::expression_rules()) all.emplace_back(r.name);
    return ir::suggest(name, all, "proviso rules lists them");
}

// Small budgets: what they do not suffice for is shown as open here, and `rules verify` decides.
// They take less than a second; the seconds are for a machine that is busy with other work.
verify::RulesVerifyOptions quick(const RulesOptions& o, const std::string& name) {
    verify::RulesVerifyOptions out;
    out.jobs = o.jobs == 0 ? 2 : o.jobs;
    out.cache_dir = cache_folder(o.cache);
    out.only = name;
    out.rlimit = 600'000;
    out.cvc5_rlimit = 100'000;
    out.wall_limit_s = 60;
    return out;
}

std::optional<RuleExample> example_on(ir::Context& ctx, const rewrite::RuleInstance& rule,
                                      const verify::RuleSampler& sampler,
                                      const verify::RuleSample& sample) {
    const auto sides = sampler.look(sample);
    if (!sides || !sides->left.ok() || sides->left.value.is_indet()) return std::nullopt;
    rewrite::Bindings bindings;
    for (std::size_t i = 0; i < sampler.variables().size(); ++i) {
        const ir::Expr v = sampler.variables()[i];
        const auto slot = static_cast<std::size_t>(rewrite::slot_of(v));
        const bool constant = rewrite::is_constant_slot(static_cast<int>(slot));
        if (!sample.terms[i].ok() || sample.terms[i].value.is_indet()) return std::nullopt;
        bindings.terms[slot] = constant ? ir::constant_expr(ctx, v->type, sample.terms[i].value)
                                        : ctx.var(*v->name, v->type);
    }
    const ir::Expr left = rewrite::build(ctx, rule.left, bindings);
    const ir::Expr right = rewrite::build(ctx, rule.right, bindings);
    if (left == nullptr || right == nullptr) return std::nullopt;
    return RuleExample{ir::print(left), ir::print(right), sampler.str(sample),
                       sampler.in_words(sides->left)};
}

std::vector<RuleExample> examples_of(ir::Context& ctx, const rewrite::RuleInstance& rule) {
    constexpr std::size_t wanted = 3;
    std::vector<RuleExample> out;
    verify::RuleSampler sampler(rule, 1);
    for (int i = 0; i < 20'000 && out.size() < wanted; ++i) {
        auto example = example_on(ctx, rule, sampler, sampler.next());
        if (example) out.push_back(std::move(*example));
    }
    return out;
}

struct Shown {
    const rewrite::ExpressionRule& rule;
    ir::ScalarType home;
    std::vector<verify::RuleVerdict> proofs;
    std::vector<RuleExample> examples;
    verify::MutantReport mutants;
};

void print_text(const Shown& s) {
    std::printf("%s\n  %s\n", std::string(s.rule.name).c_str(), rewrite::rule_text(s.rule).c_str());
    if (!s.rule.note.empty()) std::printf("  %s\n", std::string(s.rule.note).c_str());
    if (!s.rule.lemmas.empty()) std::printf("  by %s\n", std::string(s.rule.lemmas).c_str());
    for (const verify::RuleVerdict& v : s.proofs) {
        std::printf("  %-10s %s %s\n", v.kind.c_str(), verify::rule_status_name(v.status),
                    v.reason.c_str());
    }
    std::printf("\nexamples, %s\n", s.home.str().c_str());
    for (const RuleExample& e : s.examples) {
        std::printf("  %s → %s\n      %s: %s\n", e.before.c_str(), e.after.c_str(),
                    e.values.c_str(), e.result.c_str());
    }
    std::printf("\nmutants, %s\n", s.home.str().c_str());
    for (const verify::MutantVerdict& v : s.mutants.mutants) {
        std::printf("  %s\n", verify::to_text(v).c_str());
    }
}

json json_of(const Shown& s, const verify::RulesReport& report) {
    json out = rule_json(s.rule);
    out["proofs"] = verify::to_json(report)["rules"];
    out["examples"] = json::array();
    for (const RuleExample& e : s.examples) {
        out["examples"].push_back(
            {{"before", e.before}, {"after", e.after}, {"values", e.values}, {"result", e.result}});
    }
    out["mutants"] = verify::to_json(s.mutants)["list"];
    return out;
}

}  // namespace

json rule_json(const rewrite::ExpressionRule& r) {
    json out = {{"name", r.name}, {"family", r.family}, {"left", r.left}, {"right", r.right}};
    out["kinds"] = r.kinds.str();
    if (!r.where.empty()) out["where"] = r.where;
    if (!r.needs.empty()) out["needs"] = r.needs;
    if (!r.lemmas.empty()) out["lemmas"] = r.lemmas;
    if (!r.licences.empty()) out["licences"] = r.licences;
    if (!r.note.empty()) out["note"] = r.note;
    return out;
}

int show_rule(const RulesOptions& o) {
    if (o.name.empty()) {
        return bad_input(error("which rule?", "proviso rules show NAME; proviso rules lists them"),
                         o.json);
    }
    const rewrite::ExpressionRule* rule = rewrite::find_expression_rule(o.name);
    if (rule == nullptr) {
        return bad_input(error("no expression rule '" + o.name + "'", nearest_rule(o.name)),
                         o.json);
    }
    const std::vector<rewrite::ExpressionRule> one = {*rule};
    const verify::RulesReport report = verify::verify_rules(one, quick(o, o.name));
    ir::Context ctx;
    const ir::ScalarType home = verify::home_kind(*rule);
    const auto instance = rewrite::instantiate(ctx, *rule, home);
    if (!instance) return bad_input(instance.error(), o.json);
    Shown shown{*rule, home, report.rules, examples_of(ctx, *instance),
                verify::verify_mutants(one, {})};
    if (o.json) {
        print_json(json_of(shown, report));
    } else {
        print_text(shown);
    }
    return report.ok() ? kFine : kRefuted;
}

}  // namespace proviso::tools
